import type { TestContext } from 'node:test';

type CleanUp = () => unknown;

/** A test, or what else lasts until it cleans up. */
export type Lifetime = Pick<TestContext, 'after'>;

const cleanUps = new WeakMap<Lifetime, CleanUp[]>();

/**
 * Cleans up after a test, the last first, so that a process ends before its directory is removed. One that fails does not
 * keep the others from running, and fails the test.
 */
export function afterTest(t: Lifetime, cleanUp: CleanUp): void {
  const registered = cleanUps.get(t);
  if (registered) return void registered.push(cleanUp);
  const all = [cleanUp];
  cleanUps.set(t, all);
  t.after(async () => {
    const errors: unknown[] = [];
    for (let next = all.pop(); next; next = all.pop()) {
      try {
        await next();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw new AggregateError(errors, errors.map(String).join('\n'));
  });
}
