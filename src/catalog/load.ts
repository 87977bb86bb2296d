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
 * Loads a set: reads it in a worker thread, so that no file can stall requests or take the process down, and takes its
 * rows over in slices, between which requests are answered. A set that takes too much memory or time is refused.
 */
export async function loadCatalog(source: CatalogSource, limits = LIMITS): Promise<LoadedSet> {
  const result = await load({ source, expected: undefined }, limits);
  if (result.outcome !== 'read') throw new Error('only a changed set is not read');
  return result;
}

/**
 * Does the same with a set that is to take the place of another, and compares the two.
 * @throws where `signal` is aborted.
 */
export async function loadChange(
  source: CatalogSource,
  expected: Expectation,
  signal: AbortSignal,
): Promise<LoadedChange> {
  return await load({ source, expected }, LIMITS, signal);
}

async function load(
  workerData: WorkerRequest,
  { memoryMb, seconds }: Limits,
  closed?: AbortSignal,
): Promise<LoadedChange> {
  const timeout = AbortSignal.timeout(seconds * 1000);
  const signal = AbortSignal.any(closed ? [closed, timeout] : [timeout]);
  const worker = new Worker(workerUrl, {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  });
  try {
    return await takeOver(worker, workerData.source.timeZone, signal);
  } catch (error) {
    closed?.throwIfAborted();
    const { message, code } = error as NodeJS.ErrnoException;
    const reasons: Record<string, string> = {
      ERR_WORKER_OUT_OF_MEMORY: `it takes more than ${memoryMb} MB of memory`,
      ABORT_ERR: `it takes more than ${seconds} s`,
    };
    const reason = reasons[code ?? ''] ?? message;
    return { outcome: 'read', report: failure(workerData.source.catalogDir, reason), snapshot: undefined };
  } finally {
    await worker.terminate();
  }
}

/** Run from its sources, as in development, the worker comes by way of a script that lets it read TypeScript. */
const isSource = import.meta.url.endsWith('.ts');
const workerUrl = new URL(isSource ? '../../scripts/worker.mjs' : './worker.js', import.meta.url);

async function takeOver(worker: Worker, timeZone: string, signal: AbortSignal): Promise<LoadedChange> {
  const messages = on(worker, 'message', { signal, close: ['exit'] });
  const next = async () => {
    const { value, done } = await messages.next();
    if (done) throw new Error('the worker ended before it was done');
    return value[0];
  };
  const result: WorkerResult = await next();
  if (result.outcome !== 'read') return result;
  const { report } = result;
  if (report.version === undefined) return { outcome: 'read', report, snapshot: undefined };

  const indexer = openIndexer(report.version, timeZone);
  for (;;) {
    worker.postMessage('next');
    const slice: Slice | null = await next();
    if (!slice) return { outcome: 'read', report, snapshot: indexer.snapshot() };
    indexer.add(slice);
  }
}

function failure(file: string, reason: string): SetReport {
  const problem = { file, code: 'LOAD_FAILED', message: `the set could not be read: ${reason}` } as const;
  return { version: undefined, problems: [problem], errors: 1, warnings: 0, files: [], digests: [] };
}
