import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from '@sinclair/typebox';
import fc from 'fast-check';
import { parseCsv } from '../../src/formats/csv.ts';
import { decode, sourceText } from '../../src/formats/decode.ts';
import { cellOf } from '../../src/formats/table.ts';
import { anyCharacter } from '../support/any-character.ts';
import { rounds } from '../support/skipping.ts';

interface Cell {
  content: string;
  /** Whether it is written in quotes, even where it needs none. */
  quoted: boolean;
}

interface Line {
  cells: Cell[];
  end: string;
}

const NAMES = ['a', 'b', 'c'];
const COLUMNS = NAMES.map(name => ({ name, schema: Type.String(), required: true }));
const lineEnd = fc.constantFrom('\n', '\r\n', '\r');
// The characters of the notation come often, any others now and then; U+FFFD is how a decoder marks a fault.
const character = fc.oneof(
  fc.constantFrom(...'x",;\t|\n\r =', '\u00A0', '\uFEFF', '香', '😀', '\u2028'),
  anyCharacter,
);
const content = fc.string({ unit: character, maxLength: 8 });
const cell = (text: fc.Arbitrary<string>) => fc.record({ content: text, quoted: fc.boolean() });
// The first cell is never blank, since a blank line is no row.
const cells = fc.tuple(cell(content.map(text => `.${text}`)), cell(content), cell(content));

/** How a table may be written: each line with its own end, the last one with none, perhaps. */
const form = fc.record({
  header: fc.record({ cells: fc.tuple(...NAMES.map(name => cell(fc.constant(name)))), end: lineEnd }),
  rows: fc.array(fc.record({ cells, end: lineEnd }), { maxLength: 8 }),
  delimiter: fc.constantFrom(',', ';', '\t', '|'),
  ended: fc.boolean(),
  encode: fc.constantFrom<((text: string) => Buffer)[]>(
    text => Buffer.from(text),
    text => Buffer.from(`\uFEFF${text}`),
    text => Buffer.from(`\uFEFF${text}`, 'utf16le'),
    text => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16(),
  ),
});

/** The table as a text, with the line and column at which each cell begins. */
function write(lines: Line[], delimiter: string, ended: boolean) {
  let text = '';
  const places: { line: number; column: number }[] = [];
  for (const { cells, end } of lines) {
    for (const [index, { content, quoted }] of cells.entries()) {
      if (index > 0) text += delimiter;
      const above = text.split(/\r\n|\n|\r/);
      places.push({ line: above.length, column: [...(above.at(-1) ?? '')].length + 1 });
      const inQuotes = quoted || content.includes(delimiter) || /["\r\n]/.test(content);
      text += inQuotes ? `"${content.replaceAll('"', '""')}"` : content;
    }
    text += end;
  }
  const lastEnd = lines.at(-1)?.end ?? '';
  return { text: ended ? text : text.slice(0, text.length - lastEnd.length), places };
}

test('any table of texts reads back the same in every form', () => {
  fc.assert(
    fc.property(form, ({ header, rows, delimiter, ended, encode }) => {
      const { text, places } = write([header, ...rows], delimiter, ended);
      const fail = (_place: unknown, _code: unknown, message: string) => assert.fail(message);
      const source = decode('t.csv', encode(text), 'utf-8', fail) ?? assert.fail('it was not decoded');
      const table = parseCsv(source, COLUMNS, '.', fail);
      assert.equal(table.delimiter, delimiter);
      assert.deepEqual(
        table.rows.map(row => NAMES.map(name => cellOf(row, name))),
        rows.map(({ cells }) => cells.map(({ content }) => content)),
      );
      assert.deepEqual(
        table.rows.flatMap(row => NAMES.map(name => table.locate(row, name))),
        places.slice(NAMES.length).map((place, index) => {
          const heading = NAMES[index % NAMES.length];
          const row = Math.floor(index / NAMES.length) + 2;
          return { file: 't.csv', ...place, row, cell: `${heading?.toUpperCase()}${row}`, heading };
        }),
      );
    }),
    { numRuns: rounds(1000, 300) },
  );
});

test('cells of a megabyte are read as short ones are', () => {
  const fail = (_place: unknown, _code: unknown, message: string) => assert.fail(message);
  for (const filler of ['😀', 'é', '"a\r\n""b"",c"\r\n', '\r\n', '香,', 'x']) {
    for (const shift of ['', '.', '..', '...']) {
      const inner = filler.replace(/^"|"\r\n$/g, '').replaceAll('""', '"');
      const count = Math.ceil(2 ** 20 / inner.length) + 10;
      const content = [`${shift}${inner.repeat(count)}`, 'after 😀', ''];
      const line = content.map(cell => `"${cell.replaceAll('"', '""')}"`).join(',');
      const source = sourceText('t.csv', `a,b,c\r\n${line}\r\n1,2,3\r\n`);
      const { rows, locate } = parseCsv(source, COLUMNS, '.', fail);
      assert.deepEqual(
        rows.map(row => NAMES.map(name => cellOf(row, name))),
        [content, ['1', '2', '3']],
      );
      const [, last = assert.fail()] = rows;
      assert.deepEqual(locate(last, 'c'), {
        ...source.locate(source.text.indexOf('1,2,3') + 4),
        row: 3,
        cell: 'C3',
        heading: 'c',
      });
    }
  }
});
