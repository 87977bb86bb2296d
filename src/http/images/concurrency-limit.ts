/** Runs a few jobs at a time; the others wait in a queue. */
export interface ConcurrencyLimit {
  run<Result>(job: () => Promise<Result>): Promise<Result>;
  /** Whether the queue is full. `run` still accepts jobs, so that work that has begun can finish. */
  isFull(): boolean;
}

/**
 * Limits how many file operations occupy libuv's thread pool, which has four threads in all. Operations
 * that hang, as on a lost network mount, would otherwise block saving counts and reloading catalogs.
 */
export function openConcurrencyLimit(maxRunning: number, maxQueued: number): ConcurrencyLimit {
  const queue: (() => void)[] = [];
  let free = maxRunning;
  return {
    async run(job) {
      if (free > 0) free -= 1;
      else await new Promise<void>(resolve => queue.push(resolve));
      try {
        return await job();
      } finally {
        const next = queue.shift();
        if (next) next();
        else free += 1;
      }
    },
    isFull: () => queue.length >= maxQueued,
  };
}
