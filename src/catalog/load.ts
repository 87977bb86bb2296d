import { on } from 'node:events';
import { totalmem } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { CatalogSource, ChangedSet, Expectation, ReadSet, SetReport } from './set.ts';
import { openIndexer, type Slice, type Snapshot } from './snapshot.ts';
import type { WorkerRequest, WorkerResult } from './worker.ts';

/** What reading a set may take before it is given up. */
interface Limits {
  memoryMb: number;
  seconds: number;
}

/** Half of a small machine's memory at most, since the rest of the process lives on it, too. */
const LIMITS: Limits = { memoryMb: Math.min(1024, Math.floor(totalmem() / 2 ** 21)), seconds: 60 };

/** A set that was loaded: what was found in it, and the snapshot where it has no error. */
export interface LoadedSet {
  report: SetReport;
  snapshot: Snapshot | undefined;
}

/** What became of loading a changed set; see `ChangedSet`. */
export type LoadedChange = Exclude<ChangedSet, ReadSet> | ({ outcome: 'read' } & LoadedSet);

/**
 * Reads sets in a thread of its own; opened ahead of time, it has started by the time it is needed. It keeps the process
 * from ending only once it loads.
 */
export interface Loader {
  /**
   * Loads a set that is to take the place of the `expected` one. A set that takes too much memory or time is refused.
   * @throws where `signal` is aborted.
   */
  load(expected: Expectation, signal: AbortSignal): Promise<LoadedChange>;
  close(): Promise<unknown>;
}

/**
 * A set is read in a worker thread, so that no file can stall requests or take the process down, and its rows are taken
 * over in slices, between which requests are answered.
 */
export function openLoader(source: CatalogSource, limits = LIMITS): Loader {
  const worker = openWorker(limits);
  return {
    load: (expected, signal) => load(worker, { source, expected }, limits, signal),
    close: () => worker.terminate(),
  };
}

/** Loads a set by itself. */
export async function loadCatalog(source: CatalogSource, limits = LIMITS): Promise<LoadedSet> {
  const worker = openWorker(limits);
  try {
    const result = await load(worker, { source, expected: undefined }, limits);
    if (result.outcome === 'read') return result;
    throw new Error('only a set that takes the place of another can be anything else');
  } finally {
    await worker.terminate();
  }
}

/** Run from its sources, as in development, the worker comes by way of a script that lets it read TypeScript. */
const isSource = import.meta.url.endsWith('.ts');
const workerUrl = new URL(isSource ? '../../scripts/worker.mjs' : './worker.js', import.meta.url);

function openWorker({ memoryMb }: Limits): Worker {
  const worker = new Worker(workerUrl, { resourceLimits: { maxOldGenerationSizeMb: memoryMb } });
  worker.unref();
  // Told where it is waited for; without anyone who listens it would end the whole server.
  return worker.on('error', () => {});
}

async function load(
  worker: Worker,
  request: WorkerRequest,
  { memoryMb, seconds }: Limits,
  closed?: AbortSignal,
): Promise<LoadedChange> {
  worker.ref();
  const timeout = AbortSignal.timeout(seconds * 1000);
  try {
    return await takeOver(worker, request, AbortSignal.any(closed ? [closed, timeout] : [timeout]));
  } catch (error) {
    closed?.throwIfAborted();
    const { message, code } = error as NodeJS.ErrnoException;
    const reasons: Record<string, string> = {
      ERR_WORKER_OUT_OF_MEMORY: `it takes more than ${memoryMb} MB of memory`,
      ABORT_ERR: `it takes more than ${seconds} s`,
    };
    const report = failure(request.source.catalogDir, reasons[code ?? ''] ?? message);
    return { outcome: 'read', report, snapshot: undefined };
  }
}

async function takeOver(worker: Worker, request: WorkerRequest, signal: AbortSignal): Promise<LoadedChange> {
  if (worker.threadId === -1) throw new Error('the worker has ended before its time');
  const messages = on(worker, 'message', { signal, close: ['exit'] });
  const ask = async (message: WorkerRequest | 'next') => {
    worker.postMessage(message);
    const { value, done } = await messages.next();
    if (done) throw new Error('the worker has ended before its time');
    return value[0];
  };
  const result: WorkerResult = await ask(request);
  if (result.outcome !== 'read') return result;
  const { report } = result;
  if (report.version === undefined) return { outcome: 'read', report, snapshot: undefined };

  const indexer = openIndexer(report.version, request.source.timeZone);
  for (;;) {
    const slice: Slice | null = await ask('next');
    if (!slice) return { outcome: 'read', report, snapshot: await indexer.snapshot() };
    indexer.add(slice);
  }
}

function failure(file: string, reason: string): SetReport {
  const problem = { file, code: 'LOAD_FAILED', message: `the set could not be read: ${reason}` } as const;
  return { version: undefined, problems: [problem], errors: 1, warnings: 0, files: [], digests: [] };
}
