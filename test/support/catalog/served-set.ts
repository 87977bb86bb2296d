import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { readChangedSet, readSet } from '../../../src/catalog/reader/load-set.ts';
import { fingerprint } from '../../../src/catalog/watch/fingerprint.ts';
import { sourceIn, writeFiles } from '../catalogs.ts';
import { fixtureSet } from '../fixture-sets.ts';

/** A directory whose set is served, and a way to read what has become of it since. */
export async function serveSet(t: TestContext, files = fixtureSet(1)) {
  const dir = await writeFiles(t, files);
  const source = sourceIn(dir);
  const { report: served, rows } = await readSet(source);
  assert.ok(rows);
  const change = async (
    options: { stillMs?: number; allowShrink?: boolean; refused?: typeof served } = {},
  ) => {
    const { key } = await fingerprint(dir);
    const defaults = {
      fingerprint: key,
      stillMs: 60_000,
      served,
      kept: undefined,
      refused: undefined,
      servedNumbers: undefined,
      allowShrink: false,
    };
    return readChangedSet(source, { ...defaults, ...options });
  };
  return { dir, source, served, rows, change };
}
