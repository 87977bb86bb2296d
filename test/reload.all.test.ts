import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reloadUnderLoad } from './support/reloads.ts';

test('under load, sets are loaded and refused, and every response comes from one set', async t => {
  const answers = await reloadUnderLoad(t, 10, 6);
  assert.ok(answers > 0);
  t.diagnostic(`${answers} answers`);
});
