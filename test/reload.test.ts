import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reloadUnderLoad } from './support/reloads.ts';

test('while clients ask, sets are taken up and refused, and every answer is of one set', async t => {
  const answers = await reloadUnderLoad(t, 10, 6);
  assert.ok(answers > 0);
  t.diagnostic(`${answers} answers`);
});
