import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { afterTest } from '../support/after-test.ts';
import { writeFiles } from '../support/catalogs.ts';
import { startProcess } from '../support/process.ts';
import { mountSmallDisk } from '../support/small-disk.ts';
import { countsIn, FLOOR, openShop } from '../support/state-shop.ts';
import { until } from '../support/until.ts';

const TEST_MS = 300_000;
const DISK_KB = 4096;

function mount(...args: string[]): void {
  const { status, stderr } = spawnSync('mount', args, { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
}

/** A shop whose state is on a disk of its own; undefined where that cannot be had. */
async function openOnDisk(t: TestContext) {
  const stateDir = await mountSmallDisk(t, DISK_KB);
  if (!stateDir) return undefined;
  // The disk is busy while a process that is being started still has a file of it open.
  const set = (mode: 'ro' | 'rw') =>
    until(t, async () => spawnSync('mount', ['-o', `remount,${mode}`, stateDir]).status === 0 || undefined);
  return { ...(await openShop(t, stateDir)), set };
}

type Service = Awaited<ReturnType<Awaited<ReturnType<typeof openShop>>['start']>>;

async function readOften({ read }: Service, times: number): Promise<number> {
  for (let time = 0; time < times; time += 1) await read();
  return times;
}

/** Starts another service, and asserts that it ends since this one has the state directory. */
async function assertRefused(t: TestContext, flags: string[], first: Service): Promise<void> {
  const { child, exit, listening } = startProcess(t, flags);
  await Promise.race([exit, listening()]);
  assert.match((await exit).stderr, RegExp(`is in use by process ${first.child.pid} on `));
  assert.equal(child.exitCode, 1);
}

// They wait for the next retry most of the time.
describe('a read-only disk', { concurrency: true }, () => {
  for (const [end, lock] of [
    ['SIGTERM', 'no lock file'],
    ['SIGKILL', 'the lock file of an earlier process'],
  ] as const)
    test(`with ${lock}, one of two services that start locks it once it can write there, a third is refused, and the second is degraded until the ${end} of the first; no read is lost or doubled`, {
      timeout: TEST_MS,
    }, async t => {
      const shop = await openOnDisk(t);
      if (!shop) return;
      if (end === 'SIGKILL') await writeFile(join(shop.stateDir, 'lock'), 'an earlier process');
      await shop.set('ro');
      const services = [await shop.start(), await shop.start()];
      let reads = 0;
      for (const service of services) {
        reads += await readOften(service, 30);
        const { reasons, reads: counts } = await service.degraded('read counts');
        assert.ok(reasons.includes('read counts cannot be saved: read-only file system'), reasons.join());
        assert.equal(counts.unsaved, 30);
      }
      await shop.set('rw');
      const holder = await until(t, async () => {
        for (const service of services) if ((await service.health()).reads.unsaved === 0) return service;
        return undefined;
      });
      await assertRefused(t, shop.flags, holder);
      const other = services.find(service => service !== holder) ?? assert.fail();
      await other.degraded(`in use by process ${holder.child.pid}`);
      for (const service of services) reads += await readOften(service, 20);
      await holder.saved();
      holder.child.kill(end);
      await holder.exit;
      await other.saved();
      // The set that it serves comes into the history with the next retry.
      await until(t, async () => ((await other.health()).reasons.length === 0 ? true : undefined));
      other.child.kill('SIGTERM');
      assert.equal((await other.exit).code, 0);
      assert.equal((await countsIn(shop.file)).get(1), FLOOR + reads);
    });

  test('a second service that sees the directory of the first read-only is refused', {
    timeout: TEST_MS,
  }, async t => {
    const shop = await openOnDisk(t);
    if (!shop) return;
    const first = await shop.start();
    const readOnly = await writeFiles(t, {});
    mount('--bind', shop.stateDir, readOnly);
    afterTest(t, () => spawnSync('umount', ['-l', readOnly]));
    mount('-o', 'remount,ro,bind', readOnly);
    await assertRefused(t, [...shop.flags, '--state-dir', readOnly], first);
  });
});
