import { setImmediate as breathe } from 'node:timers/promises';

/** Settles when all earlier work is done. One per process, like the event loop. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Does work in steps, each of a few milliseconds at most. Runs the first step at once, and that is all if it was the last.
 * Further steps run after all earlier work, and yield to the event loop before each, so that other requests are answered in
 * between.
 */
export async function inTurn<Result>(steps: Generator<undefined, Result>): Promise<Result> {
  const first = steps.next();
  if (first.done) return first.value;
  const result = last.then(() => finish(steps));
  last = result.catch(() => {}); // The caller gets the error.
  return result;
}

async function finish<Result>(steps: Generator<undefined, Result>): Promise<Result> {
  for (;;) {
    await breathe();
    const { done, value } = steps.next();
    if (done) return value;
  }
}
