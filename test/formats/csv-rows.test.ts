import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isError } from '../../src/contract/problems.ts';
import { readSource } from '../support/catalog/read-source.ts';
import { shopWith, sourceIn, writeFiles } from '../support/catalogs.ts';

/** The rows of a spreadsheet from row 2 on, with this many cells each. */
type Widths = number[];

const HEADINGS = 'id,product_id,name,cpu,memory,order,hidden';
const CELLS = ['1', 'S', '1', '512', '5', ''];
const widths = (...runs: [rows: number, cells: number][]): Widths =>
  runs.flatMap(([rows, cells]) => Array(rows).fill(cells));

/** The rows that are refused, by their number in a spreadsheet. */
const sheets: [what: string, rows: Widths, refused: number[]][] = [
  ['all rows have all cells', widths([40, 7]), []],
  ['Excel leaves out an empty column from row 17 on', widths([15, 7], [25, 6]), []],
  ['Excel leaves out two empty columns in the second block alone', widths([15, 7], [16, 5], [16, 7]), []],
  ['one row lacks a cell', widths([15, 7], [3, 7], [1, 6], [12, 7]), [20]],
  ['the rows from 20 on lack a cell, in the middle of a block', widths([18, 7], [29, 6]), range(20, 32)],
  ['a block lacks a cell that every row must have', widths([15, 7], [16, 4]), range(17, 32)],
  ['the last row lacks a cell, alone in its block', widths([31, 7], [1, 6]), [33]],
  ['the last row lacks a cell, as all rows of the block before it', widths([15, 7], [17, 6]), []],
  ['every row has a blank cell behind the last heading', widths([40, 8]), []],
  ['one row has a blank cell behind the last heading', widths([3, 7], [1, 8], [9, 7]), [5]],
  ['the rows of a block have two blank cells behind it', widths([15, 7], [16, 9], [9, 7]), []],
  ['the rows under the headings lack a cell', widths([15, 6]), range(2, 16)],
];

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

test('short and long rows are read as programs write them, in blocks of 16, and refused otherwise', async t => {
  for (const [what, rows, refused] of sheets) {
    const lines = rows.map((width, index) => [String(index + 1), ...CELLS, '', ''].slice(0, width).join());
    const files = { 'configurations.csv': [HEADINGS, ...lines, ''].join('\r\n'), 'prices.csv': null };
    const { report, rows: read } = await readSource(sourceIn(await writeFiles(t, shopWith(files))), true);
    const errors = report.problems.filter(isError);
    assert.deepEqual({ what, refused: errors.map(({ row }) => row) }, { what, refused });
    assert.ok(errors.every(({ code }) => code === 'RAGGED_ROW'));
    if (refused.length === 0) assert.equal(read?.configurations?.length, rows.length);
  }
});

test('a row that a delimiter inside a cell makes longer is refused, even if its last cells are empty', async t => {
  const cases: [file: string, header: string, rows: string[], refused: number][] = [
    ['products.csv', 'id,name,description', ['1,A,', '2,Server, small,', '3,C,'], 3],
    ['news.csv', 'id,title,content,create_time,keywords', ['1,Hello, world,2024-01-05,,'], 2],
    ['configurations.csv', HEADINGS, ['11,1,S,1,512,,', '12,1,M,1,5,1024,,', '13,1,L,2,512,,'], 3],
    [
      'prices.csv',
      'id,product_id,rel_id,duration_id,price,rel_type',
      ['101,1,11,1,19,1,', '102,1,11,2,5,'],
      2,
    ],
  ];
  for (const [file, header, rows, refused] of cases) {
    const files = {
      'prices.csv': null,
      [file]: [header, ...rows, ''].join('\r\n'),
    };
    const { report } = await readSource(sourceIn(await writeFiles(t, shopWith(files))));
    assert.deepEqual(
      report.problems.filter(isError).map(({ file, code, row }) => [file, code, row]),
      [[file, 'RAGGED_ROW', refused]],
    );
  }
});
