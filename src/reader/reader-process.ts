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
  /** A version or its first digits; empty for the newest readable set of the directory. */
  version: string;
  replaced: Before | undefined;
}

/** The tasks of a reader process. It does any number of them, one after the other. */
export type ReaderTask =
  /** Reads the directory. Without `expected`, the set replaces no other. `listAll` lists equal problems separately. */
  | { task: 'read'; expected: Expectation | undefined; listAll: boolean }
  /** Reads the directory as it would be with the form on standard input, and sends only the changes. */
  | { task: 'check'; expected: Expectation; contentType: string }
  | { task: 'restore'; wanted: WantedSet }
  /** Stores a set that is about to be served in the history, or in the temporary state directory `copyDir`. */
  | { task: 'keep'; entry: Entry; copyDir: string | undefined }
  | { task: 'tidy' }
  /** Checks whether all files of an entry can be read. */
  | { task: 'verify'; entry: Entry };

/** `next` asks for the next chunk, so that only one is in transit. */
export type ReaderRequest = (ReaderTask & { source: CatalogSource }) | 'next';

type CheckedSet = Extract<ReaderResults['read'], { report: SetReport }>;

/** The results of the tasks. The chunks of a set come first. */
export interface ReaderResults {
  read: Exclude<ChangedSet, { outcome: 'read' }> | { outcome: 'read'; report: SetReport };
  /** `nothing`: the form has no files. */
  check: (CheckedSet & { form: FormReport }) | { outcome: 'nothing' };
  /** `nothing`: any version would do, and none can be read. */
  restore: { outcome: 'read'; report: SetReport; since: number } | { outcome: 'nothing' };
  keep: { outcome: 'kept' };
  tidy: { outcome: 'tidied' };
  verify: { outcome: 'verified'; isWhole: boolean };
}

/** The progress of a read; sent before the first chunk. */
export interface Progress {
  rows: number;
  /** How much of all bytes has been read, from 0 to 100; also 100 while indexes are built. */
  percent: number;
  /** How long there has been no progress, in seconds; undefined while there is some. */
  stalledSeconds?: number | undefined;
}

/** `damage` is a sentence about a damaged file of the history. */
export type ReaderMessage =
  | Progress
  | SnapshotChunk
  | { damage: string }
  /** The file being read, or all Markdown files together; empty once all are read. */
  | { file: string }
  | ReaderResults[keyof ReaderResults]
  | { outcome: 'failed'; reason: string };

export type ReaderProcess = ReturnType<typeof openReaderProcess>;

export interface ReaderListener {
  /** Called now and then, and every second while there is no progress. */
  onProgress?: ((progress: Progress) => void) | undefined;
  onChunk?: (chunk: SnapshotChunk) => void;
  onDamage?: OnDamage;
  /** Ends the task and the child. */
  signal?: AbortSignal | undefined;
}

/** How often the limits are checked, in milliseconds. */
const CHECK_MS = 50;
/** How long a closed child may take to exit, in milliseconds. */
const EXIT_MS = 1000;

/** From sources, the child first needs a loader for TypeScript. */
const isSource = import.meta.url.endsWith('.ts');
const readerEntry = new URL(isSource ? '../../scripts/reader.mjs' : './reader.js', import.meta.url);

/** For most sets, optimizing compilation costs more than it saves. V8 12 renamed the option. */
const LATE_OPTIMIZATION =
  Number.parseInt(process.versions.v8, 10) < 12
    ? '--interrupt-budget=500000'
    : '--invocation-count-for-turbofan=10000';

/** Variables that Node, the C library and package resolution need. All others may hold secrets. */
const PASSED_ON =
  /^(TZ|LANG|LANGUAGE|LC_\w+|TMPDIR|LD_LIBRARY_PATH|LD_PRELOAD|GLIBC_TUNABLES|MALLOC_\w+|UV_\w+|NODE_(OPTIONS|ICU_DATA|V8_COVERAGE))$/;

/**
 * Starts the child process that reads catalog files. A thread would not do: an allocation that fails ends the whole process,
 * and nothing stops a thread in a system call or native code. Tests may pass another `program`.
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
  child.on('error', () => {});
  const { stdin }: { stdin: NodeJS.WritableStream | null } = child;
  return {
    /** The standard input of the child; null unless opened as a pipe. */
    input: stdin,
    /**
     * Does a task, and keeps this process alive meanwhile. Kills the child if it exceeds its limits or `signal` is aborted,
     * without waiting for its end, which a system call can delay forever.
     * @throws Error whose message says why there is no result.
     */
    ask: <Task extends ReaderTask>(task: Task, listener: ReaderListener = {}) =>
      askReader(child, source, task, listener),
    close(): void {
      if (child.connected) child.disconnect();
      // The child cannot exit by itself while a system call hangs.
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
    // Bytes that arrive count as progress: a slow line is not the fault of the child.
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
      // The child is this program, so its messages need no validation.
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

/** A task failed, such as writing to a full disk; the child continues. */
class TaskError extends Error {}

/** Other settings may be secrets. */
function sourceOf(settings: CatalogSource): CatalogSource {
  const { catalogDir, imagesDir, stateDir, maxFileMb } = settings;
  const { loadMemoryMb, loadSeconds, historyMb, historyDays } = settings;
  const limits = { maxFileMb, loadMemoryMb, loadSeconds, historyMb, historyDays };
  return { catalogDir, imagesDir, stateDir, ...limits, ...readingOf(settings) };
}

/** Explains an exit. V8 aborts a process without heap; the system kills one without memory. */
function reasonOfExit({ signalCode, exitCode }: ChildProcess, { loadMemoryMb }: Limits): string {
  const outOfMemory = ['SIGABRT', 'SIGKILL', 'SIGTRAP'];
  if (signalCode && outOfMemory.includes(signalCode)) return tooMuchMemory(loadMemoryMb);
  return `the reader process ended unexpectedly (${signalCode ?? exitCode ?? 'it did not start'})`;
}
