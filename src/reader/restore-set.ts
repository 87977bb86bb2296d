import { formatProblem } from '../contract/problems.ts';
import { systemFs } from '../files/atomic-write.ts';
import { filesOf, historyDirectory, type KeptSet, keptSets } from '../history/contents.ts';
import { historyPath } from '../history/entries.ts';
import type { Entry } from '../history/entry.ts';
import { findVersion } from '../history/versions.ts';
import { reasonOf } from '../messages.ts';
import { compareSets } from '../set/compare-sets.ts';
import { imageNames } from '../set/system-directory.ts';
import type { Before, Surroundings } from './changed-set.ts';
import { changedCatalogs, readFormerSet } from './former-set.ts';
import { type ComparedSet, compressReport, readReport } from './keep-set.ts';
import { type CatalogSource, type ReadSet, readSet } from './read-set.ts';

/** Which set of the history to read. */
export interface WantedSet {
  /** A version, or its first digits; empty for the newest set of the directory that can be read. */
  version: string;
  /** The set that it replaces; undefined if none is served. */
  replaced: Before | undefined;
}

/** A set of the history. */
interface RestoredSet extends Omit<ReadSet, 'content'>, Pick<Entry, 'since'> {
  compared: ComparedSet | undefined;
}

/**
 * Reads a set of the history as a whole; undefined if none is wanted by its version, and none can be read.
 * @throws Error that says why the wanted version cannot be read.
 */
export async function restoreSet(
  source: CatalogSource,
  { version, replaced }: WantedSet,
  surroundings: Surroundings,
): Promise<RestoredSet | undefined> {
  const { onDamage } = surroundings;
  const dir = historyPath(source.stateDir);
  const restore = (set: KeptSet) => readSetOf(set, source, replaced, surroundings);
  if (version !== '') {
    const entry = await findVersion(systemFs, dir, version, onDamage);
    const files = await filesOf(systemFs, dir, entry.files, onDamage);
    if (!files) throw new Error(`files of version ${entry.version} in the history are damaged or missing`);
    return restore({ entry, files });
  }
  for await (const set of keptSets(systemFs, dir, source.catalogDir, onDamage)) {
    try {
      return await restore(set);
    } catch (error) {
      onDamage(reasonOf(error));
    }
  }
  return undefined;
}

/** @throws Error that says why the set cannot be served. */
async function readSetOf(
  { entry, files }: KeptSet,
  { imagesDir, stateDir }: CatalogSource,
  replaced: Before | undefined,
  { onRow, onDamage }: Surroundings,
): Promise<RestoredSet> {
  const { since, reading } = entry;
  const changed = replaced ? changedCatalogs(replaced, files, reading) : [];
  const former =
    replaced && changed.length > 0
      ? await readFormerSet(replaced.stateDir, replaced, changed, onDamage).catch(() => undefined)
      : undefined;
  const directory = historyDirectory(files, () => imageNames(imagesDir));
  // It has no ambiguous numbers: all were decided when it was served.
  const { content, ...set } = await readSet(directory, reading, { onRow, accepts: () => true });
  const [problem] = set.report.problems;
  if (!content)
    throw new Error(
      `version ${entry.version} of the history cannot be served: ${problem && formatProblem(problem)}`,
    );
  if (!replaced || !former) return { ...set, since, compared: await readReport(stateDir, entry, onDamage) };
  const names = { from: replaced.version, to: String(set.report.version) };
  const { summary, table, tags } = compareSets(former, content, { names });
  const changes = { summary, report: compressReport(table), from: replaced.version, tags };
  return { ...set, since, compared: { table, changes } };
}
