import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import type { TestContext } from 'node:test';
import { beforeOf } from '../../src/live/live-history.ts';
import { type Expectation, readChangedSet } from '../../src/reader/changed-set.ts';
import { keepSet } from '../../src/reader/keep-set.ts';
import type { CatalogSource, SetReport } from '../../src/reader/read-set.ts';
import { fingerprint } from '../../src/set/directory.ts';
import { type Files, sourceIn, writeFiles } from './catalogs.ts';
import { fixtureSet } from './fixture-sets.ts';
import { readSource } from './read-source.ts';

/** What is expected of a changed set in tests, unless they say otherwise. */
export const expectation = {
  stillMs: 60_000,
  isBeingWritten: false,
  before: undefined,
  holdBack: true,
} satisfies Omit<Expectation, 'fingerprint'>;

/** Puts a set that is served into the history. Its files are still there. */
export async function keepServed(source: CatalogSource, served: SetReport): Promise<void> {
  const { version = '', files, reading } = served;
  const entry = { version, since: 0, catalogDir: resolve(source.catalogDir), files, reading };
  await keepSet(source, entry, new Map());
}

/**
 * A directory whose set is served, and a way to read what has become of it since, as the reader process does. The set is
 * in the history if `isKept`.
 */
export async function serveSet(t: TestContext, files: Files = fixtureSet(1), isKept = true) {
  const dir = await writeFiles(t, files);
  const source = { ...sourceIn(dir), stateDir: await writeFiles(t, {}) };
  const { report: served, rows } = await readSource(source);
  assert.ok(rows);
  if (isKept) await keepServed(source, served);
  const before = beforeOf(source.stateDir, served);
  const change = async (options: Partial<Expectation> = {}) => {
    const { key } = await fingerprint(dir);
    const expected = { ...expectation, fingerprint: key, before, ...options };
    const surroundings = { onDamage: isKept ? assert.fail : () => {} };
    const changed = await readChangedSet(source, expected, surroundings);
    return { ...changed, holds: changed.outcome === 'read' ? (changed.report.holds ?? []) : [] };
  };
  return { dir, source, served, before, rows, change };
}
