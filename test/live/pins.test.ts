import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Files, writeFiles, writeInto } from '../support/catalogs.ts';
import { fixtureSet, fixtureSetOf } from '../support/fixture-sets.ts';
import { entriesOf } from '../support/kept-shop.ts';
import { startLive } from '../support/live.ts';

test('over restarts, a pin holds whatever becomes of the files; one that cannot be followed leaves what was served', async t => {
  const catalogDir = await writeFiles(t, fixtureSet(1));
  const stateDir = await writeFiles(t, {});
  const history = join(stateDir, 'history');
  const options = { stateDir, reloadPollMs: 20, reloadQuietMs: 0 };
  const first = await startLive(t, catalogDir, options);
  const one = String(first.live.snapshot()?.version);
  await writeInto(catalogDir, fixtureSet(2));
  await first.serves(2);
  const two = String(first.live.snapshot()?.version);
  await first.live.close();

  const typo = `${one.slice(0, 11)}${one.endsWith('0') ? 1 : 0}`;
  const missing = `version ${typo} is not in the history: did you mean ${one}?`;
  const none = `version ${two} is not in the history: no set has been served with this STATE_DIR yet`;
  const noHistory = () => rm(history, { recursive: true });
  // What is pinned, the files, the set that is served then, how many entries the history has, and what is wrong.
  for (const [pin, files, digit, entries, fault, change] of [
    [typo, fixtureSet(3), 2, 2, missing],
    // An empty one keeps what was served. It lies beside the catalogs and stays there: that of the history comes first.
    ['', {}, 2, 2],
    [one.slice(0, 6), {}, 1, 3],
    [one, { 'products.csv': 'id\n' }, 1, 3],
    [one, {}, 1, 3, undefined, () => rm(catalogDir, { recursive: true })],
    // Without a history, the files may have the pinned version.
    [one, fixtureSet(1), 1, 1, undefined, noHistory],
    [two, fixtureSet(3), undefined, 0, none, noHistory],
  ] as [string, Files, number | undefined, number, string?, (() => Promise<void>)?][]) {
    await rm(join(history, 'pin'), { force: true });
    await change?.();
    await writeInto(pin === '' ? catalogDir : history, { pin });
    await writeInto(catalogDir, files);
    const { live } = await startLive(t, catalogDir, options);
    const { served, pinned } = live.status();
    assert.deepEqual([served && fixtureSetOf(served.snapshot), pinned?.fault], [digit, fault], pin);
    await live.close();
    assert.equal((await entriesOf({ stateDir })).length, entries, pin);
  }
  const last = await startLive(t, catalogDir, options);
  await rm(join(history, 'pin'));
  await last.serves(3);
});
