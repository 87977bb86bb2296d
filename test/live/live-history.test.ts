import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Entry } from '../../src/history/entries.ts';
import {
  afterEvent,
  type HistoryEvent,
  openLiveHistory,
  unknownHistory,
} from '../../src/live/live-history.ts';
import type { Loader } from '../../src/live/readers.ts';
import type { ReaderTask } from '../../src/reader/reader-process.ts';
import { setOf } from '../support/history.ts';
import { simulateDisk } from '../support/simulated-disk.ts';
import { simulateClock } from '../support/simulated-time.ts';
import { keepingLog } from '../support/stores.ts';

const [one, two] = ['one', 'two'].map(text => setOf({ 'products.json': text }).entry) as [Entry, Entry];

const serving = (set: Entry) => ({ type: 'serving', set }) as const;
const written = (set: Entry) => ({ type: 'written', set }) as const;
const [served, replaced] = [
  [serving(one), written(one)],
  [serving(one), written(one), serving(two)],
];
const late = 'the disk has not answered for 1 s';
const [full, unreadable] = ['no space left on device', 'permission denied'];
const unwritten = (set: Entry) => ({ type: 'unwritten', set, fault: full }) as const;
const unseen = (set: Entry) => ({ type: 'unseen', set, fault: unreadable }) as const;
const gone = 'its files there are gone';
const never = Number.POSITIVE_INFINITY;

/** What happens, each at 1,000 ms; and when to write what is served, in ms. */
interface Known {
  after: HistoryEvent[];
  newest?: Entry;
  fault?: string;
  dueAt?: number;
}
const lateOne = { type: 'late', set: one } as const;
const lostOne = { type: 'lost', set: one } as const;
const seenOne = { type: 'seen', set: one } as const;
const table: Known[] = [
  { after: [serving(one)] },
  { after: [serving(one), lateOne], fault: late },
  { after: [serving(one), lateOne, written(one)], newest: one },
  { after: [serving(one), unwritten(one)], fault: full, dueAt: 11_000 },
  { after: [serving(one), unwritten(one), serving(one)], fault: full },
  { after: [serving(one), unwritten(one), ...served], newest: one },
  { after: served, newest: one },
  { after: replaced, newest: one },
  { after: [serving(one), lateOne, serving(two), written(one)], newest: one, fault: late },
  { after: [...replaced, unwritten(two)], newest: one, fault: full, dueAt: 11_000 },
  { after: [...replaced, unwritten(two), ...served], newest: one },
  { after: [...served, { type: 'looking', set: one }], newest: one },
  { after: [...served, seenOne], newest: one },
  { after: [...served, lostOne], fault: gone, dueAt: 1_000 },
  { after: [...served, unseen(one)], newest: one, fault: unreadable },
  { after: [...served, unseen(one), seenOne], newest: one },
  { after: [...served, lostOne, unseen(one)], fault: unreadable, dueAt: 1_000 },
  // What was looked for is no longer served.
  { after: [...replaced, lostOne], newest: one },
  { after: [...replaced, unseen(one)], newest: one },
  { after: [...replaced, unwritten(two), seenOne], newest: one, fault: full, dueAt: 11_000 },
];

test('what is known of the history, and when to write to it again, follows from what becomes of its sets', () => {
  for (const { after, newest, fault, dueAt = never } of table) {
    const state = after.reduce((before, event) => afterEvent(before, event, 1_000), unknownHistory);
    const what = after.map(({ type, set }) => `${type} ${set === one ? 'one' : 'two'}`).join();
    assert.deepEqual([state.newest, state.fault, state.dueAt], [newest, fault, dueAt], what);
  }
  const known = { ...unknownHistory, latest: one, newest: one, noted: 'b2' };
  const after = (type: 'looking' | 'seen' | 'lost') => afterEvent(known, { type, set: one }, 1_000);
  assert.deepEqual([after('looking').checkAt, after('seen').checkAt], [never, 6_000]);
  assert.deepEqual([after('seen').noted, after('lost').noted], ['b2', null]);
});

/** The history of a disk that writes when `written` is called. */
function openHistory(opening: Promise<{ mayWrite(): Promise<boolean> }>) {
  const calls: string[] = [];
  const { messages, ...log } = keepingLog();
  const clock = simulateClock();
  const writes: (() => void)[] = [];
  const ask = async (task: ReaderTask) => {
    if (task.task === 'tidy') return calls.push('tidy');
    if (task.task !== 'keep') return assert.fail();
    if (task.copyDir !== undefined) return undefined;
    calls.push(`keep ${task.entry.version}`);
    return new Promise<void>(resolve => writes.push(resolve));
  };
  const loader: Loader = {
    // Nobody looks at the result.
    ask: ask as unknown as Loader['ask'],
    load: () => assert.fail(),
    restore: () => assert.fail(),
    close: () => void calls.push('close'),
  };
  const dirs = { stateDir: '/state', catalogDir: '/catalog' };
  const history = openLiveHistory(dirs, opening, log, { clock, fs: simulateDisk() });
  const written = async () => {
    writes.shift()?.();
    await clock.pass(0);
  };
  return { history, loader, calls, messages, clock, written };
}

function watch(promise: Promise<unknown>) {
  let isDone = false;
  void promise.then(() => (isDone = true));
  return () => isDone;
}

test('a set does not wait longer for a disk that hangs; that is said, and also when it is written after all', async () => {
  const opening = Promise.resolve({ mayWrite: async () => true });
  const { history, loader, clock, written, messages } = openHistory(opening);
  for (const set of [one, two]) {
    const isKept = watch(history.keep(set, loader));
    await clock.pass(999);
    assert.equal(isKept(), false);
    await clock.pass(1);
    assert.equal(isKept(), true);
  }
  await written();
  assert.equal(history.fault(), late);
  await written();
  assert.equal(history.fault(), undefined);
  assert.deepEqual(messages, [
    `error: version ${one.version} is not in /state/history, retrying: ${late}`,
    `info: version ${two.version} is in the history now`,
  ]);
});

test('nothing is written before the state directory is locked, and nothing if another process has it', async () => {
  let lock = () => {};
  const opening = new Promise<{ mayWrite(): Promise<boolean> }>(resolve => {
    lock = () => resolve({ mayWrite: async () => true });
  });
  const { history, loader, written, clock, calls } = openHistory(opening);
  const isKept = watch(history.keep(one, loader));
  await clock.pass(10_000);
  assert.deepEqual([isKept(), calls], [false, []]);
  lock();
  await clock.pass(0);
  await written();
  assert.deepEqual([isKept(), calls], [true, [`keep ${one.version}`]]);

  const inUse = Promise.reject(new Error('in use'));
  inUse.catch(() => {});
  const other = openHistory(inUse);
  await other.history.keep(one, other.loader);
  other.history.tidy(other.loader);
  await other.history.settled();
  assert.deepEqual([other.calls, other.messages], [['close'], []]);
});
