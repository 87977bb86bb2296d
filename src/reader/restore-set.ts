import { formatProblem } from '../contract/problems.ts';
import { systemFs } from '../files/atomic-write.ts';
import { filesOf, historyDirectory, type KeptSet, keptSets } from '../history/contents.ts';
import { historyPath, type OnDamage } from '../history/entries.ts';
import type { Entry } from '../history/entry.ts';
import { findVersion } from '../history/versions.ts';
import { reasonOf } from '../messages.ts';
import { imageNames } from '../set/system-directory.ts';
import { type ComparedSet, openComparison, readReport } from './compare-set.ts';
import { type CatalogSource, type OnRow, type ReadSet, readSet, type SetReport } from './read-set.ts';

/** Which set of the history to read. */
export interface WantedSet {
  /** A version, or its first digits; empty for the newest set of the directory that can be read. */
  version: string;
  /** The set that it replaces; undefined if none is served. */
  replaced: SetReport | undefined;
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
  onRow: OnRow,
  onDamage: OnDamage,
  collectGarbage: () => Promise<void>,
): Promise<RestoredSet | undefined> {
  const dir = historyPath(source.stateDir);
  const restore = (set: KeptSet) => readSetOf(set, source, replaced, onRow, onDamage, collectGarbage);
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
  source: CatalogSource,
  replaced: SetReport | undefined,
  onRow: OnRow,
  onDamage: OnDamage,
  collectGarbage: () => Promise<void>,
): Promise<RestoredSet> {
  const readAs = { ...source, ...entry.reading };
  const before = { served: replaced, kept: undefined, holdBack: false };
  const comparison = openComparison(readAs, before, onDamage, collectGarbage);
  await comparison.readFormer(files);
  const directory = historyDirectory(files, () => imageNames(source.imagesDir));
  // It has no ambiguous numbers: all were decided when it was served.
  const { content, ...set } = await readSet(directory, entry.reading, { onRow, accepts: () => true });
  if (content) comparison.compare(content, String(set.report.version));
  const [problem] = set.report.problems;
  if (!set.rows)
    throw new Error(
      `version ${entry.version} of the history cannot be served: ${problem && formatProblem(problem)}`,
    );
  const compared = comparison.result() ?? (await readReport(source, entry, onDamage));
  return { ...set, since: entry.since, compared };
}
