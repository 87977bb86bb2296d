import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { strFromU8, unzipSync } from 'fflate';
import { between, seededRandom } from '../../scripts/bench/catalog.ts';
import { type CatalogName, catalogNames, columnsOf } from '../../src/contract/columns.ts';
import { dateSource, numberSource, plainNumber } from '../../src/formats/workbook/stored-cells.ts';
import { type FormatName, formats } from '../../src/formats/write/write.ts';
import { writtenValue } from '../../src/formats/write/written-catalog.ts';
import { formatProblem } from '../../src/set/collect-problems.ts';
import { formatLocal, openTimeZone } from '../../src/time-zone.ts';
import type { Files } from '../support/catalogs.ts';
import { readFiles } from '../support/read-source.ts';

const seed = Number(process.env.SEED ?? randomInt(2 ** 31));
console.log(`SEED=${seed}`);
const random = seededRandom(seed);

type PlainSet = Partial<Record<CatalogName, Record<string, string | number>[]>>;

function written(format: FormatName, set: PlainSet, timeZone: string): Files {
  const zone = openTimeZone(timeZone);
  const catalogs = catalogNames.flatMap(catalog => {
    const rows = set[catalog];
    const columns = columnsOf(catalog).filter(({ name }) => name in (rows?.[0] ?? {}));
    const written = rows?.map(row => columns.map(column => writtenValue(row[column.name], column, zone)));
    return written ? [{ catalog, columns, rows: written }] : [];
  });
  return formats[format](catalogs);
}

const decimal = () => Number(`${between(random, 0, 10 ** between(random, 1, 15))}e-${between(random, 0, 8)}`);
/** Half of them in the nights of 2026 in which the clocks of New York and Berlin go back. */
const timeOf = (index: number) =>
  index % 2
    ? between(random, 86_400, 253_402_200_000)
    : (index % 4 ? 1_793_512_800 : 1_792_890_000) + between(random, -9000, 9000);

const PLAIN = `a " "" ' , ; | \\ \\n <b>&amp;</b> ]]> &#65; _x0041_ _x005F_ _x000D_ _x0041_x0041_ =1+1 +1 -1 @SUM(1)
  1-2 007 1e5 TRUE null 香港 😀 é e\u0301 \u0001 \u007f \ufffe \uffff \u{1fffe} sep=; #1 2026-01-01 1,928 1.928 {"a": [ --`;
const SPACES = [' a ', '\ta', 'a\n', 'a\r\nb\rc\n\nd', 'a\tb', '\u00a0a\u00a0', '\u2028', '\u0085'];

for (const form of ['xlsx', 'csv', 'json'] as const)
  test(`decimals of up to 15 digits, times of each zone and texts of any characters are exact as ${form}`, async () => {
    for (const zone of ['UTC', 'Asia/Shanghai', 'America/New_York', 'Europe/Berlin']) {
      const set = {
        products: [...PLAIN.split(/[ \n]+/), ...SPACES].map((text, index) => ({
          ...{ id: index + 1, name: text, description: `${text}${text}` },
        })),
        configurations: [{ id: 1, product_id: 1, name: 'a', cpu: 1.928, memory: 1 }],
        prices: Array.from({ length: 1_000 }, (_, index) => ({
          ...{ id: index + 1, product_id: 1, rel_id: 1, duration_id: index + 1, price: decimal() },
        })),
        news: Array.from({ length: 500 }, (_, index) => ({
          ...{ id: index + 1, title: 'a', content: 'b', create_time: timeOf(index) },
        })),
      };
      const { report, rows } = await readFiles(written(form, set, zone), { timeZone: zone });
      assert.deepEqual(report.problems.filter(({ severity }) => severity === 'error').map(formatProblem), []);
      for (const catalog of ['products', 'configurations', 'prices', 'news'] as const) {
        const found = new Map<number, object>(rows?.[catalog]?.map(row => [row.id, row]));
        for (const row of set[catalog]) {
          const same = Object.entries(found.get(row.id) ?? {}).filter(([name]) => name in row);
          assert.deepEqual(Object.fromEntries(same), row, zone);
        }
      }
    }
  });

test('numbers and days that other programs store are read as they were typed', () => {
  for (let round = 0; round < 10_000; round += 1) {
    const number = decimal();
    assert.equal(numberSource(number), plainNumber(number));
    const time = between(random, 86_400, 253_402_200_000);
    for (const [system, epoch] of [
      [1900, 25_569],
      [1904, 24_107],
    ] as const) {
      const days = time / 86_400 + epoch;
      const expected = formatLocal(time).replace(/ 00:00:00$/, '');
      for (const stored of [days, Number(days.toPrecision(15))])
        assert.equal(dateSource(stored, system), expected, `${stored} ${system}`);
    }
  }
});

test('a number is written in digits, whatever its size', () => {
  for (const [number, text] of [
    [0, '0'],
    [1.5e-7, '0.00000015'],
    [1e21, '1000000000000000000000'],
    [1.25e22, '12500000000000000000000'],
  ] as const)
    assert.deepEqual([plainNumber(number), Number(text)], [text, number]);
});

test('a workbook offers names, ids with names, and keeps texts as they are typed', () => {
  const catalogs = catalogNames.map(catalog => {
    const columns = columnsOf(catalog);
    return { catalog, columns, rows: [columns.map(({ name }) => (name === 'name' ? 'A & B' : 7))] };
  });
  const parts = unzipSync(formats.xlsx(catalogs)['catalog.xlsx'] as Buffer);
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
  const texts = columnsOf('news').flatMap(({ name }, index) => (styles[index] === '1' ? [name] : []));
  assert.deepEqual(texts, ['title', 'content', 'keywords', 'img']);
});
