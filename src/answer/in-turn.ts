import { setImmediate as breathe } from 'node:timers/promises';

/** Settles when all earlier work is done. Shared by all services of a process, as the event loop is. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Does work in steps of at most a few milliseconds. The first step runs at once. Further steps wait for all earlier work, and
 * each yields to the event loop first, so that other requests are answered in between.
 */
export async function inTurn<Result>(steps: Generator<undefined, Result>): Promise<Result> {
  const first = steps.next();
  if (first.done) return first.value;
  const result = last.then(() => runSteps(steps));
  last = result.catch(() => {}); // The caller gets the error.
  return result;
}

async function runSteps<Result>(steps: Generator<undefined, Result>): Promise<Result> {
  for (;;) {
    await breathe();
    const { done, value } = steps.next();
    if (done) return value;
  }
}
