import { type ChildProcess, fork } from 'node:child_process';
import { on } from 'node:events';
import { Socket } from 'node:net';
import { type Entry, type OnDamage, readingOf } from '../history/entries.ts';
import type { SnapshotChunk } from '../snapshot/chunks.ts';
import type { Before, ChangedSet, Expectation } from './changed-set.ts';
import type { FormReport } from './form.ts';
import { type Limits, openLimitCheck, processUsage, tooMuchMemory } from './limits.ts';
import type { CatalogSource, SetReport } from './read-set.ts';

export interface WantedSet {
  /** A version, or its first digits; empty for the newest set of the directory that can be read. */
  version: string;
  /** The set that it replaces; undefined if none is served. */
  replaced: Before | undefined;
}

/** What the reader process does with its source: any number of tasks, one after the other. */
export type ReaderTask =
  /** Reads the set of the directory. Without `expected` it replaces no other, and `listAll` lists each problem. */
  | { task: 'read'; expected: Expectation | undefined; listAll: boolean }
  /** Reads what that set would be with the files of the form on standard input, and sends only the changes. */
  | { task: 'check'; expected: Expectation; contentType: string }
  | { task: 'restore'; wanted: WantedSet }
  /** Adds a set that is about to be served to the history, or to that of another state directory. */
  | { task: 'keep'; entry: Entry; aside: string | undefined }
  | { task: 'tidy' }
  /** Checks whether all files of a set of the history can be read. */
  | { task: 'verify'; entry: Entry };

/** `next` asks for the message after a chunk, so that no more than one chunk is under way. */
export type ReaderRequest = (ReaderTask & { source: CatalogSource }) | 'next';

/** A set that was read, or is the one that is served. */
type CheckedSet = Extract<ReaderResults['read'], { report: SetReport }>;

/** The end of each task. The chunks of a set come before it. */
export interface ReaderResults {
  read: Exclude<ChangedSet, { outcome: 'read' }> | { outcome: 'read'; report: SetReport };
  /** `nothing`: there is no form with files. */
  check: (CheckedSet & { form: FormReport }) | { outcome: 'nothing' };
  /** `nothing`: no version was wanted, and no set can be read. */
  restore: { outcome: 'read'; report: SetReport; since: number } | { outcome: 'nothing' };
  keep: { outcome: 'kept' };
  tidy: { outcome: 'tidied' };
  verify: { outcome: 'verified'; isWhole: boolean };
}

/** How far the reading of a set is; sent before the first chunk. */
export interface Progress {
  rows: number;
  /** How much of the bytes of all files has been read, from 0 to 100; also 100 while the indexes are built. */
  percent: number;
  /** For how many seconds there has been no progress; undefined while there is some. */
  stalledSeconds?: number | undefined;
}

/** `damage` is a sentence about a damaged file of the history. */
export type ReaderMessage =
  | Progress
  | SnapshotChunk
  | { damage: string }
  /** The file that it is at, or the Markdown files together; empty once all are read. */
  | { file: string }
  | ReaderResults[keyof ReaderResults]
  | { outcome: 'failed'; reason: string };

export type ReaderProcess = ReturnType<typeof openReaderProcess>;

/** Whoever waits for a task. */
export interface ReaderListener {
  /** Called now and then, and each second while there is no progress. */
  onProgress?: ((progress: Progress) => void) | undefined;
  onChunk?: (chunk: SnapshotChunk) => void;
  /** Called with a sentence for each damaged file of the history. */
  onDamage?: OnDamage;
  /** Ends the task, and the child. */
  signal?: AbortSignal | undefined;
}

/** How often the child is checked against its limits, in milliseconds. */
const CHECK_MS = 50;
/** How long a closed child may take to exit, in milliseconds. */
const EXIT_MS = 1000;

/** When the program runs from its sources, the child first registers a loader for TypeScript. */
const isSource = import.meta.url.endsWith('.ts');
const readerEntry = new URL(isSource ? '../../scripts/reader.mjs' : './reader.js', import.meta.url);

/** Compiling optimized code costs most sets more than that code saves. V8 renamed the option in its version 12. */
const LATE_OPTIMIZATION =
  Number.parseInt(process.versions.v8, 10) < 12
    ? '--interrupt-budget=500000'
    : '--invocation-count-for-turbofan=10000';

/** The variables by which Node and the C library behave as here, and packages resolve. All others may hold secrets. */
const PASSED_ON =
  /^(TZ|LANG|LANGUAGE|LC_\w+|TMPDIR|LD_LIBRARY_PATH|LD_PRELOAD|GLIBC_TUNABLES|MALLOC_\w+|UV_\w+|NODE_(OPTIONS|ICU_DATA|V8_COVERAGE))$/;

/**
 * Starts the child process that reads catalog files, so that no file can harm the process that serves. A thread is not
 * enough: an allocation that fails ends the whole process, and nothing stops a thread in a system call or in native code.
 * It runs the reader, unless a test has another `program`.
 */
