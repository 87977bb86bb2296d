import type { TestContext } from 'node:test';

/** Resolves to the first value of `look` that is not undefined; fails with the test's own timeout. */
export async function until<Value>(t: TestContext, look: () => Promise<Value | undefined>): Promise<Value> {
  for (;;) {
    const value = await look();
    if (value !== undefined) return value;
    t.signal.throwIfAborted();
    await new Promise(setImmediate);
  }
}
