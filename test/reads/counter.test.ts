import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openCounter } from '../../src/reads/counter.ts';
import type { Counts, CountsFile } from '../../src/reads/counts-file.ts';

const silent = { error: () => {} };
const NEVER = 3_600_000;

/** A file that keeps what it is given, and fails or waits as the test says. */
function memoryFile(initial: Counts = new Map()) {
  const saves: Counts[] = [];
  let before: () => Promise<void> | void = () => {};
  const file: CountsFile = {
    load: async () => new Map(initial),
    async save(counts) {
      const copy = new Map(counts);
      await before();
      saves.push(copy);
    },
  };
  return { file, saves, beforeSave: (action: typeof before) => (before = action) };
}

async function counterOf(t: TestContext, file: CountsFile, intervalMs = NEVER) {
  const counter = await openCounter(file, intervalMs, silent);
  t.after(() => counter.close());
  return counter;
}

test('a read raises the count above its floor, and a floor pasted back from an export does not double it', async t => {
  const { file } = memoryFile(new Map([[7, 12]]));
  const counter = await counterOf(t, file);
  assert.equal(counter.shown(1, 100), 100);
  assert.equal(counter.raise(1, 100), 101);
  assert.equal(counter.raise(1, 101), 102);
  assert.equal(counter.raise(1, 0), 103);
  assert.equal(counter.shown(1, 500), 500);
  assert.equal(counter.raise(1, 500), 501);
  assert.equal(counter.raise(7, 0), 13);
  assert.equal(counter.shown(8, 0), 0);
});

test('nothing is saved where nothing was counted', async t => {
  const { file, saves } = memoryFile();
  const counter = await counterOf(t, file);
  counter.shown(1, 5);
  await counter.flush();
  assert.equal(saves.length, 0);
  counter.raise(1, 5);
  await counter.flush();
  await counter.flush();
  assert.deepEqual(saves, [new Map([[1, 6]])]);
});

test('reads that come during a save are saved by the next, and two saves never overlap', async t => {
  const { file, saves, beforeSave } = memoryFile();
  const counter = await counterOf(t, file);
  let running = 0;
  beforeSave(async () => {
    running += 1;
    assert.equal(running, 1);
    await new Promise(setImmediate);
    running -= 1;
  });
  counter.raise(1, 0);
  const first = counter.flush();
  await Promise.resolve();
  counter.raise(1, 0);
  await Promise.all([first, counter.flush(), counter.flush()]);
  assert.deepEqual(saves, [new Map([[1, 1]]), new Map([[1, 2]])]);
});

test('a failed save is told, and made good by the next', async t => {
  const { file, saves, beforeSave } = memoryFile();
  const counter = await counterOf(t, file);
  beforeSave(() => Promise.reject(new Error('no space')));
  counter.raise(1, 0);
  await assert.rejects(counter.flush(), /no space/);
  beforeSave(() => {});
  await counter.flush();
  assert.deepEqual(saves, [new Map([[1, 1]])]);
});

test('counts are saved by themselves every interval, also after one that failed', async t => {
  const { file, saves, beforeSave } = memoryFile();
  const counter = await counterOf(t, file, 10);
  // The counter's own timer does not keep a process alive.
  const alive = setInterval(() => {}, NEVER);
  t.after(() => clearInterval(alive));
  let failures = 0;
  const saved = new Promise<void>(resolve => {
    beforeSave(() => {
      failures += 1;
      if (failures === 1) throw new Error('once');
      resolve();
    });
  });
  counter.raise(3, 0);
  await saved;
  await counter.flush();
  assert.deepEqual(saves, [new Map([[3, 1]])]);
});

test('closing saves what is left', async () => {
  const { file, saves } = memoryFile();
  const counter = await openCounter(file, NEVER, silent);
  counter.raise(1, 0);
  await counter.close();
  assert.deepEqual(saves, [new Map([[1, 1]])]);
});
