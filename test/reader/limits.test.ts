import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openLimitCheck, processUsage } from '../../src/reader/limits.ts';
import { isLinux } from '../support/programs.ts';

const LIMITS = { loadMemoryMb: 100, loadSeconds: 10 };
const CHECK_MS = 100;

type CpuSeconds = (check: number) => number;
const idle: CpuSeconds = () => 1;
/** A process whose read hangs uses a little now and then. */
const nearlyIdle: CpuSeconds = check => Math.floor(check / 50) / 100;

const cpu = 'it takes more than 10 s of CPU time: make the files smaller';
const stuck = 'no progress for 10 s: check that the disk or the network mount responds';

for (const [what, cpuSeconds, isRunnable, end, reason, checkMs = CHECK_MS] of [
  ['uses CPU time all the time', check => check / 10, true, 102, cpu],
  // Of every eight checks, seven find that it waits: a busy machine is not the fault of the files.
  ['gets a CPU for an eighth of the time', check => Math.floor(check / 8) / 10, true, 808, cpu],
  ['waits for a CPU', idle, true, undefined, ''],
  ['does nothing but use some CPU time now and then', nearlyIdle, false, 104, stuck],
  ['neither runs nor waits for a CPU', idle, false, 102, stuck],
  ['was not checked for a long time, which does not count in full', idle, false, undefined, '', 60_000],
] satisfies [string, CpuSeconds, boolean, number | undefined, string, number?][]) {
  test(`a process that ${what} ends ${end ? `at check ${end}` : 'at no check'}`, () => {
    const { exceeded } = openLimitCheck(LIMITS, 0);
    for (let check = 1; check <= (end ?? 20); check += 1) {
      const usage = { cpuSeconds: cpuSeconds(check), residentMb: 50, isRunnable };
      const found = exceeded(usage, check * checkMs);
      if (check === end) assert.ok(found?.startsWith(reason), found);
      else assert.equal(found, undefined, `check ${check}`);
    }
  });
}

test('a process is stalled that has done nothing for ten seconds since its last message', () => {
  // The check at which it has been stalled for so many seconds.
  for (const [cpuSeconds, isRunnable, isHeard, expected] of [
    [nearlyIdle, false, () => false, { 10: 103, 11: 113, 12: 123 }],
    [nearlyIdle, false, check => check === 25, { 10: 126 }],
    [idle, false, check => check % 50 === 0, {}],
    [() => 0, true, () => false, {}],
    [check => check / 100, false, () => false, {}],
  ] satisfies [CpuSeconds, boolean, (check: number) => boolean, object][]) {
    const { exceeded, heard, stalledSeconds } = openLimitCheck({ ...LIMITS, loadSeconds: 13 }, 0);
    const stalled = new Map<number, number>();
    for (let check = 1; check <= 127; check += 1) {
      if (isHeard(check)) heard();
      const usage = { cpuSeconds: cpuSeconds(check), residentMb: 50, isRunnable };
      assert.equal(exceeded(usage, check * CHECK_MS), undefined);
      const seconds = stalledSeconds();
      if (seconds !== undefined && !stalled.has(seconds)) stalled.set(seconds, check);
    }
    assert.deepEqual(Object.fromEntries(stalled), expected);
  }
});

test('where the CPU time is used up, the reason names the file', () => {
  const { exceeded } = openLimitCheck(LIMITS, 0);
  const usage = { cpuSeconds: 0, residentMb: 50, isRunnable: true };
  exceeded(usage, 1);
  assert.equal(
    exceeded({ ...usage, cpuSeconds: 11 }, 2, 'news/7.md'),
    'it takes more than 10 s of CPU time, the last of it for news/7.md: make the files smaller',
  );
});

test('memory is limited, and so is the time without progress if the usage is unknown', () => {
  const usage = { cpuSeconds: 1, residentMb: 101, isRunnable: true };
  const reason = openLimitCheck(LIMITS, 0).exceeded(usage, 1);
  assert.match(reason ?? '', /^it takes more than 100 MB of memory: /);
  const { exceeded } = openLimitCheck(LIMITS, 0);
  let check = 1;
  while (!exceeded(undefined, check * CHECK_MS)) check += 1;
  assert.deepEqual([check, exceeded(undefined, check * CHECK_MS)], [101, stuck]);
});

test('the usage of a process is read from /proc', { skip: !isLinux }, () => {
  const before = processUsage(process.pid) ?? assert.fail('there is nothing to read');
  while (process.cpuUsage().user < before.cpuSeconds * 1e6 + 100_000);
  const after = processUsage(process.pid) ?? assert.fail('there is nothing to read');
  assert.ok(after.isRunnable);
  assert.ok(after.cpuSeconds > before.cpuSeconds);
  assert.ok(Math.abs(after.residentMb - process.memoryUsage.rss() / 2 ** 20) < 20);
  assert.equal(processUsage(2 ** 30), undefined);
});
