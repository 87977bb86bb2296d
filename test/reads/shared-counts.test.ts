import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { openCountsOwner } from '../../src/reads/file/shared-counts.ts';

const TIMES = 50_000;

test('threads that raise a count at the same time get different counts, without a gap', async () => {
  const owner = openCountsOwner(new Map([[1, 7]]));
  owner.share([1]);
  const threads = Array.from({ length: 3 }, () => {
    const entry = new URL('../support/reads/raise-often.ts', import.meta.url);
    const load = `import('tsx/esm/api').then(tsx => tsx.tsImport(${JSON.stringify(entry.href)}, ${JSON.stringify(import.meta.url)}))`;
    return new Worker(load, { eval: true, workerData: { memory: owner.memory, times: TIMES } });
  });
  const raised = await Promise.all(threads.map(async thread => (await once(thread, 'message'))[0]));
  const counts = raised.flat().sort((one, other) => one - other);
  assert.deepEqual(
    counts,
    Array.from({ length: 3 * TIMES }, (_, index) => 11 + index),
  );
  assert.equal(owner.raised(), 3 * TIMES);
  assert.deepEqual([...owner.takeChanges()], [[1, 10 + 3 * TIMES]]);
  assert.deepEqual([...owner.takeChanges()], []);
});

test('counts from before they were shared go on, and are saved once', () => {
  const owner = openCountsOwner(new Map([[1, 7]]));
  owner.set(2, 5);
  owner.share([1, 2, 3]);
  assert.deepEqual([1, 2, 3].map(owner.get), [7, 5, 0]);
  assert.deepEqual([...owner.takeChanges()], [[2, 5]]);
  assert.equal(owner.raise(3, 0), 1);
  assert.deepEqual([...owner.takeChanges()], [[3, 1]]);
  assert.deepEqual(
    owner.all(),
    new Map([
      [1, 7],
      [2, 5],
      [3, 1],
    ]),
  );
});
