import { basename } from 'node:path';
import type { OnDamage } from '../history/entries.ts';
import { type Entry, readingOf } from '../history/entry.ts';
import type { ChangedSet, Expectation } from '../reader/changed-set.ts';
import type { OnProgress } from '../reader/progress.ts';
import type { ReadRequest } from '../reader/protocol.ts';
import type { CatalogSource, SetReport } from '../reader/read-set.ts';
import { openReaderProcess, type ReaderProcess } from '../reader/reader-process.ts';
import type { WantedSet } from '../reader/restore-set.ts';
import { openSnapshotBuilder } from '../snapshot/builder.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

/** A loaded set: its report, and its snapshot if it has no errors. */
export interface LoadedSet {
  report: SetReport;
  snapshot: Snapshot | undefined;
}

/** The outcome of loading a changed set; see {@link ChangedSet}. */
export type LoadedChange = Exclude<ChangedSet, { outcome: 'read' }> | ({ outcome: 'read' } & LoadedSet);

/** A set of the history. */
export interface RestoredSet {
  report: SetReport;
  snapshot: Snapshot;
  /** Since when it was served, in seconds since 1970. */
  since: number;
}

/**
 * Loads sets without harm to the serving process: a child process reads them, and they arrive in chunks, between which
 * requests are answered. The child starts with the loader and does not keep this process alive.
 */
export interface Loader {
  /**
   * Loads a set to replace the `expected` one, which is `served`: the snapshots share the catalogs that stay the same. A set
   * that takes too much memory or time is refused. Calls `onProgress` now and then, and `onDamage` with a sentence for each
   * damaged file of the history.
   * @throws the reason of `signal` when that is aborted.
   */
  load(
    expected: Expectation,
    served: Snapshot | undefined,
    onProgress: OnProgress,
    onDamage: OnDamage,
    signal: AbortSignal,
  ): Promise<LoadedChange>;
  /**
   * Loads a set of the history; undefined if no set was wanted by its version, and there is none that can be read. Calls
   * `onDamage` with a sentence for each damaged file.
   * @throws Error that says why the set cannot be read.
   */
  restore(
    wanted: WantedSet,
    onProgress: OnProgress,
    onDamage: OnDamage,
    signal: AbortSignal,
  ): Promise<RestoredSet | undefined>;
  /**
   * Adds a set to the history that is about to be served. Once it resolves, to the bytes that it takes, the set survives a
   * kill and a loss of power.
   * @throws Error that says why the set is not kept.
   */
  keep(entry: Entry, signal: AbortSignal): Promise<number>;
  /** Adds such a set to the history of another state directory. @throws Error as `keep` does. */
  keepAside(entry: Entry, stateDir: string, signal: AbortSignal): Promise<void>;
  /**
   * Deletes what the history has no room for. `addedBytes` have been added to the history since it was added up; returns whether it is now.
   */
  tidy(addedBytes: number, onDamage: OnDamage, signal: AbortSignal): Promise<boolean>;
  close(): void;
}

export function openLoader(source: CatalogSource): Loader {
  const reader = openReaderProcess(source);
  return {
    load: (expected, served, onProgress, onDamage, signal) =>
      load(reader, source, { expected, listAll: false }, onProgress, served, onDamage, signal),
    async restore(wanted, onProgress, onDamage, signal) {
      const builder = openSnapshotBuilder(source.timeZone);
      const task = { task: 'restore', source, wanted, resultMb: resultMb(source) } as const;
      const result = await reader.ask(task, onProgress, builder.add, signal);
      result.damage.forEach(onDamage);
      if (result.outcome === 'nothing') return undefined;
      const { report, since } = result;
      return { report, since, snapshot: await builder.build(String(report.version)) };
    },
    async keep(entry, signal) {
      const task = { task: 'keep', source, entry, aside: undefined } as const;
      return (await reader.ask(task, undefined, undefined, signal)).bytes;
    },
    async keepAside(entry, aside, signal) {
      await reader.ask({ task: 'keep', source, entry, aside } as const, undefined, undefined, signal);
    },
    async tidy(addedBytes, onDamage, signal) {
      const task = { task: 'tidy', source, addedBytes } as const;
      const { isAddedUp, damage } = await reader.ask(task, undefined, undefined, signal);
      damage.forEach(onDamage);
      return isAddedUp;
    },
    close: () => reader.close(),
  };
}

/** The other half of the memory is for the set that is already served. */
export function resultMb({ loadMemoryMb }: CatalogSource): number {
  return loadMemoryMb / 2;
}

/**
 * Loads a set that replaces no other. Its report lists each problem if `listAll`, or else groups equal ones. Calls
 * `onProgress` now and then.
 */
export async function loadCatalog(
  source: CatalogSource,
  listAll = false,
  onProgress: OnProgress = () => {},
): Promise<LoadedSet> {
  const reader = openReaderProcess(source);
  try {
    const result = await load(reader, source, { expected: undefined, listAll }, onProgress);
    if (result.outcome === 'read') return result;
    throw new Error(`a set that replaces no other cannot be ${result.outcome}`);
  } finally {
    reader.close();
  }
}

async function load(
  reader: ReaderProcess,
  source: CatalogSource,
  request: Pick<ReadRequest, 'expected' | 'listAll'>,
  onProgress: OnProgress,
  served?: Snapshot,
  onDamage: OnDamage = () => {},
  signal?: AbortSignal,
): Promise<LoadedChange> {
  const builder = openSnapshotBuilder(source.timeZone, served);
  try {
    const task = { task: 'read', source, ...request, resultMb: resultMb(source) } as const;
    const { damage = [], ...result } = await reader.ask(task, onProgress, builder.add, signal);
    damage.forEach(onDamage);
    if (result.outcome !== 'read') return result;
    const { version } = result.report;
    return { ...result, snapshot: version === undefined ? undefined : await builder.build(version) };
  } catch (error) {
    signal?.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    return { outcome: 'read', report: failedReport(source, reason), snapshot: undefined };
  }
}

/** The report of a set that could not be read to the end. */
export function failedReport(source: CatalogSource, reason: string): SetReport {
  const message = `the set could not be read: ${reason}`;
  const problem = { file: basename(source.catalogDir), code: 'LOAD_FAILED', message } as const;
  const reading = readingOf(source);
  const nothing = { files: [], digests: [], notRead: [], awaitedImages: [], reading };
  return { version: undefined, problems: [problem], errors: 1, warnings: 0, ...nothing };
}
