import assert from 'node:assert/strict';
import { type TestFn, test as testOfNode } from 'node:test';
import { afterTest } from '../support/after-test.ts';
import { stores } from '../support/stores.ts';
import { until } from '../support/until.ts';

for (const { name, skip, start } of stores) {
  const test = (what: string, run: TestFn) => void testOfNode(`${name}: ${what}`, { skip }, run);

  test('a read raises the count above its floor, whatever that is, and changes the revision; a look does not', async t => {
    const counter = await (await start(t)).open();
    const revisions = new Set([counter.revision()]);
    // A floor that is pasted back from an export does not double the count.
    for (const [id, floor, count] of [
      [1, 100, 101],
      [1, 101, 102],
      [1, 0, 103],
      [2, 0, 1],
      [1, 500, 501],
    ] as const) {
      assert.equal(counter.shown(id, floor), count - 1);
      assert.equal(await counter.raise(id, floor), count);
      const revision = counter.revision();
      assert.ok(!revisions.has(revision), `revision ${revision}`);
      revisions.add(revision);
      counter.shown(id, 0);
      assert.equal(counter.revision(), revision);
    }
  });

  test('a count rises to the largest number that JSON carries and stays there, also over a restart', async t => {
    const { open, saved } = await start(t);
    const counter = await open();
    const most = Number.MAX_SAFE_INTEGER;
    for (const count of [most - 1, most, most]) assert.equal(await counter.raise(1, most - 2), count);
    const together = await Promise.all([counter.raise(1, 0), counter.raise(1, 0), counter.raise(1, 0)]);
    assert.deepEqual(together, [most, most, most]);
    assert.equal(counter.shown(1, 0), most);
    await counter.close();
    assert.deepEqual(await saved(), { 1: most });
    assert.equal((await open()).shown(1, 0), most);
  });

  test('a flush saves the counts, each item its own', async t => {
    const before = Date.now() / 1000;
    const { open, saved } = await start(t);
    const counter = await open();
    for (const id of [1, 2, 9_007_199_254_740_991]) await counter.raise(id, 0);
    await counter.raise(2, 0);
    await counter.flush();
    assert.deepEqual(await saved(), { 1: 1, 2: 2, '9007199254740991': 1 });
    const { counted, unsaved, lastFlush, reasons } = counter.health();
    assert.deepEqual([counted, unsaved, reasons], [4, 0, []]);
    assert.ok(lastFlush && lastFlush >= before && lastFlush <= Date.now() / 1000);
  });

  test('without a flush, reads are saved at the next interval', async t => {
    const { open, saved } = await start(t);
    const counter = await open(10);
    await counter.raise(3, 0);
    // The counter's own timer does not keep a process alive.
    const alive = setInterval(() => {}, 1000);
    afterTest(t, () => clearInterval(alive));
    await until(t, async () => (await saved().catch(() => undefined))?.['3'] === 1);
  });

  test('close saves the unsaved reads, and the next counter continues from them and keeps others', async t => {
    const { open, saved } = await start(t);
    const counter = await open();
    await counter.raise(1, 41);
    await counter.close();
    assert.deepEqual(await saved(), { 1: 42 });
    const next = await open();
    assert.equal(next.shown(1, 0), 42);
    await next.raise(2, 10);
    await next.close();
    assert.deepEqual(await saved(), { 1: 42, 2: 11 });
    assert.equal(await (await open()).raise(1, 0), 43);
  });
}
