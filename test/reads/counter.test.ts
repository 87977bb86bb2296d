import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { mkdir, readFile, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openCounter, type ReadCounter } from '../../src/reads/counter.ts';
import { openCountsFile } from '../../src/reads/counts-file.ts';
import { writeFiles } from '../catalogs.ts';
import { until } from '../until.ts';

const NEVER = 3_600_000;

/** A counter on a file of its own, closed after the test; `logged` emits 'error' messages as they come. */
async function startCounter(t: TestContext, flushIntervalMs = NEVER) {
  let counter: ReadCounter | undefined;
  const dir = await writeFiles(t, {}, () => counter?.close());
  const logged = new EventEmitter();
  const log = { error: (message: string) => void logged.emit('message', message) };
  counter = await openCounter(await openCountsFile(dir, log), flushIntervalMs, log);
  const path = join(dir, 'read-counts.json');
  const saved = async () => JSON.parse(await readFile(path, 'utf8')).counts;
  return { counter, saved, path, logged };
}

test('a read raises the count above its floor, and a floor pasted back from an export does not double it', async t => {
  const { counter } = await startCounter(t);
  assert.equal(counter.shown(1, 100), 100);
  assert.equal(counter.raise(1, 100), 101);
  assert.equal(counter.raise(1, 101), 102);
  assert.equal(counter.raise(1, 0), 103);
  assert.equal(counter.shown(1, 500), 500);
  assert.equal(counter.raise(1, 500), 501);
  assert.equal(counter.shown(8, 0), 0);
});

test('nothing is saved where nothing was counted', async t => {
  const { counter, saved, path } = await startCounter(t);
  counter.shown(1, 5);
  await counter.flush();
  await assert.rejects(stat(path), { code: 'ENOENT' });
  counter.raise(1, 5);
  await counter.flush();
  assert.deepEqual(await saved(), { 1: 6 });
  const { ino } = await stat(path);
  await counter.flush();
  assert.equal((await stat(path)).ino, ino);
});

test('reads that come during a save are saved by the next, and saves that are asked for at once do not clash', async t => {
  const { counter, saved } = await startCounter(t);
  for (let round = 1; round <= 20; round += 1) {
    counter.raise(1, 0);
    const first = counter.flush();
    await new Promise(setImmediate);
    counter.raise(1, 0);
    await Promise.all([first, counter.flush(), counter.flush()]);
    assert.deepEqual(await saved(), { 1: 2 * round });
  }
});

test('a save that fails is told, and made good by the next', async t => {
  const { counter, saved, path } = await startCounter(t);
  await mkdir(`${path}.tmp`);
  counter.raise(1, 0);
  await assert.rejects(counter.flush(), { code: 'EISDIR' });
  await rmdir(`${path}.tmp`);
  await counter.flush();
  assert.deepEqual(await saved(), { 1: 1 });
});

test('counts are saved by themselves every interval, also after one that failed', async t => {
  const { counter, saved, path, logged } = await startCounter(t, 10);
  // The counter's own timer does not keep a process alive.
  const alive = setInterval(() => {}, NEVER);
  t.after(() => clearInterval(alive));
  await mkdir(`${path}.tmp`);
  counter.raise(3, 0);
  const [message] = await once(logged, 'message');
  assert.match(message, /^read counts could not be saved, trying again: Error: EISDIR/);
  await rmdir(`${path}.tmp`);
  const counts = await until(t, () => saved().catch(() => undefined));
  assert.deepEqual(counts, { 3: 1 });
});

test('closing saves what is left, and the next start goes on from it', async t => {
  const { counter, saved, path, logged } = await startCounter(t);
  counter.raise(1, 41);
  await counter.close();
  assert.deepEqual(await saved(), { 1: 42 });
  const log = { error: () => void logged.emit('message') };
  const next = await openCounter(await openCountsFile(join(path, '..'), log), NEVER, log);
  assert.equal(next.raise(1, 0), 43);
  await next.close();
});
