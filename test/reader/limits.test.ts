import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openLimitCheck, usageOf } from '../../src/reader/limits.ts';
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

test('a process that gets little CPU time may use all that it is allowed, within ten times as much by the clock', () => {
  // Of every eight checks, seven find that it has waited for a CPU.
  const starved = verdict(1000, look => Math.floor(look / 8) / 10, true);
  assert.deepEqual(starved, {
    look: 808,
    reason: 'it takes more than 10 s of CPU time: make the files smaller',
  });
  const greedy = verdict(1000, look => look / 10, true);
  assert.equal(greedy?.look, 102);
});

for (const [what, cpuSeconds, isRunnable] of [
  ['waits for a CPU', () => 1, true],
  ['does nothing but use some CPU time now and then', look => Math.floor(look / 50) / 100, false],
] as const satisfies [string, (look: number) => number, boolean][]) {
  test(`a process that ${what} ends after ten times loadSeconds`, () => {
    assert.deepEqual(verdict(100_000, cpuSeconds, isRunnable), {
      look: 1001,
      reason: 'it takes more than 100 s: check that the disk or the network mount responds',
    });
  });
}

test('a process that neither runs nor waits for a CPU exceeds its limit after loadSeconds', () => {
  const hung = verdict(1000, () => 1, false);
  assert.deepEqual(hung, {
    look: 102,
    reason: 'no progress for 10 s: check that the disk or the network mount responds',
  });
});

test('a process is stalled that has done nothing for ten seconds since its last message, even if it uses some CPU time', () => {
  const check = openLimitCheck({ ...LIMITS, loadSeconds: 60 }, 0);
  const stalledAt = (from: number, to: number) => {
    const stalled: [number, number][] = [];
    for (let look = from; look <= to; look += 1) {
      const usage = { cpuSeconds: Math.floor(look / 50) / 100, residentMb: 50, isRunnable: false };
      assert.equal(check.exceeded(usage, look * LOOK_MS), undefined);
      const seconds = check.stalledSeconds();
      if (seconds !== stalled.at(-1)?.[1] && seconds !== undefined) stalled.push([look, seconds]);
    }
    return stalled;
  };
  assert.deepEqual(stalledAt(1, 125), [
    [103, 10],
    [113, 11],
    [123, 12],
  ]);
  check.heard();
  assert.equal(check.stalledSeconds(), undefined);
  assert.deepEqual(stalledAt(126, 228), [[227, 10]]);
});

test('a process that runs, or waits for a CPU, is not stalled', () => {
  for (const isRunnable of [true, false]) {
    const check = openLimitCheck(LIMITS, 0);
    for (let look = 1; look < 500; look += 1) {
      check.exceeded({ cpuSeconds: isRunnable ? 0 : look / 100, residentMb: 50, isRunnable }, look * LOOK_MS);
      assert.equal(check.stalledSeconds(), undefined);
    }
  }
});

test('a message of the process counts as progress', () => {
  const check = openLimitCheck(LIMITS, 0);
  for (let look = 1; look < 1000; look += 1) {
    if (look % 50 === 0) check.heard();
    const usage = { cpuSeconds: 1, residentMb: 50, isRunnable: false };
    assert.equal(check.exceeded(usage, look * LOOK_MS), undefined);
    assert.equal(check.stalledSeconds(), undefined);
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
  let look = 1;
  while (!check.exceeded(undefined, look * LOOK_MS)) look += 1;
  assert.equal(look, 101);
  assert.match(check.exceeded(undefined, look * LOOK_MS) ?? '', /^it takes more than 10 s: /);
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
