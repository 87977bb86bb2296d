import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatLocal, openTimeZone } from '../../src/time-zone.ts';
import { readSource } from '../support/catalog/read-source.ts';
import { shopWith, sourceIn, writeFiles } from '../support/catalogs.ts';
import { type Cell, xlsx } from '../support/workbooks/xlsx.ts';

/** A number below `limit`. */
const random = (limit: number) => Math.floor(Math.random() * limit);

test('10,000 random decimals of up to 15 digits are read as they were typed', async t => {
  const typed = Array.from({ length: 10_000 }, () => {
    const digits = String(1 + random(9)) + Array.from({ length: random(15) }, () => random(10)).join('');
    const places = random(Math.min(9, digits.length + 1));
    const whole = digits.slice(0, digits.length - places) || '0';
    return places === 0 ? whole : `${whole}.${digits.slice(-places)}`;
  });
  // 17 digits, as Excel stores them, and the shortest form, as others do.
  const cell = (text: string, index: number): Cell => ({
    xml: `<v>${index % 2 ? Number(text) : Number(text).toPrecision(17)}</v>`,
  });
  const rows = typed.map((text, index): Cell[] => [index + 1, 1, 11, index + 1, cell(text, index)]);
  const files = {
    'products.csv': 'id,name\n1,Cloud\n',
    'configurations.csv': 'id,product_id,name,cpu,memory\n11,1,S,1,1024\n',
    'durations.csv': null,
    'prices.xlsx': xlsx({ prices: [['id', 'product_id', 'rel_id', 'duration_id', 'price'], ...rows] }),
  };
  const set = await readSource(sourceIn(await writeFiles(t, shopWith(files))));
  assert.deepEqual(
    set.report.problems.filter(({ file }) => file === 'prices.xlsx'),
    [],
  );
  const read = new Map(set.rows?.prices?.map(({ id, price }) => [id, price]));
  assert.deepEqual(
    typed.filter((text, index) => read.get(index + 1) !== Number(text)),
    [],
  );
  assert.equal(read.size, typed.length);
});

const zones = ['UTC', 'Asia/Shanghai', 'America/New_York', 'Europe/Berlin'];
for (const date1904 of [false, true]) {
  test(`2,500 random dates are read to the second, counted from ${date1904 ? 1904 : 1900}`, async t => {
    for (const timeZone of zones) {
      const zone = openTimeZone(timeZone);
      const locals = Array.from({ length: 625 }, () => 86_400 + random(253_402_214_400));
      // Programs store a fraction of a day in as many digits as a double has.
      const days = (local: number) => local / 86_400 + (date1904 ? 24_107 : 25_569);
      const rows = locals.map((local, index): Cell[] => [
        index + 1,
        'a title',
        'a text',
        { s: 1 + (index % 2), xml: `<v>${index % 3 ? days(local) : days(local).toPrecision(15)}</v>` },
      ]);
      const sheet = [['id', 'title', 'content', 'create_time'], ...rows];
      const formats = ['yyyy\\-mm\\-dd\\ hh:mm:ss', 'm/d/yy h:mm'];
      const dir = await writeFiles(
        t,
        shopWith({ 'news.xlsx': xlsx({ news: sheet }, { formats, date1904 }) }),
      );
      const set = await readSource(sourceIn(dir, { timeZone }));
      const read = new Map(set.rows?.news?.map(item => [item.id, item.create_time]));
      assert.equal(read.size, locals.length);
      for (const [index, local] of locals.entries())
        assert.equal(read.get(index + 1), zone.toInstant(local), `${formatLocal(local)} in ${timeZone}`);
    }
  });
}
