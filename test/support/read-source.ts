import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import type { TestContext } from 'node:test';
import { beforeOf } from '../../src/live/live-history.ts';
import { type Expectation, readChangedSet } from '../../src/reader/changed-set.ts';
import { keepSet } from '../../src/reader/keep-set.ts';
import { type CatalogSource, readSet, type SetReport } from '../../src/reader/read-set.ts';
import { formatProblem } from '../../src/set/collect-problems.ts';
import { fingerprint, memoryDirectory, systemDirectory } from '../../src/set/directory.ts';
import type { Settings } from '../../src/settings/settings.ts';
import { type Files, shopWith, sourceIn, writeFiles } from './catalogs.ts';
import { fixtureSet } from './fixture-sets.ts';

/** Reads the set of a folder. Its report lists each problem if `listAll`, or else groups equal ones. */
export function readSource(source: CatalogSource, listAll = false) {
  return readSet(systemDirectory(source), source, { listAll });
}

/** Reads a set in memory, with its images. */
export function readFiles(files: Files, options?: Parameters<typeof sourceIn>[1]) {
  const contents = Object.entries(files).flatMap(([path, content]) =>
    content === null ? [] : [[path, bytesOf(content)] as const],
  );
  const images = {
    names: new Set(Object.keys(files)),
    readSmall: async (name: string) => bytesOf(files[name] ?? ''),
  };
  const directory = memoryDirectory('memory', new Map(contents), async () => images);
  return readSet(directory, sourceIn('memory', options));
}

function bytesOf(content: string | Buffer | object[]): Buffer {
  return Array.isArray(content) ? Buffer.from(JSON.stringify(content)) : Buffer.from(content);
}

export type Options = Partial<Settings>;
/** One way to save the same rows: what it is, the files, and the settings that it needs. */
export type Form = [what: string, files: Files, options?: Options | undefined];

/** The version of the shop with other files, which must have no error. */
async function versionOf(t: TestContext, files: Files, options?: Options): Promise<string> {
  const { report } = await readSource(sourceIn(await writeFiles(t, shopWith(files)), options));
  return report.version ?? assert.fail(report.problems.map(formatProblem).join('\n'));
}

/** The messages of the errors of the shop with other files. */
export async function errorsOf(files: Files): Promise<string[]> {
  const { report } = await readFiles(shopWith(files));
  return report.problems.filter(({ severity }) => severity === 'error').map(formatProblem);
}

export async function assertSame(t: TestContext, plain: Files, forms: Form[]): Promise<void> {
  const version = await versionOf(t, plain);
  for (const [what, files, options] of forms) assert.equal(await versionOf(t, files, options), version, what);
}

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
