import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Entry, readingOf } from '../history/entries.ts';
import { reasonOf } from '../messages.ts';
import type { ChangedSet, Expectation } from '../reader/changed-set.ts';
import type { CatalogSource, SetReport } from '../reader/read-set.ts';
import {
  openReaderProcess,
  type ReaderListener,
  type ReaderProcess,
  type WantedSet,
} from '../reader/reader-process.ts';
import { openSnapshotBuilder } from '../snapshot/builder.ts';
import type { SnapshotChunk } from '../snapshot/chunks.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

/** The outcome of loading a changed set; see {@link ChangedSet}. A set with errors has no snapshot. */
export type LoadedChange =
  | Exclude<ChangedSet, { outcome: 'read' }>
  | { outcome: 'read'; report: SetReport; snapshot: Snapshot | undefined };

/** A served set. `since` is in Unix seconds. */
export interface ServedSet {
  report: SetReport;
  snapshot: Snapshot;
  since: number;
}

/** A check was not run, or is out of date, because a save is being read. */
export class OvertakenError extends Error {
  constructor() {
    super('a save is being read');
  }
}

export class NoFilesError extends Error {}

export type Readers = ReturnType<typeof openReaders>;

/**
 * Opens the readers of a service, child processes that keep its process safe from any file. Memory suffices for two sets: a
 * save never waits, and aborts a check. The first reader starts at once.
 */
export function openReaders(source: CatalogSource) {
  let ahead: ReaderProcess | undefined = openReaderProcess(source);
  let saves = 0;
  let check = new AbortController();
  const asSave = async <Set>(read: () => Promise<Set>): Promise<Set> => {
    check.abort(new OvertakenError());
    saves += 1;
    try {
      return await read();
    } finally {
      saves -= 1;
    }
  };
  return {
    open(): Loader {
      const reader = ahead ?? openReaderProcess(source);
      ahead = undefined;
      return openLoader(source, reader, asSave);
    },
    /**
     * Reads the files of a form as a save would, as if they had long been stable, and stores nothing. In the result,
     * `changes` is undefined if there are none or they are unknown, and `form` if reading it failed.
     * @throws OvertakenError, NoFilesError, or the reason of `closed`.
     */
    async check(expected: CheckExpectation, form: Readable, contentType: string, closed: AbortSignal) {
      check = new AbortController();
      if (saves > 0) throw new OvertakenError();
      return checkForm(source, expected, form, contentType, AbortSignal.any([closed, check.signal]));
    },
    /** Whether all files of an entry can be read. @throws Error that says why that is not known. */
    async isWhole(entry: Entry, listener: ReaderListener): Promise<boolean> {
      listener.signal?.throwIfAborted();
      const reader = openReaderProcess(source);
      try {
        return (await reader.ask({ task: 'verify', entry }, listener)).isWhole;
      } finally {
        reader.close();
      }
    },
    close: () => ahead?.close(),
  };
}

export type Loader = ReturnType<typeof openLoader>;

/** Reads one set, and stores it in the history. The caller closes it. */
function openLoader(
  source: CatalogSource,
  { ask, close }: ReaderProcess,
  asSave: <Set>(read: () => Promise<Set>) => Promise<Set>,
) {
  return {
    ask,
    close,
    /**
     * Loads a set that replaces `served`, as `expected` says; the two snapshots share unchanged catalogs. A set that exceeds
     * the limits of memory or time is refused. Without `expected`, it replaces no set, and `listAll` lists equal problems
     * separately.
     * @throws the reason of the signal when that is aborted.
     */
    load: (
      expected: Expectation | undefined,
      served: Snapshot | undefined,
      listener: ReaderListener,
      listAll = false,
    ): Promise<LoadedChange> =>
      asSave(async () => {
        const builder = openSnapshotBuilder(source.timeZone, served);
        try {
          const task = { task: 'read', expected, listAll } as const;
          const result = await ask(task, { ...listener, onChunk: builder.add });
          if (result.outcome !== 'read') return result;
          const { version } = result.report;
          return { ...result, snapshot: version === undefined ? undefined : builder.build(version) };
        } catch (error) {
          listener.signal?.throwIfAborted();
          return { outcome: 'read', report: failedReport(source, error), snapshot: undefined };
        }
      }),
    /** Loads a set of the history; undefined if any would do and none can be read. @throws Error that says why. */
    restore: (wanted: WantedSet, served: Snapshot | undefined, listener: ReaderListener) =>
      asSave(async () => {
        const builder = openSnapshotBuilder(source.timeZone, served);
        const result = await ask({ task: 'restore', wanted }, { ...listener, onChunk: builder.add });
        if (result.outcome === 'nothing') return undefined;
        const { report, since } = result;
        return { report, since, snapshot: builder.build(String(report.version)) };
      }),
  };
}

type CheckExpectation = Pick<Expectation, 'before' | 'holdBack'>;

async function checkForm(
  source: CatalogSource,
  expected: CheckExpectation,
  form: Readable,
  contentType: string,
  signal: AbortSignal,
) {
  signal.throwIfAborted();
  const lines: string[] = [];
  const onChunk = (chunk: SnapshotChunk) => {
    if (chunk.catalog === 'changes') lines.push(...chunk.items);
  };
  const reader = openReaderProcess(source, undefined, 'pipe');
  try {
    // If the child has ended, `askReader` reports why.
    if (reader.input) pipeline(form, reader.input).catch(() => {});
    const still = { fingerprint: '', stillMs: Number.POSITIVE_INFINITY, isBeingWritten: false };
    const task = { task: 'check', expected: { ...still, ...expected }, contentType } as const;
    const result = await reader.ask(task, { onChunk, signal }).catch(error => {
      signal.throwIfAborted();
      return { outcome: 'read', report: failedReport(source, error), form: undefined } as const;
    });
    signal.throwIfAborted();
    if (result.outcome === 'nothing') throw new NoFilesError('there are no files');
    const [head, ...changes] = lines;
    return { ...result, changes: head === undefined ? undefined : { head, changes } };
  } finally {
    reader.close();
  }
}

/** Loads a set that replaces no other. `listAll` lists equal problems separately. */
export async function loadCatalog(
  source: CatalogSource,
  listAll = false,
  onProgress?: ReaderListener['onProgress'],
) {
  const loader = openReaders(source).open();
  try {
    const result = await loader.load(undefined, undefined, { onProgress }, listAll);
    if (result.outcome === 'read') return result;
    throw new Error(`a set that replaces no other cannot be ${result.outcome}`);
  } finally {
    loader.close();
  }
}

function failedReport(source: CatalogSource, error: unknown): SetReport {
  const message = `the set could not be read: ${reasonOf(error)}`;
  const problem = {
    severity: 'error',
    code: 'LOAD_FAILED',
    file: basename(source.catalogDir),
    message,
  } as const;
  const nothing = { files: [], digests: [], images: { missing: [], found: [] }, reading: readingOf(source) };
  return { version: undefined, problems: [problem], errors: 1, warnings: 0, ...nothing };
}
