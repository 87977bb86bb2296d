import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columnsOf } from '../../src/contract/columns.ts';
import { parseCsv } from '../../src/formats/csv.ts';
import { sourceText } from '../../src/formats/decode.ts';
import { decimalStyle } from '../../src/formats/table.ts';
import { formatReport } from '../../src/live/report.ts';
import { parseCell } from '../../src/set/cells/cells.ts';
import { openTimeZone } from '../../src/time-zone.ts';
import { type Files, shopWith, writeInto } from '../support/catalogs.ts';
import { readFiles, serveSet } from '../support/read-source.ts';

const ZONE = openTimeZone('UTC');

/** What the cells of a column of prices in a CSV file are read as; null for one that is refused. */
function readColumn(cells: readonly string[], decimal: '.' | ','): unknown[] {
  const lines = ['price,', ...cells.map(cell => `"${cell}",`)].join('\n');
  const prices = columnsOf('prices').filter(({ name }) => name === 'price');
  const table = parseCsv(sourceText('prices.csv', lines), prices, decimal, () => {});
  const style = decimalStyle(table, 'price');
  return cells.map(cell => parseCell(cell, { format: 'csv', ...style }, 'price', ZONE));
}

test('a column shows its decimal sign, and a number that may have a thousands separator is refused without it', () => {
  const columns: [cells: string, read: string, csvDecimal?: ','][] = [
    ['12 1.5 .50 1.928', '12 1.5 0.5 1.928'],
    ['5. +19.90 +.5 0. +1234.50 1.5', '5 19.9 0.5 0 1234.5 1.5'],
    ['+1.928 ++5 +-5 5.. 1.2.', 'null null null null null'],
    ['5, +5,5 5. 1,5', 'null null null 1.5', ','],
    ['12 1,5 1,928', '12 1.5 1.928'],
    ['0,123 999,999', '0.123 999.999'],
    ['1234.567 1.928', '1234.567 1.928'],
    ['1.9280 1.928', '1.928 1.928'],
    ['12 1.928', '12 null'],
    ['12 1,928', '12 null', ','],
    ['0.5 1,928', '0.5 null'],
    ['0,5 0.5', 'null 0.5'],
    ['0.5 0,5', 'null 0.5', ','],
    ['1.928 1,928', 'null null'],
    ['1,234.50 1234.50 1,234,567', 'null 1234.5 null'],
    ['1.234,50 1234,50 1.234.567', 'null 1234.5 null'],
    ['1\u00A0234,50 1\u202F234,50 4,5', 'null null 4.5'],
  ];
  for (const [cells, read, csvDecimal = '.'] of columns)
    assert.equal(readColumn(cells.split(' '), csvDecimal).map(String).join(' '), read, cells);
});

/** A set with these cells as prices, in quotes. */
const prices = (...cells: string[]): Files => ({
  'products.csv': 'id,name\n1,Cloud\n',
  'configurations.csv': 'id;product_id;name;cpu;memory\n11;1;S;0,5;2048.5\n',
  'durations.csv': null,
  'prices.csv': `id,product_id,rel_id,duration_id,price\n${cells.map((cell, index) => `${index + 1},1,11,${index + 1},"${cell}"\n`).join('')}`,
});

test('each column is read by its own sign, which the report says', async () => {
  const { report, rows } = await readFiles(shopWith(prices('19.90')));
  assert.deepEqual([rows?.configurations?.[0]?.cpu, rows?.configurations?.[0]?.memory], [0.5, 2048.5]);
  assert.deepEqual(formatReport(report).split('\n').slice(1, 3), [
    'configurations.csv  1 row   utf-8, semicolons, decimal commas',
    'prices.csv          1 row   utf-8, commas',
  ]);
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
    const errors = changed.report.problems
      .filter(({ severity }) => severity === 'error')
      .map(({ cell, code }) => `${cell} ${code}`);
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
