import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { strFromU8, unzipSync } from 'fflate';
import { between, seededRandom } from '../../scripts/bench/catalog/random.ts';
import { type CatalogName, catalogNames, columnsOf } from '../../src/contract/columns.ts';
import { formatProblem, isError } from '../../src/contract/problems.ts';
import { type FormName, forms } from '../../src/formats/write/write.ts';
import { columnsNamed, plainNumber, writtenValue } from '../../src/formats/write/written-catalog.ts';
import type { CatalogRows } from '../../src/snapshot/sort.ts';
import { openTimeZone } from '../../src/time-zone.ts';
import { readSource } from '../support/catalog/read-source.ts';
import { sourceIn, writeFiles } from '../support/catalogs.ts';

const seed = Number(process.env.SEED ?? randomInt(2 ** 31));
console.log(`SEED=${seed}`);
const random = seededRandom(seed);
const formNames = Object.keys(forms) as FormName[];

/** When the clocks go back, in Unix seconds. */
const NEW_YORK = 1_793_512_800;
const BERLIN = 1_792_890_000;

type PlainRow = Record<string, string | number | boolean>;

/** A set as a form has it, read again. */
async function reread(
  t: TestContext,
  form: FormName,
  set: Partial<Record<CatalogName, PlainRow[]>>,
  timeZone = 'UTC',
): Promise<CatalogRows> {
  const zone = openTimeZone(timeZone);
  const catalogs = catalogNames.flatMap(catalog => {
    const rows = set[catalog];
    const columns = columnsNamed(catalog, Object.keys(rows?.[0] ?? {}));
    const written = rows?.map(row => columns.map(column => writtenValue(row[column.name], column, zone)));
    return written ? [{ catalog, columns, rows: written }] : [];
  });
  const dir = await writeFiles(t, forms[form](catalogs));
  const { report, rows } = await readSource(sourceIn(dir, { timeZone }));
  assert.deepEqual(report.problems.filter(isError).map(formatProblem), []);
  return rows ?? assert.fail();
}

function decimal(): number {
  const digits = between(random, 1, 15);
  const places = between(random, 0, 8);
  const text = Array.from({ length: digits }, () => between(random, 0, 9)).join('');
  return Number(`${text}e-${places}`);
}

for (const form of formNames) {
  test(`10,000 decimals of up to 15 digits are exact as ${form}, and so is one alone`, async t => {
    const products = [{ id: 1, name: 'a' }];
    const configurations = [{ id: 1, product_id: 1, name: 'a', cpu: 1.928, memory: 1 }];
    const prices = Array.from({ length: 10_000 }, (_, index) => ({
      ...{ id: index + 1, product_id: 1, rel_id: 1, duration_id: index + 1 },
      price: decimal(),
    }));
    const read = await reread(t, form, { products, configurations, prices });
    const served = new Map(read.prices?.map(({ id, price }) => [id, price]));
    assert.deepEqual(
      prices.filter(({ id, price }) => served.get(id) !== price),
      [],
    );
    assert.equal(read.configurations?.[0]?.cpu, 1.928);
  });

  test(`5,000 times in four zones are exact to the second as ${form}`, async t => {
    for (const zone of ['UTC', 'Asia/Shanghai', 'America/New_York', 'Europe/Berlin']) {
      const times = Array.from({ length: 1250 }, (_, index) =>
        // Half of them in the nights in which the clocks of New York and Berlin go back.
        index % 2
          ? between(random, 0, 253_402_200_000)
          : (index % 4 ? NEW_YORK : BERLIN) + between(random, -9000, 9000),
      );
      const rows = times.map((time, index) => ({
        id: index + 1,
        title: 'a',
        content: 'b',
        create_time: time,
      }));
      const { news = [] } = await reread(t, form, { news: rows }, zone);
      const read = new Map(news.map(item => [item.id, item.create_time]));
      for (const { id, create_time } of rows)
        assert.equal(read.get(id), create_time, `${create_time} in ${zone}`);
    }
  });

  test(`texts of any characters are exact as ${form}`, async t => {
    const texts = [
      ...['a', ' a ', '\ta', 'a\n', 'a\r\nb\rc\n\nd', '"', '""', "'", ',', ';', '|', 'a\tb', '\\', '\\n'],
      ...[
        '<b>&amp;</b>',
        ']]>',
        '&#65;',
        '_x0041_',
        '_x005F_',
        '_x000D_',
        '=1+1',
        '+1',
        '-1',
        '@SUM(1)',
        '1-2',
        '007',
      ],
      ...[
        '1e5',
        'TRUE',
        'null',
        '香港',
        '😀',
        'é',
        'e\u0301',
        '\u00a0a\u00a0',
        '\u2028',
        '\u0001',
        '\u007f',
        '\ufffe',
        '\uffff',
      ],
      ...[
        'sep=;',
        '#1',
        '2026-01-01',
        '1,928',
        '1.928',
        '{"a": 1}',
        '[',
        '--',
        '\u0085',
        '\u{1fffe}',
        '_x0041_x0041_',
      ],
    ];
    const rows = texts.map((text, index) => ({
      id: index + 1,
      name: `${text}`,
      description: `${text}${text}`,
    }));
    const { products = [] } = await reread(t, form, { products: rows });
    const read = new Map(products.map(row => [row.id, row]));
    for (const row of rows) assert.deepEqual({ ...read.get(row.id) }, row);
  });
}

