import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { strFromU8, unzipSync } from 'fflate';
import { between, seededRandom } from '../../scripts/bench/catalog/random.ts';
import { type CatalogName, catalogNames, columnsOf } from '../../src/contract/columns.ts';
import { formatProblem, isError } from '../../src/contract/problems.ts';
import { plainNumber } from '../../src/formats/workbook/cells.ts';
import { type FormName, forms } from '../../src/formats/write/write.ts';
import { columnsNamed, writtenValue } from '../../src/formats/write/written-catalog.ts';
import type { CatalogRows } from '../../src/snapshot/sort.ts';
import { openTimeZone } from '../../src/time-zone.ts';
import { readSource } from '../support/catalog/read-source.ts';
import { type Files, sourceIn, writeFiles } from '../support/catalogs.ts';
import { type Cell, xlsx } from '../support/workbooks/xlsx.ts';

const seed = Number(process.env.SEED ?? randomInt(2 ** 31));
console.log(`SEED=${seed}`);
const random = seededRandom(seed);

type PlainSet = Partial<Record<CatalogName, Record<string, string | number | boolean>[]>>;

/** The rows that are read from these files. */
async function read(t: TestContext, files: Files, timeZone: string): Promise<CatalogRows> {
  const { report, rows } = await readSource(sourceIn(await writeFiles(t, files), { timeZone }));
  assert.deepEqual(report.problems.filter(isError).map(formatProblem), []);
  return rows ?? assert.fail();
}

/** Writes a set as Vitrine writes it. */
const writtenAs = (form: FormName) => (set: PlainSet, timeZone: string) => {
  const zone = openTimeZone(timeZone);
  const catalogs = catalogNames.flatMap(catalog => {
    const rows = set[catalog];
    const columns = columnsNamed(catalog, Object.keys(rows?.[0] ?? {}));
    const written = rows?.map(row => columns.map(column => writtenValue(row[column.name], column, zone)));
    return written ? [{ catalog, columns, rows: written }] : [];
  });
  return forms[form](catalogs);
};

/** Writes a set as a workbook of another program: numbers in 17 or 15 digits, times as days since 1900 or 1904. */
const byOthers = (date1904: boolean) => (set: PlainSet, timeZone: string) => {
  const { toLocal } = openTimeZone(timeZone);
  const cellOf = (name: string, value: string | number | boolean, index: number): Cell => {
    if (typeof value !== 'number') return value;
    if (!name.endsWith('_time')) return { xml: `<v>${index % 2 ? value : value.toPrecision(17)}</v>` };
    const days = toLocal(value) / 86_400 + (date1904 ? 24_107 : 25_569);
    return { s: 1 + (index % 2), xml: `<v>${index % 3 ? days : days.toPrecision(15)}</v>` };
  };
  const sheets = Object.entries(set).map(([catalog, rows]) => [
    catalog,
    [
      Object.keys(rows[0] ?? {}),
      ...rows.map((row, index) => Object.entries(row).map(([name, value]) => cellOf(name, value, index))),
    ],
  ]);
  const formats = ['yyyy\\-mm\\-dd\\ hh:mm:ss', 'm/d/yy h:mm'];
  return { 'catalog.xlsx': xlsx(Object.fromEntries(sheets), { formats, date1904 }) };
};

const writers: Record<string, (set: PlainSet, timeZone: string) => Files> = {
  xlsx: writtenAs('xlsx'),
  csv: writtenAs('csv'),
  json: writtenAs('json'),
  'xlsx of another program': byOthers(false),
  'xlsx of another program, with days since 1904': byOthers(true),
};

function decimal(): number {
  const digits = Array.from({ length: between(random, 1, 15) }, () => between(random, 0, 9)).join('');
  return Number(`${digits}e-${between(random, 0, 8)}`);
}

