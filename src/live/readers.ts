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

/** The outcome of loading a changed set; see {@link ChangedSet}. It has no snapshot if it has errors. */
export type LoadedChange =
  | Exclude<ChangedSet, { outcome: 'read' }>
  | { outcome: 'read'; report: SetReport; snapshot: Snapshot | undefined };

/** A set that is served, and since when, in seconds since 1970. */
export interface ServedSet {
  report: SetReport;
  snapshot: Snapshot;
  since: number;
}

/** Another set is being read, which becomes what is served or what a check compares with. */
export class OvertakenError extends Error {
  constructor() {
    super('a save is being read');
  }
}

/** The body is not a form with files. */
export class NoFilesError extends Error {}

export type Readers = ReturnType<typeof openReaders>;

/**
 * The readers of a service: child processes, so that no file harms the one that serves. Sets arrive in chunks, between
 * which requests are answered. A save never waits for another reader, and a check of files gives way to it, since there is
 * memory for two sets. The first reader starts at once.
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
     * Reads files of a form as a save of them would be read once they have lain still for long, and stores nothing.
     * `changes` is undefined if there are none, or they are not known, and `form` if it was too much to read.
     * @throws OvertakenError, NoFilesError, or the reason of `closed`, which also ends a form that does not arrive.
     */
    async check(expected: CheckExpectation, form: Readable, contentType: string, closed: AbortSignal) {
      check = new AbortController();
      if (saves > 0) throw new OvertakenError();
      return checkForm(source, expected, form, contentType, AbortSignal.any([closed, check.signal]));
    },
    /** Whether all files of a set of the history can be read. @throws Error that says why that is not known. */
    async isWhole(entry: Entry, listener: ReaderListener): Promise<boolean> {
      listener.signal?.throwIfAborted();
      const reader = openReaderProcess(source);
      try {
        return (await reader.ask({ task: 'verify', entry }, listener)).isWhole;
      } finally {
        reader.close();
      }
    },
    /** Ends the one that was started ahead. */
    close: () => ahead?.close(),
  };
}

export type Loader = ReturnType<typeof openLoader>;

/** The reader of one save: it reads the set, and keeps it in the history. Whoever opens it closes it. */
function openLoader(
  source: CatalogSource,
  { ask, close }: ReaderProcess,
  asSave: <Set>(read: () => Promise<Set>) => Promise<Set>,
) {
  return {
    ask,
    close,
    /**
     * Loads a set to replace the `expected` one, which is `served`: the snapshots share the catalogs that stay the same.
     * A set that takes too much memory or time is refused. Without `expected` it replaces no other, and `listAll` lists
     * each problem in its report, rather than group equal ones.
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
    /**
     * Loads a set of the history; undefined if no set was wanted by its version, and there is none that can be read.
     * @throws Error that says why the set cannot be read.
     */
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
    // A child that has ended takes nothing more, and `askReader` knows why.
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

/** Loads a set that replaces no other; see {@link Loader} for `listAll`. */
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