export function openReaderProcess(
  settings: CatalogSource,
  program: string | URL = readerEntry,
  input: 'ignore' | 'pipe' = 'ignore',
) {
  const heapMb = Math.ceil((settings.loadMemoryMb * 2) / 3);
  const child = fork(program, {
    // Without V8's own threads and with a small young generation, it takes a fifth less CPU time and memory.
    execArgv: [
      `--max-old-space-size=${heapMb}`,
      '--max-semi-space-size=8',
      '--single-threaded',
      LATE_OPTIMIZATION,
    ],
    serialization: 'advanced',
    env: Object.fromEntries(Object.entries(process.env).filter(([name]) => PASSED_ON.test(name))),
    stdio: [input, 'ignore', 'ignore', 'ipc'],
  });
  const source = sourceOf(settings);
  child.unref();
  child.channel?.unref();
  // ask() reports a child that does not start.
  child.on('error', () => {});
  const { stdin }: { stdin: NodeJS.WritableStream | null } = child;
  return {
    /** What the child reads as its input; null unless it was opened with one. */
    input: stdin,
    /**
     * Does a task, and keeps this process alive meanwhile. Kills the child when it exceeds its limits or `signal` is aborted,
     * without waiting for its end, because a system call can delay that forever.
     * @throws Error whose message says why there is no result.
     */
    ask: <Task extends ReaderTask>(task: Task, listener: ReaderListener = {}) =>
      askReader(child, source, task, listener),
    /** Ends an idle child. */
    close(): void {
      if (child.connected) child.disconnect();
      // A system call that does not return keeps the child from exiting by itself.
      setTimeout(() => child.kill('SIGKILL'), EXIT_MS).unref();
    },
  };
}

async function askReader<Task extends ReaderTask>(
  child: ChildProcess,
  source: CatalogSource,
  task: Task,
  { onProgress, onChunk, onDamage, signal: closed }: ReaderListener,
): Promise<ReaderResults[Task['task']]> {
  const exceeded = new AbortController();
  const signal = AbortSignal.any(closed ? [closed, exceeded.signal] : [exceeded.signal]);
  const messages = on(child, 'message', { signal, close: ['exit'] });
  const send = (request: ReaderRequest) => child.connected && child.send(request);
  const check = openLimitCheck(source, performance.now());
  let progress: Progress = { rows: 0, percent: 0 };
  let [file, written] = ['', 0];
  const report = (latest: Progress) => {
    progress = latest;
    onProgress?.(latest);
  };
  const timer = setInterval(() => {
    // A slow line is no fault of the child.
    const { bytesWritten } = child.stdin instanceof Socket ? child.stdin : { bytesWritten: 0 };
    if (bytesWritten > written) check.heard();
    written = bytesWritten;
    const usage = child.pid === undefined ? undefined : processUsage(child.pid);
    const reason = check.exceeded(usage, performance.now(), file);
    if (reason) return exceeded.abort(new Error(reason));
    const stalledSeconds = check.stalledSeconds();
    if (stalledSeconds !== progress.stalledSeconds) report({ ...progress, stalledSeconds });
  }, CHECK_MS);
  try {
    send({ ...task, source });
    for (;;) {
      const next = child.connected ? await messages.next() : undefined;
      if (!next || next.done) throw new Error(reasonOfExit(child, source));
      check.heard();
      // The child is this program too, so its messages need no validation.
      const message: ReaderMessage = next.value[0];
      if ('percent' in message) report(message);
      else if ('file' in message) file = message.file;
      else if ('damage' in message) onDamage?.(message.damage);
      else if ('catalog' in message) {
        onChunk?.(message);
        send('next');
      } else if (message.outcome === 'failed') throw new TaskError(message.reason);
      else return message as ReaderResults[Task['task']];
    }
  } catch (error) {
    if (!(error instanceof TaskError)) child.kill('SIGKILL');
    signal.throwIfAborted();
    throw error;
  } finally {
    clearInterval(timer);
    await messages.return?.();
  }
}

/** A task failed, such as to write to a full disk; the process goes on. */
class TaskError extends Error {}

/** Only what a reader needs. All other settings may be secrets. */
function sourceOf(settings: CatalogSource): CatalogSource {
  const { catalogDir, imagesDir, stateDir, maxFileMb } = settings;
  const { loadMemoryMb, loadSeconds, historyMb, historyDays } = settings;
  const limits = { maxFileMb, loadMemoryMb, loadSeconds, historyMb, historyDays };
  return { catalogDir, imagesDir, stateDir, ...limits, ...readingOf({ ...settings, datedNames: true }) };
}

/** V8 aborts a process that runs out of heap, or traps while it starts, and the system kills one that runs out of memory. */
function reasonOfExit({ signalCode, exitCode }: ChildProcess, { loadMemoryMb }: Limits): string {
  const outOfMemory = ['SIGABRT', 'SIGKILL', 'SIGTRAP'];
  if (signalCode && outOfMemory.includes(signalCode)) return tooMuchMemory(loadMemoryMb);
  return `the reader process ended unexpectedly (${signalCode ?? exitCode ?? 'it did not start'})`;
}
