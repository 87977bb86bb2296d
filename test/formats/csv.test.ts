import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CsvError, type Info } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { type Column, columnsOf } from '../../src/contract/columns.ts';
import { parseCsv, readRecords } from '../../src/formats/csv.ts';
import { sourceText } from '../../src/formats/decode.ts';
import { rounds } from '../support/skipping.ts';

/** The records that csv-parse finds, up to an error, with the code of that. */
function expectedRecords(text: string, delimiter: string) {
  const records: { cells: string[]; bytes: number }[] = [];
  try {
    parse(text, {
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      skip_empty_lines: true,
      on_record: (cells: string[], { bytes }: Info) => void records.push({ cells, bytes }),
    });
    return { records, fault: undefined };
  } catch (error) {
    assert.ok(error instanceof CsvError);
    return { records, fault: error.code === 'CSV_QUOTE_NOT_CLOSED' ? 'UNCLOSED_QUOTE' : 'STRAY_QUOTE' };
  }
}

test('any text has the records of csv-parse, and its quoting errors', () => {
  const parts = ['"', '"', '""', ',', ',', ';', '\n', '\r', '\r\n', 'a', ' ', 'é', '价', '😀'];
  const text = fc.array(fc.constantFrom(...parts), { maxLength: 30 }).map(drawn => drawn.join(''));
  fc.assert(
    fc.property(text, fc.constantFrom(',', ';', '\t'), (text, delimiter) => {
      let fault: string | undefined;
      const { records, complete } = readRecords(sourceText('a.csv', text), 0, delimiter, (_place, code) => {
        fault = code;
      });
      assert.equal(complete, fault === undefined);
      const found = records.map(({ cells, end }) => ({
        cells,
        bytes: Buffer.byteLength(text.slice(0, end)),
      }));
      assert.deepEqual({ records: found, fault }, expectedRecords(text, delimiter));
    }),
    { numRuns: rounds(20_000, 3_000) },
  );
});

function placeAfter(text: string) {
  const lines = text.split(/\r\n|\n|\r/);
  return { line: lines.length, column: [...(lines.at(-1) ?? '')].length + 1 };
}

test('places are counted through long texts, whatever stands at the bounds of their blocks', () => {
  for (const filler of ['😀', 'é', '\r\n', '香,', 'x\r'])
    for (const shift of ['', '.']) {
      const text = shift + filler.repeat(10_000);
      const { locate } = sourceText('t.csv', text);
      for (const offset of [4_095, 4_096, 4_097, 8_192, text.length]) {
        const before = /^[\uDC00-\uDFFF]|^\n/.test(text.slice(offset)) ? offset - 1 : offset;
        assert.deepEqual(locate(before), { file: 't.csv', ...placeAfter(text.slice(0, before)) });
      }
    }
});

/** The rows of a CSV file that are refused, by their number in a spreadsheet. */
function refusedRows(columns: Column[], lines: string[]) {
  const refused: (number | undefined)[] = [];
  const source = sourceText('a.csv', lines.map(line => `${line}\r\n`).join(''));
  const { rows, check } = parseCsv(source, columns, '.', (place, code) => {
    assert.equal(code, 'RAGGED_ROW');
    refused.push(('locate' in place ? place.locate() : place).row);
  });
  for (const row of rows) check?.(row);
  return refused;
}

const HEADINGS = 'id,product_id,name,cpu,memory,order,hidden';
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

/** How many rows of how many cells there are from row 2 on, and the rows that are refused. */
const sheets: [what: string, runs: string, refused: number[]][] = [
  ['all rows have all cells', '40 of 7', []],
  ['Excel leaves out an empty column from row 17 on', '15 of 7, 25 of 6', []],
  ['Excel leaves out two empty columns in the second block alone', '15 of 7, 16 of 5, 16 of 7', []],
  ['one row lacks a cell', '15 of 7, 3 of 7, 1 of 6, 12 of 7', [20]],
  ['the rows from 20 on lack a cell, in the middle of a block', '18 of 7, 29 of 6', range(20, 32)],
  ['a block lacks a cell that every row must have', '15 of 7, 16 of 4', range(17, 32)],
  ['the last row lacks a cell, as all rows of the block before it', '15 of 7, 17 of 6', []],
  ['every row has a blank cell behind the last heading', '40 of 8', []],
  ['one row has a blank cell behind the last heading', '3 of 7, 1 of 8, 9 of 7', [5]],
  ['the rows under the headings lack a cell', '15 of 6', range(2, 16)],
];

test('short and long rows are read as programs write them, in blocks of 16, and refused otherwise', () => {
  for (const [what, runs, refused] of sheets) {
    const rows = runs.split(', ').flatMap(run => {
      const [count = 0, width = 0] = run.split(' of ').map(Number);
      return Array<string>(count).fill(['1', '1', 'S', '1', '5', '', '', '', ''].slice(0, width).join());
    });
    assert.deepEqual(refusedRows(columnsOf('configurations'), [HEADINGS, ...rows]), refused, what);
  }
});

test('a row that a delimiter inside a cell makes longer is refused, even if its last cells are empty', () => {
  for (const [catalog, lines, refused] of [
    ['products', ['id,name,description', '1,A,', '2,Server, small,', '3,C,'], 3],
    ['prices', ['id,product_id,rel_id,duration_id,price,rel_type', '101,1,11,1,19,1,', '102,1,11,2,5,'], 2],
  ] as const)
    assert.deepEqual(refusedRows(columnsOf(catalog), [...lines]), [refused], catalog);
});
