import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { createClient } from '../../src/client.ts';
import { afterTest } from '../support/after-test.ts';
import { shop, writeFiles, writeInto } from '../support/catalogs.ts';
import { entriesOf, healthOf, newShop, type ShopDirs, serveShop } from '../support/kept-shop.ts';
import { until } from '../support/until.ts';

const DISK_KB = 128;
const PAGE_BYTES = 4096;
/** The reads that the shop's news item 1 has from its catalog. */
const FLOOR = 100;
const COUNTS = 'read-counts.json';
/** So many other counts that the file has several pages. */
const OTHERS = Object.fromEntries(Array.from({ length: 600 }, (_, index) => [1000 + index, 1]));

const mount = (...args: string[]) => spawnSync('mount', args, { encoding: 'utf8' });

/** Starts a process of the shop that saves often. */
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
    const { child, exit, listening, stdout } = open(t, dirs);
    const address = await listening();
    const health = () => healthOf(address);
    return {
      ...{ child, exit, stdout, health },
      /** Resolves to the count that the answer says. */
      read: async () => (await createClient(address).readNews(1)).read,
      /** Resolves when a reason contains this text. */
      degraded: (reason: string) =>
        until(t, async () => {
          const now = await health();
          return now.reasons.some(one => one.includes(reason)) ? now : undefined;
        }),
      saved: () => until(t, async () => (await health()).reads.unsaved === 0 || undefined),
      recovered: () => until(t, async () => (await health()).reasons.length === 0 || undefined),
    };
  };
  const countsIn = async (name = COUNTS): Promise<Record<string, number>> =>
    JSON.parse(await readFile(join(stateDir, name), 'utf8')).counts;
  /** Fills the disk up but for some pages, once the set is in the history; returns what frees it. */
  const fill = async (pagesFree: number) => {
    await until(t, async () => (await entriesOf(dirs)).length > 0 || undefined);
    const path = join(stateDir, 'filler');
    await assert.rejects(writeFile(path, Buffer.alloc(DISK_KB * 1024)), { code: 'ENOSPC' });
    await truncate(path, (await stat(path)).size - pagesFree * PAGE_BYTES);
    return () => rm(path);
  };
  // The disk is busy while a process that is being started still has a file of it open.
  const remount = (mode: 'ro' | 'rw') =>
    until(t, async () => mount('-o', `remount,${mode}`, stateDir).status === 0 || undefined);
  return { ...dirs, start, countsIn, fill, remount };
}

test('a full disk loses no read until a stop, which says how many; they are saved once there is space', async t => {
  const opened = await openShop(t);
  if (!opened) return;
  const { start, fill, countsIn } = opened;
  const first = await start();
  const free = await fill(0);
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

test('the last tenth of a small disk is for counts: a new set is served without being kept, which the log says once, and is kept once there is space', async t => {
  const opened = await openShop(t);
  if (!opened) return;
  const { start, fill, countsIn, catalogDir } = opened;
  const { read, saved, health, degraded, recovered, stdout } = await start();
  // Both files have all counts before the disk is filled, so that no save is under way, and later ones need no more room.
  assert.equal(await read(), FLOOR + 1);
  await until(
    t,
    async () => (await countsIn(`${COUNTS}.prev`).catch(() => OTHERS))[1] === FLOOR + 1 || undefined,
  );
  const free = await fill(4);
  const products = (shop['products.json'] as object[]).map(product => ({ ...product, name: 'New' }));
  await writeInto(catalogDir, { 'products.json': products });
  const unkept =
    'the served set is not in the history: the disk is nearly full, and its last 32 MB (or tenth) are for read counts: free some space, or lower HISTORY_MB';
  await degraded(unkept);
  assert.equal(await read(), FLOOR + 2);
  await saved();
  assert.deepEqual((await health()).reasons, [unkept]);
  assert.equal((await entriesOf(opened)).length, 1);
  await free();
  await recovered();
  assert.equal((await entriesOf(opened)).length, 2);
  assert.equal(stdout().split('"cannot keep version').length, 2);
});

/** Starts another service, and asserts that it ends since this process has the state directory. */
async function assertRefused(t: TestContext, dirs: ShopDirs, pid: number | undefined): Promise<void> {
  const { exit, listening } = open(t, dirs);
  await Promise.race([exit, listening()]);
  const { code, stderr } = await exit;
  assert.match(stderr, RegExp(`is in use by process ${pid} on `));
  assert.equal(code, 1);
}

// They wait for the next retry most of the time.
describe('a read-only disk', { concurrency: true }, () => {
  for (const [end, lock] of [
    ['SIGTERM', 'no lock file'],
    ['SIGKILL', 'the lock file of an earlier process'],
  ] as const)
    test(`with ${lock}, one of two services that start locks it once it can write there, a third is refused, and the second is degraded until the ${end} of the first; no read is lost or doubled`, async t => {
      const opened = await openShop(t);
      if (!opened) return;
      const { start, remount, countsIn } = opened;
      if (end === 'SIGKILL') await writeInto(opened.stateDir, { lock: 'an earlier process' });
      await remount('ro');
      const services = [await start(), await start()];
      let reads = 0;
      const readOften = async ({ read }: (typeof services)[number], times: number) => {
        for (let time = 0; time < times; time += 1) await read();
        reads += times;
      };
      for (const service of services) {
        await readOften(service, 30);
        const { reasons, reads: counts } = await service.degraded('read counts');
        assert.ok(reasons.includes('read counts cannot be saved: read-only file system'), reasons.join());
        assert.equal(counts.unsaved, 30);
      }
      await remount('rw');
      const holder = await until(t, async () => {
        for (const service of services) if ((await service.health()).reads.unsaved === 0) return service;
        return undefined;
      });
      const { pid } = holder.child;
      await assertRefused(t, opened, pid);
      const other = services.find(service => service !== holder) ?? assert.fail();
      await other.degraded(`in use by process ${pid}`);
      for (const service of services) await readOften(service, 20);
      await holder.saved();
      holder.child.kill(end);
      await holder.exit;
      await other.saved();
      // The set that it serves comes into the history with the next retry.
      await other.recovered();
      other.child.kill('SIGTERM');
      assert.equal((await other.exit).code, 0);
      assert.equal((await countsIn())[1], FLOOR + reads);
    });

  test('a second service that sees the directory of the first read-only is refused', async t => {
    const opened = await openShop(t);
    if (!opened) return;
    const { child } = await opened.start();
    const readOnly = await writeFiles(t, {});
    mount('--bind', opened.stateDir, readOnly);
    afterTest(t, () => spawnSync('umount', ['-l', readOnly]));
    assert.equal(mount('-o', 'remount,ro,bind', readOnly).status, 0);
    await assertRefused(t, { ...opened, stateDir: readOnly }, child.pid);
  });
});
