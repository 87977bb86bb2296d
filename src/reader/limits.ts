import { readFileSync } from 'node:fs';
import type { Settings } from '../settings/settings.ts';

/**
 * How much a process may use to read a set before it is killed: resident memory, though systems other than Linux limit only
 * V8's heap, to two thirds of it; and time without any progress and, on Linux, CPU time.
 */
export type Limits = Pick<Settings, 'loadMemoryMb' | 'loadSeconds'>;

/** A disk that spins up or a share that reconnects responds sooner, in seconds. */
export const STALLED_SECONDS = 10;

/** The most that the time between two checks counts, in milliseconds: without CPU time for this process, they come late. */
const MAX_CHECK_MS = 500;

/**
 * Checks the usage of one process against its limits, from `start` on, in milliseconds. Clock time counts only while the
 * process neither runs nor waits for a CPU: a busy machine is not the fault of the files.
 */
export function openLimitCheck({ loadMemoryMb, loadSeconds }: Limits, start: number) {
  let first: Usage | undefined;
  let last: Usage | undefined;
  let lastCheck = start;
  let stalledMs = 0;
  return {
    /** Call this with every message that the process sends. */
    heard(): void {
      stalledMs = 0;
    },
    /** Why the process must end, which is at `file`; undefined while it is within its limits. `now` is in milliseconds. */
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
     * For how many whole seconds it has done nothing since its last message, once that is {@link STALLED_SECONDS}. A little
     * CPU time does not count as progress: a process whose read hangs uses some now and then.
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

/** Linux reports CPU time in hundredths of a second on every architecture that Node runs on (proc(5), USER_HZ). */
const TICKS_PER_SECOND = 100;

/** The usage of a process; undefined if it does not exist or the system is not Linux. */
export function processUsage(pid: number) {
  try {
    // The program name, in brackets before these fields, can itself contain spaces and brackets.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    const [userTicks, systemTicks] = [Number(fields[11]), Number(fields[12])];
    const resident = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return {
      /** CPU time of all its threads. */
      cpuSeconds: (userTicks + systemTicks) / TICKS_PER_SECOND,
      residentMb: Number(resident?.[1] ?? 0) / 1024,
      /** Whether it runs or waits for a CPU, and for nothing else. */
      isRunnable: fields[0] === 'R',
    };
  } catch {
    return undefined;
  }
}