test('a number is written in digits, whatever its size', () => {
  const cases: [number, string][] = [
    [0, '0'],
    [1e-7, '0.0000001'],
    [1.5e-7, '0.00000015'],
    [-1.25e-8, '-0.0000000125'],
    [1e21, '1000000000000000000000'],
    [1.25e22, '12500000000000000000000'],
    [123_456_789_012_345, '123456789012345'],
  ];
  for (const [number, text] of cases) {
    assert.equal(plainNumber(number), text);
    assert.equal(Number(text), number);
  }
});

test('a workbook offers names, ids with names, and keeps texts as they are typed', () => {
  const catalogs = catalogNames.map(catalog => {
    const columns = columnsOf(catalog);
    return { catalog, columns, rows: [columns.map(({ name }) => (name === 'name' ? 'A & B' : 7))] };
  });
  const { 'catalog.xlsx': workbook } = forms.xlsx(catalogs);
  const parts = unzipSync(workbook as Buffer);
  const sheet = (number: number) => strFromU8(parts[`xl/worksheets/sheet${number}.xml`] ?? assert.fail());
  const prices = sheet(1 + catalogNames.indexOf('prices'));
  const formulas = Array.from(
    prices.matchAll(/ sqref="(.)2:[^>]*>(?:<formula1>(.*?)<\/formula1>)?/g),
    ([, ...found]) => found.join(' '),
  );
  assert.deepEqual(formulas.slice(1, 4), [
    'B OFFSET(products!$B$2,0,0,MAX(1,COUNTA(products!$B$2:$B$1048576)),1)',
    'C OFFSET(choices!$A$2,0,0,MAX(1,COUNT(configurations!$A$2:$A$1048576)),1)',
    'D OFFSET(durations!$B$2,0,0,MAX(1,COUNTA(durations!$B$2:$B$1048576)),1)',
  ]);
  const choices = sheet(1 + catalogNames.length);
  assert.match(
    strFromU8(parts['xl/workbook.xml'] ?? assert.fail()),
    /name="choices" sheetId="7" state="hidden"/,
  );
  assert.match(choices, /^.*?<c r="A2" t="str"><f>IF\(INDEX[^<]*<\/f><v>7 A &amp; B<\/v><\/c>/s);
  const styles = Array.from(
    sheet(1 + catalogNames.indexOf('news')).matchAll(/<col [^>]*style="(\d)"/g),
    ([, style]) => style,
  );
  const texts = columnsOf('news').filter((_, index) => styles[index] === '1');
  assert.deepEqual(
    texts.map(({ name }) => name),
    ['title', 'content', 'keywords', 'img'],
  );
});
