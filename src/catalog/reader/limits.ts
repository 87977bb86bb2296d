import { readFileSync } from 'node:fs';

/** How much a process may use to read a set before it is killed. */
export interface Limits {
  /** Resident memory in MB. Systems other than Linux limit only V8's heap, to two thirds of it. */
  loadMemoryMb: number;
  /** CPU time, and also time without any progress, in seconds. Systems other than Linux limit the total time. */
  loadSeconds: number;
}

/** Checks the usage of one process against its limits. */
export interface LimitCheck {
  /** Call this with every message that the process sends. */
  heard(): void;
  /** Why the process must end; undefined while it is within its limits. `now` is in milliseconds. */
  exceeded(usage: Usage | undefined, now: number): string | undefined;
}

/**
 * Counts CPU time, not wall-clock time, because a busy machine is not the fault of the files. A process that hangs, as
 * on a dead mount, uses no CPU time and is not runnable either.
 */
export function openLimitCheck({ loadMemoryMb, loadSeconds }: Limits, start: number): LimitCheck {
  let first: Usage | undefined;
  let last: Usage | undefined;
  let lastCheck = start;
  let idleMs = 0;
  return {
    heard() {
      idleMs = 0;
    },
    exceeded(usage, now) {
      // When this process gets no CPU time either, its checks come late.
      const sinceCheck = Math.min(now - lastCheck, MAX_CHECK_MS);
      lastCheck = now;
      if (!usage) return now - start > loadSeconds * 1000 ? tooMuchTime(loadSeconds) : undefined;
      first ??= usage;
      const isIdle = !usage.isRunnable && usage.cpuSeconds === last?.cpuSeconds;
      idleMs = isIdle ? idleMs + sinceCheck : 0;
      last = usage;
      if (usage.residentMb > loadMemoryMb) return tooMuchMemory(loadMemoryMb);
      if (usage.cpuSeconds - first.cpuSeconds > loadSeconds) return tooMuchCpu(loadSeconds);
      return idleMs > loadSeconds * 1000 ? stuck(loadSeconds) : undefined;
    },
  };
}

/** The most that the time between two checks counts, in milliseconds. */
const MAX_CHECK_MS = 500;

export function tooMuchMemory(megabytes: number): string {
  return `it takes more than ${megabytes} MB of memory: make the files smaller, or set LOAD_MEMORY_MB`;
}

function tooMuchCpu(seconds: number): string {
  return `it takes more than ${seconds} s of CPU time: make the files smaller, or set LOAD_SECONDS`;
}

function stuck(seconds: number): string {
  return `no progress for ${seconds} s: check that the disk or the network mount responds`;
}

function tooMuchTime(seconds: number): string {
  return `it takes more than ${seconds} s: make the files smaller, or set LOAD_SECONDS`;
}

/** What a process has used so far. */
export interface Usage {
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
