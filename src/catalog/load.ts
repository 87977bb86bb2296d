import { basename } from 'node:path';
import type { CatalogSource, ChangedSet, Expectation, ReadSet, SetReport } from './load-set.ts';
import type { OnProgress } from './progress.ts';
import type { ReadRequest } from './reader.ts';
import { openReaderProcess, type ReaderProcess } from './reader-process.ts';
import { openSnapshotBuilder } from './snapshot/builder.ts';
import type { Snapshot } from './snapshot/snapshot.ts';

/** A loaded set: its report, and its snapshot if it has no errors. */
export interface LoadedSet {
  report: SetReport;
  snapshot: Snapshot | undefined;
}

/** The outcome of loading a changed set; see {@link ChangedSet}. */
export type LoadedChange = Exclude<ChangedSet, ReadSet> | ({ outcome: 'read' } & LoadedSet);

/**
 * Loads sets without harm to the serving process: a child process reads them, and they arrive in chunks, between which
 * requests are answered. The child starts with the loader and does not keep this process alive.
 */
export interface Loader {
  /**
   * Loads a set to replace the `expected` one. A set that takes too much memory or time is refused. Calls
   * `onProgress` now and then.
   * @throws the reason of `signal` when that is aborted.
   */
  load(expected: Expectation, onProgress: OnProgress, signal: AbortSignal): Promise<LoadedChange>;
  close(): void;
}

export function openLoader(source: CatalogSource): Loader {
  const reader = openReaderProcess(source);
  return {
    load: (expected, onProgress, signal) =>
      load(reader, source, { expected, listAll: false }, onProgress, signal),
    close: reader.close,
  };
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
  signal?: AbortSignal,
): Promise<LoadedChange> {
  const builder = openSnapshotBuilder(source.timeZone);
  // The other half of the memory is for the set that is already served.
  const resultMb = source.loadMemoryMb / 2;
  try {
    const result = await reader.read({ source, ...request, resultMb }, onProgress, builder.add, signal);
    if (result.outcome !== 'read') return result;
    const { version } = result.report;
    return { ...result, snapshot: version === undefined ? undefined : await builder.build(version) };
  } catch (error) {
    signal?.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    return { outcome: 'read', report: failedReport(source.catalogDir, reason), snapshot: undefined };
  }
}

function failedReport(catalogDir: string, reason: string): SetReport {
  const message = `the set could not be read: ${reason}`;
  const problem = { file: basename(catalogDir), code: 'LOAD_FAILED', message } as const;
  const nothing = { files: [], digests: [], notRead: [], awaitedImages: [] };
  return { version: undefined, problems: [problem], errors: 1, warnings: 0, ...nothing };
}
