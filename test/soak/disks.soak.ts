import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createClient } from '../../src/client.ts';
import { afterTest } from '../support/after-test.ts';
import { writeFiles, writeInto } from '../support/catalogs.ts';
import { entriesOf, healthOf, newShop, type ShopDirs, serveShop } from '../support/process.ts';
import { until } from '../support/until.ts';

const DISK_KB = 128;
/** The reads that the shop's news item 1 has from its catalog. */
const FLOOR = 100;
const COUNTS = 'read-counts.json';
/** So many other counts that the file has several pages. */
const OTHERS = Object.fromEntries(Array.from({ length: 600 }, (_, index) => [1000 + index, 1]));

const mount = (...args: string[]) => spawnSync('mount', args, { encoding: 'utf8' });

function open(t: TestContext, dirs: ShopDirs) {
  return serveShop(t, dirs, { flushIntervalMs: 100, drainMs: 1 });
}

/** A shop with many counts on a small disk of its own; undefined, with the test skipped, where that cannot be had. */
async function openShop(t: TestContext) {
  const stateDir = await writeFiles(t, {});
  const { status, error, stderr } = mount('-t', 'tmpfs', '-o', `size=${DISK_KB}k`, 'tmpfs', stateDir);
  if (status !== 0) {
    const reason = `no small disk can be mounted: ${error?.message ?? stderr}`;
    assert.ok(!process.env.CI, reason);
    t.skip(reason);
    return undefined;
  }
  afterTest(t, () => spawnSync('umount', ['-l', stateDir]));
  await writeInto(stateDir, { [COUNTS]: JSON.stringify({ format: 1, counts: OTHERS }) });
  const dirs = { ...(await newShop(t)), stateDir };
  const start = async () => {
    const { child, exit, listening, output } = open(t, dirs);
    const address = await listening();
    const health = () => healthOf(address);
    return {
      ...{ child, exit, output, health },
      read: async () => (await createClient(address).readNews(1)).read,
      degraded: (reason: string) =>
        until(t, async () => {
          const now = await health();
          return now.reasons.some(one => one.includes(reason)) ? now : undefined;
        }),
      saved: () => until(t, async () => (await health()).reads.unsaved === 0),
    };
  };
  const countsIn = async () => JSON.parse(await readFile(join(stateDir, COUNTS), 'utf8')).counts;
  /** Fills the disk up, once the set is in the history; returns what frees it. */
  const fill = async () => {
    await until(t, async () => (await entriesOf(dirs)).length > 0);
    const path = join(stateDir, 'filler');
    await assert.rejects(writeFile(path, Buffer.alloc(DISK_KB * 1024)), { code: 'ENOSPC' });
    return () => rm(path);
  };
  // The disk is busy while a process that is being started still has a file of it open.
  const remount = (mode: 'ro' | 'rw') =>
    until(t, async () => mount('-o', `remount,${mode}`, stateDir).status === 0);
  return { ...dirs, start, countsIn, fill, remount };
}

test('a full disk loses no read until a stop, which says how many; they are saved once there is space', async t => {
  const opened = await openShop(t);
  if (!opened) return;
  const { start, fill, countsIn } = opened;
  const first = await start();
  const free = await fill();
  for (let count = 1; count <= 3; count += 1) assert.equal(await first.read(), FLOOR + count);
  const { reasons, reads } = await first.degraded('');
  assert.deepEqual(reasons, ['read counts cannot be saved: no space left on device']);
  assert.equal(reads.unsaved, 3);
  first.child.kill('SIGTERM');
  const { code, stdout, stderr } = await first.exit;
  assert.notEqual(code, 0);
  assert.match(stdout, /"level":50,.*3 reads could not be saved: ENOSPC/);
  assert.equal(stderr, '');

  const { read, saved, health, degraded } = await start();
  for (let count = 1; count <= 50; count += 1) assert.equal(await read(), FLOOR + count);
  await degraded('');
  assert.deepEqual(await countsIn(), OTHERS);
  await free();
  await saved();
  assert.deepEqual((await health()).reasons, []);
  assert.deepEqual(await countsIn(), { 1: FLOOR + 50, ...OTHERS });
});

test('on a read-only disk, reads count in memory, and are saved once it can be written', async t => {
  const opened = await openShop(t);
  if (!opened) return;
  const { start, remount, countsIn } = opened;
  await remount('ro');
  const { read, degraded, saved } = await start();
  for (let count = 1; count <= 30; count += 1) assert.equal(await read(), FLOOR + count);
  const { reasons, reads } = await degraded('read counts');
  assert.ok(reasons.includes('read counts cannot be saved: read-only file system'), reasons.join());
  assert.equal(reads.unsaved, 30);
  await remount('rw');
  await saved();
  assert.deepEqual(await countsIn(), { 1: FLOOR + 30, ...OTHERS });
});

test('a second service that sees the directory of the first read-only is refused', async t => {
  const opened = await openShop(t);
  if (!opened) return;
  const { child } = await opened.start();
  const readOnly = await writeFiles(t, {});
  mount('--bind', opened.stateDir, readOnly);
  afterTest(t, () => spawnSync('umount', ['-l', readOnly]));
  assert.equal(mount('-o', 'remount,ro,bind', readOnly).status, 0);
  const second = open(t, { ...opened, stateDir: readOnly });
  await Promise.race([second.exit, second.listening()]);
  const { code, stderr } = await second.exit;
  assert.match(stderr, RegExp(`is in use by process ${child.pid} on `));
  assert.equal(code, 1);
});
