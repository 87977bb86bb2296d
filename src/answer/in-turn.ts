import { setImmediate as breathe } from 'node:timers/promises';
import pLimit from 'p-limit';

/** Shared by all services of a process, as the event loop is. */
const queue = pLimit(1);

/**
 * Does work in steps of at most a few milliseconds. The first step runs at once. Further steps wait for all earlier work, and
 * each yields to the event loop first, so that other requests are answered in between.
 */
export async function inTurn<Result>(steps: Generator<undefined, Result>): Promise<Result> {
  const first = steps.next();
  return first.done ? first.value : queue(() => runSteps(steps));
}

async function runSteps<Result>(steps: Generator<undefined, Result>): Promise<Result> {
  for (;;) {
    await breathe();
    const { done, value } = steps.next();
    if (done) return value;
  }
}
