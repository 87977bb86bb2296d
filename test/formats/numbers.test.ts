import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isError } from '../../src/contract/problems.ts';
import { decimalStyle } from '../../src/formats/decimals.ts';
import type { RawRow, Table } from '../../src/formats/table.ts';
import { formatReport } from '../../src/live/report.ts';
import { parseCell } from '../../src/set/cells/cells.ts';
import { openTimeZone } from '../../src/time-zone.ts';
import { errorsOf } from '../support/catalog/forms.ts';
import { readSource } from '../support/catalog/read-source.ts';
import { serveSet } from '../support/catalog/served-set.ts';
import { type Files, shopWith, sourceIn, writeFiles, writeInto } from '../support/catalogs.ts';
import { rounds } from '../support/skipping.ts';

const ZONE = openTimeZone('UTC');

/** What the cells of a column of prices in a CSV file are read as; null for one that is refused. */
function readColumn(cells: readonly string[], decimal: '.' | ','): unknown[] {
  const rows = cells.map(cell => ({ names: ['price'], cells: [cell] }) as unknown as RawRow);
  const style = decimalStyle({ format: 'csv', decimal, rows } as unknown as Table, 'price');
  return cells.map(cell => parseCell(cell, { format: 'csv', ...style }, 'price', ZONE));
}

test('a column shows its decimal sign, and a number that may have a thousands separator is refused without it', () => {
  const columns: [cells: string, read: string, csvDecimal?: ','][] = [
    ['12 1.5 .50 1.928', '12 1.5 0.5 1.928'],
    ['. -. ..5', 'null null null'],
    ['12 1,5 1,928', '12 1.5 1.928'],
    ['0,123 999,999', '0.123 999.999'],
    ['1234.567 1.928', '1234.567 1.928'],
    ['1.9280 1.928', '1.928 1.928'],
    ['12 1.928', '12 null'],
    ['12 1,928', '12 null', ','],
    ['0.5 1,928', '0.5 null'],
    ['0.5 12', '0.5 12', ','],
    ['0,5 0.5', 'null 0.5'],
    ['0.5 0,5', 'null 0.5', ','],
    ['1.928 1,928', 'null null'],
  ];
  for (const [cells, read, csvDecimal = '.'] of columns)
    assert.equal(readColumn(cells.split(' '), csvDecimal).map(String).join(' '), read, cells);
});

test('a price as any country writes it is read as what it shows, or refused if it has or may have thousands separators', () => {
  const price = fc.tuple(fc.integer({ min: 0, max: 9_999_999 }), fc.integer({ min: 0, max: 99_999_999 }));
  const doubtful = fc.tuple(fc.integer({ min: 1, max: 999 }), fc.integer({ min: 0, max: 999 }));
  const listOf = (prices: typeof price, digits: number) =>
    fc.array(
      prices.map(([whole, fraction]) => whole + fraction / digits),
      { minLength: 1, maxLength: 9 },
    );
  const column = fc.record({
    signs: fc.constantFrom('.,', ',.', ',\u00A0', ',\u202F', '.’', '.'),
    isGrouped: fc.boolean(),
    places: fc.constantFrom(undefined, 0, 2, 3, 8),
    prices: fc.oneof(listOf(price, 1e8), listOf(doubtful, 1e3)),
    csvDecimal: fc.constantFrom<'.' | ','>('.', ','),
  });
  fc.assert(
    fc.property(column, ({ signs: [decimal = '', grouping = ''], isGrouped, places, prices, csvDecimal }) => {
      const cells = prices.map(price => {
        const text = places === undefined ? price.toFixed(8).replace(/\.?0+$/, '') : price.toFixed(places);
        const [whole = '', ...fraction] = text.split('.');
        const grouped = isGrouped ? whole.replace(/\B(?=(\d{3})+$)/g, grouping) : whole;
        const shown = [grouped, ...fraction].join(decimal);
        return { value: Number(text), shown, isPlain: grouped === whole };
      });
      const isDoubtful = (text: string) => /^[1-9]\d{0,2}\D\d{3}$/.test(text);
      const isProven = cells.some(({ shown, isPlain }) => isPlain && /\D/.test(shown) && !isDoubtful(shown));
      const shown = cells.map(({ shown }) => shown);
      const expected = cells.map(({ shown, value, isPlain }) =>
        isPlain && (isProven || !isDoubtful(shown)) ? value : null,
      );
      assert.deepEqual(readColumn(shown, csvDecimal), expected);
    }),
    { numRuns: rounds(5_000, 1_000) },
  );
});

