import assert from 'node:assert/strict';
import { copyFile, mkdir, readdir, readFile, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openFlusher } from '../../src/reads/file/flusher.ts';
import { keepingLog, startFileStore } from '../support/stores.ts';
import { countWork } from '../support/work.ts';

async function start(t: TestContext, flushIntervalMs?: number) {
  const store = await startFileStore(t);
  const counter = await store.open(flushIntervalMs);
  return { ...store, counter, path: join(store.place.stateDir, 'read-counts.json') };
}

test('nothing is saved without reads; after the last one, one more save lets the file before it have everything', async t => {
  const { counter, open, saved, path } = await start(t);
  counter.shown(1, 5);
  await counter.flush();
  await assert.rejects(stat(path), { code: 'ENOENT' });
  for (let read = 0; read < 2; read += 1) {
    await counter.raise(1, 5);
    await counter.flush();
  }
  await counter.flush();
  const before = (await stat(path)).ino;
  await counter.flush();
  assert.equal((await stat(path)).ino, before);
  await counter.close();
  await writeFile(path, '{"format":');
  await open();
  assert.deepEqual(await saved(), { 1: 7 });
});

test('a stop saves twice, so that the file before it has everything; the second save only copies the first', async t => {
  const { counter, open, path } = await start(t);
  for (let id = 1; id <= 100; id += 1) await counter.raise(id, 5);
  const { stringified } = await countWork(() => counter.close());
  assert.ok(stringified < 110, `${stringified} values formatted`);
  assert.deepEqual(await readFile(`${path}.prev`), await readFile(path));
  await rm(path);
  assert.equal((await open()).shown(1, 0), 6);
});

test('reads during a save are saved by the next one, and concurrent saves do not clash', async t => {
  const { counter, saved } = await start(t);
  for (let round = 1; round <= 20; round += 1) {
    await counter.raise(1, 0);
    const first = counter.flush();
    await new Promise(setImmediate);
    await counter.raise(1, 0);
    await Promise.all([first, counter.flush(), counter.flush()]);
    assert.deepEqual(await saved(), { 1: 2 * round });
  }
});

test('a failed save is logged once and makes counting degraded, until a save succeeds', async t => {
  const { counter, saved, path, messages } = await start(t);
  await mkdir(`${path}.tmp`);
  await counter.raise(1, 0);
  for (let time = 0; time < 3; time += 1) await counter.flush();
  assert.equal(await counter.raise(1, 0), 2);
  const { unsaved, reasons } = counter.health();
  assert.equal(unsaved, 2);
  assert.equal(reasons.join(), 'read counts cannot be saved: illegal operation on a directory');
  await rmdir(`${path}.tmp`);
  await counter.flush();
  assert.deepEqual(await saved(), { 1: 2 });
  assert.deepEqual([counter.health().unsaved, counter.health().reasons], [0, []]);
  assert.equal(messages.length, 2);
  assert.match(messages[0] ?? '', /^error: read counts cannot be saved, retrying: .*EISDIR/);
  assert.equal(messages[1], 'info: read counts are saved again');
});

const MERGED = /^warn: .* was edited.*,warn: merged 1 larger read count from the file$/;
const [FIVE, OTHER_NEWS] = [{ 1: 5, 2: 5 }, '{"format": 1, "counts": {"9": 9}}'];

async function raise(path: string): Promise<void> {
  const text = await readFile(path, 'utf8');
  await writeFile(path, text.replace('"1": 5', '"1": 50').replace('"2": 5', '"2": 1'));
}

/** What may happen to the file while it is counted in, and which counts of 1 and 2, both 5 before, become of it. */
const edits: [what: string, edit: (path: string) => Promise<void>, counts: Counts, log: RegExp][] = [
  ['edited', raise, { 1: 50, 2: 5 }, MERGED],
  ['replaced by a file of other news', path => writeFile(path, OTHER_NEWS), { ...FIVE, 9: 9 }, MERGED],
  ['replaced by an older one', path => copyFile(`${path}.prev`, path), FIVE, /^$/],
  ['deleted', path => rm(path), FIVE, /^$/],
  ['spoiled', path => writeFile(path, '{"format":'), FIVE, /^error: .* is broken/],
];
type Counts = Record<string, number>;

for (const [what, edit, counts, log] of edits) {
  test(`a file that is ${what} while the service runs: the larger of each count is kept`, async t => {
    const { open, saved, messages, place } = await startFileStore(t);
    const path = join(place.stateDir, 'read-counts.json');
    for (const id of [1, 2]) {
      const counter = await open();
      await counter.raise(id, 4);
      await counter.close();
    }
    const counter = await open();
    const before = { revision: counter.revision(), shown: counter.shown(1, 0) };
    await edit(path);
    await counter.flush();
    if (counter.shown(1, 0) !== before.shown) assert.notEqual(counter.revision(), before.revision);
    assert.deepEqual(await saved(), counts);
    assert.equal(counter.shown(1, 0), counts['1']);
    assert.match(messages.join(), log);
    const broken = (await readdir(place.stateDir)).filter(name => name.includes('.broken-'));
    assert.equal(broken.length, what === 'spoiled' ? 1 : 0);
    assert.deepEqual([counter.health().unsaved, counter.health().reasons], [0, []]);
  });
}

/** Saving of which each save lasts until `end` is called, while time stands still. */
function startFlusher(t: TestContext, flushIntervalMs: number) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const ends: (() => void)[] = [];
  const { messages, ...log } = keepingLog();
  const save = () => new Promise<void>(resolve => ends.push(resolve));
  const { flush, fault } = openFlusher('counts', save, flushIntervalMs, log);
  const begun = async () => {
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
    return ends.length;
  };
  const wait = (ms: number) => t.mock.timers.tick(ms);
  return { flush, fault, messages, begun, end: () => ends.at(-1)?.(), wait };
}

for (const [flushIntervalMs, patienceMs] of [
  [1_000, 5_000],
  [2_000, 6_000],
] as const) {
  test(`with an interval of ${flushIntervalMs} ms, a save is overdue after ${patienceMs} ms, until it ends`, async t => {
    const { flush, fault, messages, begun, end, wait } = startFlusher(t, flushIntervalMs);
    const flushed = flush();
    await begun();
    wait(patienceMs - 1);
    assert.deepEqual([fault(), messages], [undefined, []]);
    wait(1);
    const reason = `the disk has not answered for ${patienceMs / 1000} s`;
    assert.equal(fault()?.message, reason);
    assert.deepEqual(messages, [`error: counts cannot be saved, retrying: ${reason}`]);
    end();
    await flushed;
    assert.equal(fault(), undefined);
    assert.equal(messages.at(-1), 'info: counts are saved again');
  });
}

test('saves requested during a save become one save after it', async t => {
  const { flush, begun, end } = startFlusher(t, 10);
  const first = flush();
  assert.equal(await begun(), 1);
  const others = Array.from({ length: 1000 }, flush);
  assert.equal(await begun(), 1);
  end();
  await first;
  assert.equal(await begun(), 2);
  end();
  await Promise.all(others);
  assert.equal(await begun(), 2);
});
