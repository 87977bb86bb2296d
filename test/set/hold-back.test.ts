import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { holdRules } from '../../src/set/hold-back/hold-back.ts';
import { drasticEdits } from '../support/catalog/drastic-edits.ts';
import { type Edit, filesOf, shopToEdit } from '../support/catalog/edits.ts';
import { harmlessEdits } from '../support/catalog/harmless-edits.ts';
import { serveSet } from '../support/catalog/served-set.ts';
import { writeInto } from '../support/catalogs.ts';

/** Why the set waits that an edit leads to. */
async function holdsAfter(t: TestContext, { rows, files, before }: Edit, holdBack = true) {
  const shop = shopToEdit();
  before?.(shop);
  const { dir, change } = await serveSet(t, filesOf(shop), true);
  rows?.(shop);
  const edited = filesOf(shop);
  const texts = Object.entries(edited).filter(([, content]) => typeof content === 'string');
  const after = { ...edited, ...files?.(Object.fromEntries(texts) as Record<string, string>) };
  await writeInto(dir, after);
  for (const [name, content] of Object.entries(after)) if (content === null) await rm(join(dir, name));
  const changed = await change({ holdBack });
  assert.ok(changed.outcome === 'read', changed.outcome);
  assert.deepEqual(
    changed.report.problems.filter(({ code }) => !['NO_PRICE', 'UNKNOWN_COLUMN'].includes(code)),
    [],
  );
  return changed.holds;
}

for (const edit of drasticEdits) {
  test(`it is drastic if ${edit.what}`, async t => {
    const holds = await holdsAfter(t, edit);
    assert.deepEqual([...new Set(holds.map(({ code }) => code))], edit.codes, JSON.stringify(holds));
    for (const { message } of holds) t.diagnostic(message);
    assert.deepEqual(await holdsAfter(t, edit, false), []);
  });
}

for (const edit of harmlessEdits) {
  test(`it is harmless if ${edit.what}`, async t => {
    assert.deepEqual(await holdsAfter(t, edit), []);
  });
}

test('there are at least 30 drastic and 30 harmless edits, and each rule applies to one alone', () => {
  assert.ok(drasticEdits.length >= 30 && harmlessEdits.length >= 30);
  for (const code of Object.keys(holdRules))
    assert.ok(
      drasticEdits.some(({ codes }) => codes.join() === code),
      code,
    );
});