for (const [form, write] of Object.entries(writers)) {
  test(`decimals of up to 15 digits, and times of each zone, are exact as ${form}`, async t => {
    const configurations = [{ id: 1, product_id: 1, name: 'a', cpu: 1.928, memory: 1 }];
    const prices = Array.from({ length: 3_000 }, (_, index) => ({
      ...{ id: index + 1, product_id: 1, rel_id: 1, duration_id: index + 1 },
      price: decimal(),
    }));
    for (const zone of ['UTC', 'Asia/Shanghai', 'America/New_York', 'Europe/Berlin']) {
      const { toInstant } = openTimeZone(zone);
      const timeOf = (index: number) => {
        const any = between(random, 86_400, 253_402_200_000);
        // Other programs write the time on a clock.
        if (form.includes('other')) return toInstant(any);
        // Half of them in the nights of 2026 in which the clocks of New York and Berlin go back.
        return index % 2 ? any : (index % 4 ? 1_793_512_800 : 1_792_890_000) + between(random, -9000, 9000);
      };
      const news = Array.from({ length: 500 }, (_, index) => ({
        ...{ id: index + 1, title: 'a', content: 'b' },
        create_time: timeOf(index),
      }));
      const products = [{ id: 1, name: 'a' }];
      const rows = await read(t, write({ products, configurations, prices, news }, zone), zone);
      assert.equal(rows.configurations?.[0]?.cpu, 1.928);
      assert.deepEqual(
        new Map(rows.prices?.map(({ id, price }) => [id, price])),
        new Map(prices.map(({ id, price }) => [id, price])),
      );
      assert.deepEqual(
        new Map(rows.news?.map(item => [item.id, item.create_time])),
        new Map(news.map(item => [item.id, item.create_time])),
        zone,
      );
    }
  });
}

for (const form of ['xlsx', 'csv', 'json'] as const)
  test(`texts of any characters are exact as ${form}`, async t => {
    const plain = `a " "" ' , ; | \\ \\n <b>&amp;</b> ]]> &#65; _x0041_ _x005F_ _x000D_ _x0041_x0041_ =1+1 +1 -1 @SUM(1)
      1-2 007 1e5 TRUE null 香港 😀 é e\u0301 \u0001 \u007f \ufffe \uffff \u{1fffe} sep=; #1 2026-01-01 1,928 1.928 {"a": [ --`;
    const spaces = [' a ', '\ta', 'a\n', 'a\r\nb\rc\n\nd', 'a\tb', '\u00a0a\u00a0', '\u2028', '\u0085'];
    const products = [...plain.split(/[ \n]+/), ...spaces].map((text, index) => ({
      ...{ id: index + 1, name: text, description: `${text}${text}` },
    }));
    const rows = await read(t, writtenAs(form)({ products }, 'UTC'), 'UTC');
    const served = new Map(rows.products?.map(row => [row.id, { ...row }]));
    assert.deepEqual(served, new Map(products.map(row => [row.id, row])));
  });

test('a number is written in digits, whatever its size', () => {
  for (const [number, text] of [
    [0, '0'],
    [1.5e-7, '0.00000015'],
    [-1.25e-8, '-0.0000000125'],
    [1e21, '1000000000000000000000'],
    [1.25e22, '12500000000000000000000'],
    [123_456_789_012_345, '123456789012345'],
  ] as const)
    assert.deepEqual([plainNumber(number), Number(text)], [text, number]);
});

test('a workbook offers names, ids with names, and keeps texts as they are typed', () => {
  const catalogs = catalogNames.map(catalog => {
    const columns = columnsOf(catalog);
    return { catalog, columns, rows: [columns.map(({ name }) => (name === 'name' ? 'A & B' : 7))] };
  });
  const parts = unzipSync(forms.xlsx(catalogs)['catalog.xlsx'] as Buffer);
  const part = (name: string) => strFromU8(parts[`xl/${name}.xml`] ?? assert.fail());
  const sheet = (catalog: CatalogName) => part(`worksheets/sheet${1 + catalogNames.indexOf(catalog)}`);
  const formulas = Array.from(
    sheet('prices').matchAll(/ sqref="(.)2:[^>]*>(?:<formula1>(.*?)<\/formula1>)?/g),
    ([, ...found]) => found.join(' '),
  );
  assert.deepEqual(formulas.slice(1, 4), [
    'B OFFSET(products!$B$2,0,0,MAX(1,COUNTA(products!$B$2:$B$1048576)),1)',
    'C OFFSET(choices!$A$2,0,0,MAX(1,COUNT(configurations!$A$2:$A$1048576)),1)',
    'D OFFSET(durations!$B$2,0,0,MAX(1,COUNTA(durations!$B$2:$B$1048576)),1)',
  ]);
  assert.match(part('workbook'), /name="choices" sheetId="7" state="hidden"/);
  assert.match(
    part('worksheets/sheet7'),
    /^.*?<c r="A2" t="str"><f>IF\(INDEX[^<]*<\/f><v>7 A &amp; B<\/v><\/c>/s,
  );
  const styles = Array.from(sheet('news').matchAll(/<col [^>]*style="(\d)"/g), ([, style]) => style);
  const texts = columnsOf('news').filter((_, index) => styles[index] === '1');
  assert.deepEqual(
    texts.map(({ name }) => name),
    ['title', 'content', 'keywords', 'img'],
  );
});
