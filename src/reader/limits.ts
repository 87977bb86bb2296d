import { readFileSync } from 'node:fs';
import type { Settings } from '../settings/settings.ts';

/**
 * Limits on reading a set: resident memory (on systems other than Linux, V8's heap up to two thirds of it), time without
 * progress and, on Linux, CPU time.
 */
export type Limits = Pick<Settings, 'loadMemoryMb' | 'loadSeconds'>;

/** Longer than a disk needs to spin up or a share to reconnect, in seconds. */
export const STALLED_SECONDS = 10;

/** The maximum time between two checks that counts, in milliseconds: without CPU time for this process, they come late. */
const MAX_CHECK_MS = 500;

/**
 * Checks the usage of a process against its limits, from `start` (milliseconds) on. Clock time counts only while the process
 * neither runs nor waits for a CPU, since a busy machine is not the fault of the files.
 */
export function openLimitCheck({ loadMemoryMb, loadSeconds }: Limits, start: number) {
  let first: Usage | undefined;
  let last: Usage | undefined;
  let lastCheck = start;
  let stalledMs = 0;
  return {
    /** Call this for every message of the process. */
    heard(): void {
      stalledMs = 0;
    },
    /** Returns why the process must end while reading `file`; undefined within its limits. `now` is in milliseconds. */
    exceeded(usage: Usage | undefined, now: number, file = ''): string | undefined {
      const isIdle = !usage || (!usage.isRunnable && usage.cpuSeconds === last?.cpuSeconds);
      if (isIdle) stalledMs += Math.min(now - lastCheck, MAX_CHECK_MS);
      lastCheck = now;
      first ??= usage;
      last = usage;
      if (usage && usage.residentMb > loadMemoryMb) return tooMuchMemory(loadMemoryMb);
      if (usage && first && usage.cpuSeconds - first.cpuSeconds > loadSeconds)
        return `it takes more than ${loadSeconds} s of CPU time${file && `, the last of it for ${file}`}: make the files smaller`;
      if (stalledMs > loadSeconds * 1000)
        return `no progress for ${loadSeconds} s: check that the disk or the network mount responds`;
      return undefined;
    },
    /**
     * How long the process has done nothing, in whole seconds, from {@link STALLED_SECONDS} on. A little CPU time is not
     * progress: a process whose read hangs uses some.
     */
    stalledSeconds(): number | undefined {
      const seconds = Math.floor(stalledMs / 1000);
      return seconds < STALLED_SECONDS ? undefined : seconds;
    },
  };
}

export function tooMuchMemory(megabytes: number): string {
  return `it takes more than ${megabytes} MB of memory: make the files smaller, or set LOAD_MEMORY_MB`;
}

type Usage = NonNullable<ReturnType<typeof processUsage>>;

/** Linux reports CPU time in hundredths of a second on every architecture of Node (proc(5), USER_HZ). */
const TICKS_PER_SECOND = 100;

/** Returns the usage of a process; undefined if it has ended or the system is not Linux. */
export function processUsage(pid: number) {
  try {
    // The program name comes first, in brackets, and may itself contain spaces and brackets.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    const [userTicks, systemTicks] = [Number(fields[11]), Number(fields[12])];
    const resident = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return {
      /** Of all threads. */
      cpuSeconds: (userTicks + systemTicks) / TICKS_PER_SECOND,
      residentMb: Number(resident?.[1] ?? 0) / 1024,
      /** Whether it runs or waits for a CPU. */
      isRunnable: fields[0] === 'R',
    };
  } catch {
    return undefined;
  }
}
