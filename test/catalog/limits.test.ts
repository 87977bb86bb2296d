import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openLimitCheck, usageOf } from '../../src/catalog/reader/limits.ts';
import { isLinux } from '../support/children.ts';

const LIMITS = { loadMemoryMb: 100, loadSeconds: 10 };
const LOOK_MS = 100;

/** The verdict on a process after so many checks, given its CPU time and state at each. */
function verdict(looks: number, cpuSeconds: (look: number) => number, isRunnable: boolean, lookMs = LOOK_MS) {
  const check = openLimitCheck(LIMITS, 0);
  for (let look = 1; look <= looks; look += 1) {
    const usage = { cpuSeconds: cpuSeconds(look), residentMb: 50, isRunnable };
    const reason = check.exceeded(usage, look * lookMs);
    if (reason) return { look, reason };
  }
  return undefined;
}

test('a process that waits for a CPU may take any time', () => {
  assert.equal(
    verdict(100_000, () => 1, true),
    undefined,
  );
});

test('a process that gets little CPU time may use all that it is allowed', () => {
  // A hundredth of a second of CPU time every five seconds, checked every tenth of a second.
  const trickle = (look: number) => Math.floor(look / 50) / 100;
  assert.equal(verdict(49_000, trickle, false), undefined);
  const greedy = verdict(1000, look => look / 10, true);
  assert.match(greedy?.reason ?? '', /^it takes more than 10 s of CPU time: .* LOAD_SECONDS$/);
  assert.equal(greedy?.look, 102);
});

test('a process that neither runs nor waits for a CPU exceeds its limit after loadSeconds', () => {
  const hung = verdict(1000, () => 1, false);
  assert.deepEqual(hung, {
    look: 102,
    reason: 'no progress for 10 s: check that the disk or the network mount responds',
  });
});

test('a message of the process counts as progress', () => {
  const check = openLimitCheck(LIMITS, 0);
  for (let look = 1; look < 1000; look += 1) {
    if (look % 50 === 0) check.heard();
    const usage = { cpuSeconds: 1, residentMb: 50, isRunnable: false };
    assert.equal(check.exceeded(usage, look * LOOK_MS), undefined);
  }
});

test('a long time without checks does not count in full', () => {
  assert.equal(
    verdict(20, () => 1, false, 60_000),
    undefined,
  );
});

test('memory is limited, and so is the total time if the usage is unknown', () => {
  const usage = { cpuSeconds: 1, residentMb: 101, isRunnable: true };
  const reason = openLimitCheck(LIMITS, 0).exceeded(usage, 1);
  assert.match(reason ?? '', /^it takes more than 100 MB of memory: /);
  const check = openLimitCheck(LIMITS, 0);
  assert.equal(check.exceeded(undefined, 9_999), undefined);
  assert.match(check.exceeded(undefined, 10_001) ?? '', /^it takes more than 10 s: /);
});

test('the usage of a process is read from /proc', { skip: !isLinux }, () => {
  const before = usageOf(process.pid) ?? assert.fail('there is nothing to read');
  while (process.cpuUsage().user < before.cpuSeconds * 1e6 + 100_000);
  const after = usageOf(process.pid) ?? assert.fail('there is nothing to read');
  assert.ok(after.isRunnable);
  assert.ok(after.cpuSeconds > before.cpuSeconds);
  assert.ok(Math.abs(after.residentMb - process.memoryUsage.rss() / 2 ** 20) < 20);
  assert.equal(usageOf(2 ** 30), undefined);
});
