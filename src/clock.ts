import { setTimeout as delay } from 'node:timers/promises';

/** Tells the time and waits. A simulation has its own. */
export interface Clock {
  /** Seconds since 1970. The clock of a machine can be set back or forward. */
  now(): number;
  /** Milliseconds since some moment. Never goes back. */
  ms(): number;
  /** Resolves after this many milliseconds. Keeps the process alive if `ref`. Rejects when `signal` is aborted. */
  sleep(ms: number, signal: AbortSignal | undefined, ref: boolean): Promise<unknown>;
}

/** When something happens. */
export interface Moment {
  /** In seconds since 1970. */
  now: number;
  /** In milliseconds of the clock that never goes back. */
  ms: number;
}

export function momentOf(clock: Clock): Moment {
  return { now: clock.now(), ms: clock.ms() };
}

export const systemClock: Clock = {
  now: () => Date.now() / 1000,
  ms: () => performance.now(),
  sleep: (ms, signal, ref) => delay(ms, undefined, { ref, ...(signal && { signal }) }),
};
