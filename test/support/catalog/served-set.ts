import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import type { TestContext } from 'node:test';
import { type Expectation, readChangedSet } from '../../../src/reader/changed-set.ts';
import { compressNew, keepSet, openComparison } from '../../../src/reader/compare-set.ts';
import type { CatalogSource, SetReport } from '../../../src/reader/read-set.ts';
import { fingerprint } from '../../../src/set/fingerprint.ts';
import { type Files, sourceIn, writeFiles } from '../catalogs.ts';
import { fixtureSet } from '../fixture-sets.ts';
import { readSource } from './read-source.ts';

/** What a changed set is compared with in tests, unless they say otherwise. */
export const expectation = {
  stillMs: 60_000,
  served: undefined,
  kept: undefined,
  isBeingWritten: false,
  servedNumbers: undefined,
  holdBack: true,
} satisfies Omit<Expectation, 'fingerprint'>;

/** Puts a set that is served into the history. Its files are still there. */
export async function keepServed(source: CatalogSource, served: SetReport): Promise<void> {
  const { version = '', reading } = served;
  await compressNew(source, []);
  const catalogDir = resolve(source.catalogDir);
  const entry = { version, since: 0, catalogDir, files: served.files, reading };
  await keepSet(source, entry);
}

/**
 * A directory whose set is served, and a way to read what has become of it since, as the reader process does. The set is
 * in the history if `isKept`.
 */
export async function serveSet(t: TestContext, files: Files = fixtureSet(1), isKept = false) {
  const dir = await writeFiles(t, files);
  const source = { ...sourceIn(dir), stateDir: await writeFiles(t, {}) };
  const { report: served, rows } = await readSource(source);
  assert.ok(rows);
  if (isKept) await keepServed(source, served);
  const change = async (options: Partial<Expectation> = {}) => {
    const { key } = await fingerprint(dir);
    const expected = { ...expectation, fingerprint: key, served, ...options };
    const comparison = openComparison(source, expected, isKept ? assert.fail : () => {}, async () => {});
    const changed = await readChangedSet(source, expected, undefined, {
      async onFiles(files) {
        await comparison.readFormer(files);
      },
      formerRows: comparison.formerRows,
      onRows: comparison.compare,
    });
    return { ...changed, holds: comparison.holds() };
  };
  return { dir, source, served, rows, change };
}
