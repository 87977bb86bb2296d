import type { Clock } from '../../src/clock.ts';

/** A clock that stands still until it is told to go on, and can leap as that of a machine. */
export interface SimulatedClock extends Clock {
  /** Lets so many ms pass: each sleep that ends meanwhile ends in order, and what follows from it happens at once. */
  pass(ms: number): Promise<void>;
  leap(seconds: number): void;
}

/** Lets everything happen that waits for nothing but other promises. */
const settle = () => new Promise<void>(resolve => setImmediate(resolve));

export function simulateClock(start = 1_800_000_000): SimulatedClock {
  let ms = 0;
  let offset = start;
  let sleepers: { until: number; wake: () => void }[] = [];
  return {
    now: () => offset + ms / 1000,
    ms: () => ms,
    sleep: (pauseMs, signal) =>
      new Promise<void>((resolve, reject) => {
        const sleeper = {
          until: ms + pauseMs,
          wake() {
            signal?.removeEventListener('abort', abort);
            resolve();
          },
        };
        const abort = () => {
          sleepers = sleepers.filter(other => other !== sleeper);
          reject(signal?.reason);
        };
        if (signal?.aborted) return abort();
        signal?.addEventListener('abort', abort, { once: true });
        sleepers.push(sleeper);
      }),
    async pass(passedMs) {
      const end = ms + passedMs;
      for (;;) {
        await settle();
        const [next] = sleepers.sort((one, other) => one.until - other.until);
        if (!next || next.until > end) break;
        ms = Math.max(ms, next.until);
        sleepers = sleepers.filter(other => other !== next);
        next.wake();
      }
      ms = end;
      await settle();
    },
    leap(seconds) {
      offset += seconds;
    },
  };
}
