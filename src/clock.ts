import { setTimeout as delay } from 'node:timers/promises';

/** What time it is, and how to let some pass. A simulation has one of its own. */
export interface Clock {
  /** Seconds since 1970. The clock of a machine can be set back or forward. */
  now(): number;
  /** Milliseconds since some moment; never goes back. */
  ms(): number;
  /** Resolves after so many milliseconds. Keeps the process alive if `ref`. Rejects when `signal` is aborted. */
  sleep(ms: number, signal: AbortSignal | undefined, ref: boolean): Promise<unknown>;
}

export const systemClock: Clock = {
  now: () => Date.now() / 1000,
  ms: () => performance.now(),
  sleep: (ms, signal, ref) => delay(ms, undefined, { ref, ...(signal && { signal }) }),
};
