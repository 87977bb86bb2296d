import { readFileSync } from 'node:fs';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

/** How much a process may use to read a set before it is killed. */
export interface Limits {
  /** Resident memory in MB. Systems other than Linux limit only V8's heap, to two thirds of it. */
  loadMemoryMb: number;
  /**
   * CPU time, and also time without any progress, in seconds. Clock time is limited too, to {@link CLOCK_FACTOR} times as
   * much; on systems other than Linux, which limit nothing else, to as much.
   */
  loadSeconds: number;
}

/** Checks the usage of one process against its limits. */
interface LimitCheck {
  /** Call this with every message that the process sends. */
  heard(): void;
  /** Why the process must end; undefined while it is within its limits. `now` is in milliseconds. */
  exceeded(usage: Usage | undefined, now: number): string | undefined;
  /**
   * For how many whole seconds it has done nothing since its last message, once that is {@link STALLED_SECONDS}; undefined
   * before. A little CPU time does not interrupt them: a process whose read hangs uses some now and then.
   */
  stalledSeconds(): number | undefined;
}

/** A busy machine gives a process less CPU time, but not less than this part of it. */
const CLOCK_FACTOR = 10;

/** A disk that spins up or a share that reconnects responds sooner, in seconds. */
export const STALLED_SECONDS = 10;

/** The most that the time between two checks counts, in milliseconds: without CPU time for this process, they come late. */
const MAX_CHECK_MS = 500;

/**
 * Counts CPU time rather than clock time, because a busy machine is not the fault of the files. A process that hangs, as
 * on a dead mount, is not runnable. Starts at `start`, in milliseconds.
 */
export function openLimitCheck({ loadMemoryMb, loadSeconds }: Limits, start: number): LimitCheck {
  let first: Usage | undefined;
  let last: Usage | undefined;
  let lastCheck = start;
  let clockMs = 0;
  let idleMs = 0;
  let stalledMs = 0;
  return {
    heard() {
      idleMs = 0;
      stalledMs = 0;
    },
    exceeded(usage, now) {
      const sinceCheck = Math.min(now - lastCheck, MAX_CHECK_MS);
      lastCheck = now;
      clockMs += sinceCheck;
      first ??= usage;
      const isIdle = !usage || (!usage.isRunnable && usage.cpuSeconds === last?.cpuSeconds);
      idleMs = isIdle ? idleMs + sinceCheck : 0;
      if (isIdle) stalledMs += sinceCheck;
      last = usage;
      if (usage && usage.residentMb > loadMemoryMb) return tooMuchMemory(loadMemoryMb);
      if (usage && first && usage.cpuSeconds - first.cpuSeconds > loadSeconds) return tooMuchCpu(loadSeconds);
      if (usage && idleMs > loadSeconds * 1000) return stuck(loadSeconds);
      const clockSeconds = usage ? CLOCK_FACTOR * loadSeconds : loadSeconds;
      return clockMs > clockSeconds * 1000 ? tooMuchTime(clockSeconds) : undefined;
    },
    stalledSeconds() {
      const seconds = Math.floor(stalledMs / 1000);
      return seconds < STALLED_SECONDS ? undefined : seconds;
    },
  };
}

export function tooMuchMemory(megabytes: number): string {
  return `it takes more than ${megabytes} MB of memory: make the files smaller, or set LOAD_MEMORY_MB`;
}

function tooMuchCpu(seconds: number): string {
  return `it takes more than ${seconds} s of CPU time: make the files smaller`;
}

function stuck(seconds: number): string {
  return `no progress for ${seconds} s: check that the disk or the network mount responds`;
}

function tooMuchTime(seconds: number): string {
  return `it takes more than ${seconds} s: check that the disk or the network mount responds`;
}

/** What a process has used so far. */
interface Usage {
  /** CPU time of all its threads, in seconds. */
  cpuSeconds: number;
  /** Resident memory in MB. */
  residentMb: number;
  /** Whether it runs or waits for a CPU, and for nothing else. */
  isRunnable: boolean;
}

/** Linux reports CPU time in hundredths of a second on every architecture that Node runs on (proc(5), USER_HZ). */
const TICKS_PER_SECOND = 100;

/** The usage of a process; undefined if it does not exist or the system is not Linux. */
export function usageOf(pid: number): Usage | undefined {
  try {
    // The program name, in brackets before these fields, can itself contain spaces and brackets.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    const [userTicks, systemTicks] = [Number(fields[11]), Number(fields[12])];
    const resident = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return {
      cpuSeconds: (userTicks + systemTicks) / TICKS_PER_SECOND,
      residentMb: Number(resident?.[1] ?? 0) / 1024,
      isRunnable: fields[0] === 'R',
    };
  } catch {
    return undefined;
  }
}

/** A collection takes longer than it is worth if it cannot free as much as this. */
const LARGE_BYTES = 2 ** 27;

/** What was in memory after the last collection. */
let leftOver = 0;

/**
 * Frees what the last step of a reader left behind; V8 would first let the heap grow. The second collection returns to the
 * system what the first one freed. Does nothing if little was added since the last time.
 */
export async function collectGarbage(): Promise<void> {
  if (bytesInMemory() - leftOver < LARGE_BYTES) return;
  await yieldToEventLoop();
  globalThis.gc?.();
  await yieldToEventLoop();
  globalThis.gc?.();
  leftOver = bytesInMemory();
}

function bytesInMemory(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
