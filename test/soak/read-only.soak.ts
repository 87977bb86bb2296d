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

// They wait for the next retry most of the time.
describe('a read-only disk', { concurrency: true }, () => {
  for (const hasLockFile of [false, true])
    test(`a service that starts on a read-only disk${hasLockFile ? ' with a lock file' : ''} locks it once it can write there, and a second one is refused`, {
      timeout: TEST_MS,
    }, async t => {
      const shop = await openOnDisk(t);
      if (!shop) return;
      if (hasLockFile) await writeFile(join(shop.stateDir, 'lock'), 'an earlier process');
      await shop.set('ro');
      const first = await shop.start();
      await readOften(first, 50);
      const { reasons, reads } = await first.degraded('read counts');
      assert.ok(reasons.includes('read counts cannot be saved: read-only file system'), reasons.join());
      assert.equal(reads.unsaved, 50);
      await shop.set('rw');
      await first.saved();
      const second = startProcess(t, shop.flags);
      await Promise.race([second.exit, second.listening()]);
      assert.match((await second.exit).stderr, RegExp(`is in use by process ${first.child.pid} on `));
      assert.equal(second.child.exitCode, 1);
      await readOften(first, 70);
      await first.saved();
      assert.equal((await countsIn(shop.file)).get(1), FLOOR + 120);
    });

  for (const end of ['SIGTERM', 'SIGKILL'] as const)
    test(`of two services that start on a read-only disk, one locks it once it can write there; the other is degraded until the ${end} of the first, and no read is lost or doubled`, {
      timeout: TEST_MS,
    }, async t => {
      const shop = await openOnDisk(t);
      if (!shop) return;
      await shop.set('ro');
      const services = [await shop.start(), await shop.start()];
      let reads = 0;
      for (const service of services) reads += await readOften(service, 30);
      await shop.set('rw');
      const holder = await until(t, async () => {
        for (const service of services) if ((await service.health()).reads.unsaved === 0) return service;
        return undefined;
      });
      const other = services.find(service => service !== holder) ?? assert.fail();
      const { pid } = holder.child;
      assert.ok(
        (await other.degraded('in use')).reasons.some(reason => reason.includes(`in use by process ${pid}`)),
      );
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
    const second = startProcess(t, [...shop.flags, '--state-dir', readOnly]);
    await Promise.race([second.exit, second.listening()]);
    assert.match((await second.exit).stderr, RegExp(`is in use by process ${first.child.pid} on `));
    assert.equal(second.child.exitCode, 1);
  });
});