/** A set with these cells as prices, in quotes. */
const prices = (...cells: string[]): Files => ({
  'products.csv': 'id,name\n1,Cloud\n',
  'configurations.csv': 'id;product_id;name;cpu;memory\n11;1;S;0,5;2048.5\n',
  'durations.csv': null,
  'prices.csv': `id,product_id,rel_id,duration_id,price\n${cells.map((cell, index) => `${index + 1},1,11,${index + 1},"${cell}"\n`).join('')}`,
});

test('each column is read by its own sign, which the report and messages use', async t => {
  const { report, rows } = await readSource(sourceIn(await writeFiles(t, shopWith(prices('19.90')))));
  assert.deepEqual([rows?.configurations?.[0]?.cpu, rows?.configurations?.[0]?.memory], [0.5, 2048.5]);
  assert.deepEqual(formatReport(report).split('\n').slice(1, 3), [
    'configurations.csv  1 row   utf-8, semicolons, decimal commas',
    'prices.csv          1 row   utf-8, commas',
  ]);
  for (const [cell, told] of [
    ['x', 'BAD_NUMBER E3, price "x": write a plain number such as 12,50'],
    [
      '0,123456789',
      'BAD_NUMBER E3, price "0,123456789" has too many digits: write at most 8 digits after the decimal sign, and 15 in total',
    ],
    [
      '1.234,56',
      'THOUSANDS_SEPARATOR E3, price "1.234,56" has a thousands separator: write 1234,56, and turn off the thousands separator of this column',
    ],
  ] as const)
    assert.deepEqual(await errorsOf(t, prices('0,5', cell)), [`prices.csv:3:10: error ${told}`]);
});

test('an ambiguous number is read as the decimal that is served in its row, and as no other', async t => {
  const { dir, change } = await serveSet(t, prices('1.928', '12', '0.5'));
  for (const [cells, refused] of [
    [['1.928', '13'], []],
    [['1.928', '1.928'], ['E3 AMBIGUOUS_NUMBER']],
    [['1,929', '13'], ['E2 AMBIGUOUS_NUMBER']],
    [['1,928', '14'], []],
  ] as const) {
    await writeInto(dir, { 'prices.csv': prices(...cells)['prices.csv'] ?? null });
    const changed = await change({ holdBack: false });
    assert.ok(changed.outcome === 'read', changed.outcome);
    const errors = changed.report.problems.filter(isError).map(({ cell, code }) => `${cell} ${code}`);
    assert.deepEqual(errors, refused);
  }
});

test('a whole number may have one or two decimals of 0 in CSV, and none in JSON', () => {
  const read = (format: 'csv' | 'json', text: string, type: 'id' | 'reads') =>
    parseCell(text, { format, decimal: '.', isProven: true }, type, ZONE);
  for (const text of ['12', '12.0', '12,0', '12.00', '12,00']) {
    assert.equal(read('csv', text, 'id'), 12, text);
    assert.equal(read('json', text, 'reads'), text === '12' ? 12 : null, text);
  }
});

test('a whole number that may have a thousands separator is refused with what to write', async t => {
  const separator = (plain: string) =>
    ` has a thousands separator: write ${plain}, and turn off the thousands separator of this column`;
  for (const [text, hint] of [
    ['1.000', separator('1000')],
    ['1\u00A0928', separator('1928')],
    ["12'345'678", separator('12345678')],
    ['12’345', separator('12345')],
    ['1,00,000', separator('100000')],
    ...['1.5', '12.', '.0', '12.0000', '0,123', '12,3456'].map(text => [
      text,
      ': write a whole number from 0 to 1000000000000000, such as 10',
    ]),
  ]) {
    const table = `id,title,content,create_time,read\n1,A,B,2024-01-05,"${text}"\n`;
    const [error = '', ...others] = await errorsOf(t, { 'news.csv': table });
    assert.ok(error.endsWith(` read "${text}"${hint}`), error);
    assert.deepEqual(others, []);
  }
});
