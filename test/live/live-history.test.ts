import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { systemClock } from '../../src/clock.ts';
import type { Entry } from '../../src/history/entries.ts';
import { openLiveHistory } from '../../src/live/live-history.ts';
import type { Loader } from '../../src/live/readers.ts';
import type { ReaderTask } from '../../src/reader/reader-process.ts';
import { setOf } from '../support/catalog/history.ts';
import { writeFiles } from '../support/catalogs.ts';
import { keepingLog } from '../support/reads/stores.ts';
import { until } from '../support/until.ts';

const [one, two] = ['one', 'two'].map(text => setOf({ 'products.json': text }).entry) as [Entry, Entry];

/** The history of a disk that writes when `written` is called, or fails; `passTime` lets each pause end. */
async function openHistory(
  t: TestContext,
  opening: Promise<{ mayWrite(): Promise<boolean> }> = Promise.resolve({ mayWrite: async () => true }),
) {
  const calls: string[] = [];
  const { messages, ...log } = keepingLog();
  const pauses: (() => void)[] = [];
  const writes: { resolve(): void; reject(error: Error): void }[] = [];
  const ask = async (task: ReaderTask) => {
    if (task.task === 'tidy') return calls.push('tidy');
    if (task.task !== 'keep') return assert.fail();
    if (task.aside !== undefined) return undefined;
    calls.push(`keep ${task.entry.version}`);
    return new Promise<void>((resolve, reject) => writes.push({ resolve, reject }));
  };
  const loader: Loader = {
    // Nobody looks at the result.
    ask: ask as unknown as Loader['ask'],
    load: () => assert.fail(),
    restore: () => assert.fail(),
    close: () => void calls.push('close'),
  };
  const stateDir = await writeFiles(t, {});
  const sleep = () => new Promise<void>(resolve => void pauses.push(resolve));
  const history = openLiveHistory({ stateDir, catalogDir: '/catalog' }, opening, log, {
    clock: { ...systemClock, sleep },
  });
  /** Lets what has been resolved go on as far as it can. */
  const turn = () => new Promise(resolve => setImmediate(resolve));
  const nextWrite = () => until(t, async () => writes.shift());
  return {
    history,
    loader,
    calls,
    messages,
    async written() {
      (await nextWrite()).resolve();
      await turn();
    },
    async failed(reason: string) {
      (await nextWrite()).reject(new Error(reason));
      await turn();
    },
    async passTime() {
      await turn();
      for (const end of pauses.splice(0)) end();
      await turn();
    },
  };
}

function watch(promise: Promise<unknown>) {
  let isDone = false;
  void promise.then(() => {
    isDone = true;
  });
  return () => isDone;
}

test('a set does not wait longer for a disk that hangs; that is said, and also when it is written after all', async t => {
  const { history, loader, written, passTime, messages } = await openHistory(t);
  const isKept = watch(history.keep(one, loader));
  await passTime();
  assert.equal(isKept(), true);
  assert.equal(history.fault(), 'the disk has not answered for 1 s');
  const late = /^error: version \w+ is not in .*history, retrying: the disk has not answered for 1 s$/;
  assert.match(messages.join(), late);
  const isNextKept = watch(history.keep(two, loader));
  await passTime();
  assert.equal(isNextKept(), true);
  await written();
  assert.equal(history.fault(), 'the disk has not answered for 1 s');
  await written();
  assert.equal(history.fault(), undefined);
  assert.deepEqual(messages.slice(1), [`info: version ${two.version} is in the history now`]);
});

test('a set that cannot be written goes live, which is said; it is due again, and kept then', async t => {
  const { history, loader, written, failed, messages } = await openHistory(t);
  const clock = t.mock.method(performance, 'now', () => 0).mock;
  const isKept = watch(history.keep(one, loader));
  await failed('no space left on device');
  assert.equal(isKept(), true);
  assert.equal(history.fault(), 'no space left on device');
  assert.equal(history.isDue(), false);
  clock.mockImplementation(() => 10_000);
  assert.equal(history.isDue(), true);
  const again = history.keep(one, loader);
  assert.equal(history.isDue(), false);
  await written();
  await again;
  assert.equal(history.fault(), undefined);
  assert.deepEqual(messages.slice(1), [`info: version ${one.version} is in the history now`]);
});

test('going back from a set that could not be kept to the newest of the history ends the fault', async t => {
  const { history, loader, written, failed } = await openHistory(t);
  void history.keep(one, loader);
  await written();
  void history.keep(two, loader);
  await failed('no space left on device');
  await history.keep(one, loader);
  assert.equal(history.fault(), undefined);
  assert.equal(history.isDue(), false);
});

test('nothing is written before the state directory is locked, and nothing if another process has it', async t => {
  let lock = () => {};
  const opening = new Promise<{ mayWrite(): Promise<boolean> }>(resolve => {
    lock = () => resolve({ mayWrite: async () => true });
  });
  const { history, loader, written, passTime, calls } = await openHistory(t, opening);
  const isKept = watch(history.keep(one, loader));
  await passTime();
  assert.deepEqual([isKept(), calls], [false, []]);
  lock();
  await written();
  assert.deepEqual([isKept(), calls], [true, [`keep ${one.version}`]]);

  const inUse = Promise.reject(new Error('in use'));
  inUse.catch(() => {});
  const other = await openHistory(t, inUse);
  await other.history.keep(one, other.loader);
  other.history.tidy(other.loader);
  await other.history.settled();
  assert.deepEqual(other.calls, ['close']);
});
