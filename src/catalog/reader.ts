import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { openTimeZone } from '../time-zone.ts';
import {
  type CatalogSource,
  type ChangedSet,
  type Expectation,
  type ReadSet,
  readChangedSet,
  readSet,
  type SetReport,
} from './load-set.ts';
import { countRows, type Progress } from './progress.ts';
import { chunksOf, type SnapshotChunk } from './snapshot/chunks.ts';
import { sizeOf, tabulate } from './snapshot/tables.ts';

// The program of the reader process; see reader-process.ts for the other end.

/** Asks for a set. The process takes any number of requests, one after the other. */
export interface ReadRequest {
  source: CatalogSource;
  /** Undefined for a set that replaces no other. */
  expected: Expectation | undefined;
  /** Whether the report lists each problem, for a set that replaces no other. */
  listAll: boolean;
  /** How much memory the set may take in the process that serves it, in MB. */
  resultMb: number;
}

/** `next` asks for the message after a chunk, so that no more than one chunk is under way. */
export type ReaderRequest = ReadRequest | 'next';

/** The end of a request. The chunks of a set come before it. */
export type ReaderResult =
  | Exclude<ChangedSet, ReadSet>
  | { outcome: 'read'; report: SetReport }
  | { outcome: 'failed'; reason: string };

/** Progress is sent before the first chunk. */
export type ReaderMessage = Progress | SnapshotChunk | ReaderResult;

/** In a process with less resident memory than this, a collection takes longer than it is worth. */
const LARGE_BYTES = 2 ** 27;

// The CSV parser makes an error for each row of another width. Stack traces would make these expensive.
Error.stackTraceLimit = 0;
// The parent decides when this process ends; a signal to the process group must not.
process.on('disconnect', () => process.exit());
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
if (process.platform === 'linux') dieFirst();
for (;;) {
  const [request] = await once(process, 'message');
  send(await answer(request).catch(error => ({ outcome: 'failed' as const, reason: error.message })));
}

/** When memory runs out, Linux kills this process rather than the one that serves. */
function dieFirst(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Without a writable /proc, Linux chooses by the memory that a process takes.
  }
}

/** Reads a set and sends its chunks. */
async function answer({ source, expected, listAll, resultMb }: ReadRequest): Promise<ReaderResult> {
  const counter = countRows(send);
  const result = expected
    ? await readChangedSet(source, expected, counter.onRow)
    : { outcome: 'read' as const, ...(await readSet(source, listAll, counter.onRow)) };
  if (result.outcome !== 'read') return result;
  const { report, rows } = result;
  if (!rows) return { outcome: 'read', report };
  counter.end();
  await collectGarbage();
  const tables = await tabulate(rows, openTimeZone(source.timeZone), collectGarbage);
  await collectGarbage();
  const megabytes = Math.ceil(sizeOf(tables) / 2 ** 20);
  if (megabytes > resultMb) throw new Error(tooBig(megabytes, Math.floor(resultMb)));
  for await (const chunk of chunksOf(tables, collectGarbage)) {
    send(chunk);
    await once(process, 'message');
  }
  return { outcome: 'read', report };
}

function tooBig(megabytes: number, available: number): string {
  return `its rows need ${megabytes} MB of memory, and ${available} MB are available: make the files smaller, or set LOAD_MEMORY_MB`;
}

function send(message: ReaderMessage): void {
  process.send?.(message);
}

/**
 * Frees what the last step left behind; V8 would first let the heap grow. The second collection returns to the system
 * what the first one freed.
 */
async function collectGarbage(): Promise<void> {
  if (process.memoryUsage.rss() < LARGE_BYTES) return;
  await yieldToEventLoop();
  globalThis.gc?.();
  await yieldToEventLoop();
  globalThis.gc?.();
}
