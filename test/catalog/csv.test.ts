import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from '@sinclair/typebox';
import fc from 'fast-check';
import { parseCsv } from '../../src/catalog/csv.ts';
import { sourceText } from '../../src/catalog/text.ts';

const COLUMNS = ['a', 'b', 'c'].map(name => ({ name, schema: Type.String(), required: true }));
const cell = fc.string({
  unit: fc.constantFrom('x', '"', ',', '\n', '\r', ' ', '香', '😀', '\u2028'),
  maxLength: 6,
});
// The first cell is never blank, since a blank line is no row.
const row = fc.tuple(
  cell.map(text => `.${text}`),
  cell,
  cell,
);
const lineEnd = fc.constantFrom('\n', '\r\n', '\r');

/** Writes a cell; returns what it looks like in the file. */
function quote(text: string, always: boolean): string {
  return always || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

test('any table of texts reads back the same, every cell at its place', () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 8 }), lineEnd, fc.boolean(), (rows, end, always) => {
      let text = COLUMNS.map(({ name }) => name).join(',') + end;
      const places: { line: number; column: number }[] = [];
      for (const cells of rows) {
        for (const [index, content] of cells.entries()) {
          if (index > 0) text += ',';
          const lines = text.split(/\r\n|\n|\r/);
          places.push({ line: lines.length, column: [...(lines.at(-1) ?? '')].length + 1 });
          text += quote(content, always);
        }
        text += end;
      }
      const table = parseCsv(sourceText('t.csv', text), COLUMNS, (_place, _code, message) =>
        assert.fail(message),
      );
      assert.deepEqual(
        table.rows.map(({ cells }) => [...cells.values()]),
        rows,
      );
      const found = table.rows.flatMap(raw => COLUMNS.map(({ name }) => table.place(raw, name)));
      assert.deepEqual(
        found,
        places.map(place => ({ file: 't.csv', ...place })),
      );
    }),
    { numRuns: 500 },
  );
});
