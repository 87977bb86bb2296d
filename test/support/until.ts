import type { TestContext } from 'node:test';
import timers from 'node:timers/promises';

/** The real one, which goes on where a test mocks timers. */
const delay = timers.setTimeout;

/** Between two looks, in ms: a loop without a pause takes a core from what it waits for. */
const PAUSE_MS = 10;

/** So many looks take minutes, after which something is broken. */
const MOST_LOOKS = 12_000;

/** Resolves to the first value of `look` but undefined and false; fails with the test's own timeout, or if there never is one. */
export async function until<Value>(
  t: TestContext,
  look: () => Promise<Value | false | undefined>,
): Promise<Value> {
  for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
    const value = await look();
    if (value !== undefined && value !== false) return value;
    await delay(PAUSE_MS, undefined, { signal: t.signal });
  }
  throw new Error('what the test waits for does not happen');
}
