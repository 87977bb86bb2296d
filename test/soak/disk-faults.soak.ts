import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { request } from 'undici';
import { hangAtSignal } from '../support/process.ts';
import { skipWithout } from '../support/skipping.ts';
import { countsIn, FLOOR, openShop, TRACEABLE } from '../support/state-shop.ts';
import type { Call } from '../support/strace.ts';
import { until } from '../support/until.ts';

/** The deadline of each test, also on a busy machine. */
const FAULT_TEST_MS = 300_000;

/** One of each kind. `test/reads/power-loss.all.test.ts` has an error at every operation. */
const faults = [
  ['the new file cannot be synced', ['temporary'], 'fsync:error=EIO', 'i/o error'],
  ['the directory cannot be synced', ['stateDir'], 'fsync:error=EIO', 'i/o error'],
  ['the file cannot be renamed', ['file'], 'rename:error=EROFS', 'read-only file system'],
  ['the file cannot be looked at', ['file'], 'statx:error=EIO', 'i/o error'],
  ['nothing can be written', ['temporary'], 'write:error=ENOSPC', 'no space left on device'],
  // The first write of each file claims bytes that it has not written; the second one is not touched.
  ['bytes are left out', ['temporary'], 'write:retval=10:when=1+2', 'bytes were written'],
] as const;

describe('the disk fails', { concurrency: 4 }, () => {
  for (const [what, of, injection, reason] of faults) {
    test(`while ${what} (${injection}), reads are answered and /health says why; then nothing is lost`, {
      skip: skipWithout('strace'),
      timeout: FAULT_TEST_MS,
    }, async t => {
      const shop = await openShop(t);
      const { read, saved, health, degraded, trace } = await shop.start(TRACEABLE);
      assert.equal(await read(), FLOOR + 1);
      await saved();
      const strace = await trace(
        of.map(name => shop[name]),
        injection,
      );
      for (let count = 2; count <= 4; count += 1) assert.equal(await read(), FLOOR + count);
      const { reasons, reads } = await degraded(reason);
      assert.equal(reasons.length, 1);
      assert.ok(
        reasons[0]?.startsWith('read counts cannot be saved: ') && reasons[0].includes(reason),
        reasons[0],
      );
      assert.equal(reads.unsaved, 3);
      await strace.seen(() => injected(strace.calls)[1]);
      const found = async () => (await countsIn(shop.file)).get(1) ?? 0;
      const kept = await found();
      assert.ok(kept > FLOOR, `${kept} is what a start would find`);

      await strace.detach();
      await saved();
      assert.deepEqual((await health()).reasons, []);
      assert.equal(await found(), FLOOR + 4);
      assert.equal(await read(), FLOOR + 5);
    });
  }
});

function injected(calls: Call[]): Call[] {
  return calls.filter(call => call.result.includes('INJECTED'));
}

/** Longer than any test. */
const HANG = 'delay_enter=600s';

// They wait for the disk most of the time.
describe('the disk hangs', { concurrency: true }, () => {
  for (const [what, of, injection] of [
    ['write', ['temporary'], `write:${HANG}`],
    ['sync of the new file', ['temporary'], `fsync:${HANG}`],
    ['look at the file', ['file'], `statx:${HANG}`],
  ] as const) {
    test(`while a ${what} hangs, reads are answered, /health says so, and a stop ends; then nothing is lost`, {
      skip: skipWithout('strace'),
      timeout: FAULT_TEST_MS,
    }, async t => {
      const shop = await openShop(t);
      const { child, exit, stdout, read, saved, degraded, health, trace } = await shop.start(TRACEABLE);
      assert.equal(await read(), FLOOR + 1);
      await saved();
      const files = of.map(name => shop[name]);
      const strace = await trace(files, injection);
      for (let count = 2; count <= 4; count += 1) assert.equal(await read(), FLOOR + count);
      const hangs = 'read counts cannot be saved: the disk has not answered for 5 s';
      assert.deepEqual((await degraded(hangs)).reasons, [hangs]);
      await strace.detach();
      await saved();
      assert.deepEqual((await health()).reasons, []);
      assert.equal((await countsIn(shop.file)).get(1), FLOOR + 4);

      const again = await trace(files, injection);
      for (let count = 5; count <= 6; count += 1) assert.equal(await read(), FLOOR + count);
      await degraded(hangs);
      const start = performance.now();
      child.kill('SIGTERM');
      const last = ': ending with SIGKILL, 2 reads not saved';
      await until(t, async () => (stdout().includes(last) ? true : undefined));
      // A thread that strace has stopped cannot end before it.
      await again.kill();
      await exit;
      tellEnd(t, start);
      assert.equal(child.signalCode, 'SIGKILL');
      assert.ok(((await countsIn(shop.file)).get(1) ?? 0) >= FLOOR + 4);
    });
  }

  test('while all file threads hang, reads are answered, and a stop ends', {
    timeout: FAULT_TEST_MS,
  }, async t => {
    const shop = await openShop(t);
    const fifo = join(shop.stateDir, 'fifo');
    execFileSync('mkfifo', [fifo]);
    const { child, exit, read, degraded } = await shop.start(hangAtSignal(fifo, 4));
    child.kill('SIGWINCH');
    assert.equal(await read(), FLOOR + 1);
    await degraded();
    const start = performance.now();
    child.kill('SIGTERM');
    assert.match(
      (await exit).stdout,
      /not stopped 9000 ms after the drain: ending with SIGKILL, 1 read not saved/,
    );
    tellEnd(t, start);
    assert.equal(child.signalCode, 'SIGKILL');
  });

  test('a stop ends while nobody reads the log', { timeout: FAULT_TEST_MS }, async t => {
    const shop = await openShop(t);
    const { child, address } = await shop.start({ LOG_LEVEL: 'debug' });
    child.stdout?.pause();
    await Promise.all(Array.from({ length: 1000 }, () => request(address).then(({ body }) => body.dump())));
    const start = performance.now();
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
    tellEnd(t, start);
  });
});

function tellEnd(t: TestContext, start: number): void {
  t.diagnostic(`ended ${((performance.now() - start) / 1000).toFixed(1)} s after SIGTERM`);
}
