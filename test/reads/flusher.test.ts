import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openFlusher } from '../../src/reads/file/flusher.ts';
import { keepingLog } from '../support/reads/stores.ts';

/** Saving of which each save lasts until `end` is called, while time stands still. */
function start(t: TestContext, flushIntervalMs: number) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const ends: (() => void)[] = [];
  const { messages, ...log } = keepingLog();
  const save = () => new Promise<void>(resolve => ends.push(resolve));
  const { flush, fault } = openFlusher('counts', save, flushIntervalMs, log);
  const begun = async () => {
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
    return ends.length;
  };
  return {
    flush,
    fault,
    messages,
    begun,
    end: () => ends.at(-1)?.(),
    wait: (ms: number) => t.mock.timers.tick(ms),
  };
}

for (const [flushIntervalMs, patienceMs] of [
  [10, 5_000],
  [1_000, 5_000],
  [2_000, 6_000],
  [3_600_000, 10_800_000],
] as const) {
  test(`with an interval of ${flushIntervalMs} ms, a save is overdue after ${patienceMs} ms, until it ends`, async t => {
    const { flush, fault, messages, begun, end, wait } = start(t, flushIntervalMs);
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
  const { flush, begun, end } = start(t, 10);
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
