import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openLocalCounts } from '../../src/reads/redis/local-counts.ts';
import { openOutbox } from '../../src/reads/redis/outbox.ts';
import { openRedisClient } from '../../src/reads/redis/redis-client.ts';
import { openSync } from '../../src/reads/redis/sync.ts';
import { keepingLog } from '../support/reads/stores.ts';
import { startRedis } from '../support/redis.ts';
import { skipWithout } from '../support/skipping.ts';

const skip = skipWithout('redis-server');

/** A Redis, and the sync of one process with it, whose time is the test's. */
async function start(t: TestContext) {
  const redis = await startRedis(t);
  const client = await openRedisClient([redis.url]);
  t.after(() => client.close());
  let time = 0;
  const { messages, ...log } = keepingLog();
  const outbox = openOutbox('one', { kept: [], unsent: [] }, time);
  const localCounts = openLocalCounts({ counts: new Map(), unsent: [] });
  const sync = openSync(client, outbox, localCounts, log, () => time);
  const read = async (id: number) => {
    let count: number | undefined;
    outbox.add(id, 100, received => (count = received));
    localCounts.add(id);
    const batch = outbox.next();
    if (batch) await sync.deliver(batch);
    return count;
  };
  const wait = (ms: number) => {
    time += ms;
  };
  return { redis, client, messages, outbox, localCounts, sync, read, wait };
}

test('a batch is applied once, however often it is sent, and not before its predecessor', {
  skip,
}, async t => {
  const { redis, client } = await start(t);
  const batch = (sequence: number) => ({
    instance: 'another',
    sequence,
    deltas: [
      { id: 1, reads: 2, floor: 100 },
      { id: 2, reads: 1, floor: 0 },
    ],
  });
  assert.deepEqual(await client.apply(batch(2), 1), { last: 0, counts: [] });
  assert.deepEqual(await client.apply(batch(1), 0), { last: 0, counts: [102, 1] });
  assert.deepEqual(await client.apply(batch(1), 0), { last: 1, counts: [] });
  assert.deepEqual(await client.apply(batch(2), 1), { last: 1, counts: [104, 2] });
  assert.deepEqual(await redis.counts(), { 1: 104, 2: 2 });
});

test('a batch whose response was lost is not applied again, and its counts are fetched again', {
  skip,
}, async t => {
  const { redis, client, outbox, localCounts, sync } = await start(t);
  const received: (number | undefined)[] = [];
  outbox.add(1, 100, count => received.push(count));
  localCounts.add(1);
  const batch = outbox.next() ?? assert.fail('there is nothing to send');
  await client.apply(batch, 0);
  await client.apply({ instance: 'another', sequence: 1, deltas: [{ id: 1, reads: 10, floor: 100 }] }, 0);
  await sync.deliver(batch);
  assert.deepEqual(await redis.counts(), { 1: 111 });
  assert.deepEqual(received, [undefined]);
  assert.equal(localCounts.shown(1, 0), 111);
});

test('counts are exact up to the largest that JSON carries', { skip }, async t => {
  const { redis, client } = await start(t);
  const floor = Number.MAX_SAFE_INTEGER - 1;
  const deltas = [{ id: Number.MAX_SAFE_INTEGER, reads: 1, floor }];
  assert.deepEqual(await client.apply({ instance: 'another', sequence: 1, deltas }, 0), {
    last: 0,
    counts: [floor + 1],
  });
  assert.deepEqual(await redis.counts(), { [Number.MAX_SAFE_INTEGER]: Number.MAX_SAFE_INTEGER });
});

for (const [what, trigger] of [
  ['by the next refresh', ({ sync }) => sync.refresh()],
  ['by the next read', ({ read }) => read(2)],
] as [string, (one: Awaited<ReturnType<typeof start>>) => Promise<unknown>][]) {
  test(`reads that Redis loses within 5 s of acknowledging them are sent again, found ${what}`, {
    skip,
  }, async t => {
    const process = await start(t);
    const { redis, client, messages, read, wait, localCounts } = process;
    assert.equal(await read(1), 101);
    assert.equal(await read(1), 102);
    wait(4999);
    await redis.client.flushall();
    // Another process has counted meanwhile.
    await client.apply({ instance: 'another', sequence: 1, deltas: [{ id: 1, reads: 10, floor: 100 }] }, 0);
    await trigger(process);
    assert.equal((await redis.counts())['1'], 112);
    assert.equal(localCounts.shown(1, 0), what === 'by the next refresh' ? 112 : 102);
    assert.match(messages.join(), /^warn: Redis lost 2 acknowledged batches of reads: sending them again$/);
  });

  test(`if Redis has lost more, its counts are raised to the known ones, found ${what}`, {
    skip,
  }, async t => {
    const process = await start(t);
    const { redis, messages, sync, read, wait } = process;
    for (const count of [101, 102, 103]) assert.equal(await read(1), count);
    wait(5000);
    await sync.refresh();
    await redis.client.flushall();
    await trigger(process);
    assert.equal((await redis.counts())['1'], 103);
    assert.match(
      messages.join(),
      /^error: Redis lost reads of more than 5 s: raising its counts to those known here; /,
    );
    assert.equal(await read(1), 104);
  });
}

test('reads that were sent again are kept for another 5 s', { skip }, async t => {
  const { redis, messages, sync, read, wait } = await start(t);
  for (const count of [101, 102]) assert.equal(await read(1), count);
  for (let time = 0; time < 4; time += 1) {
    wait(4000);
    await redis.client.flushall();
    await sync.refresh();
    assert.deepEqual(await redis.counts(), { 1: 102 });
  }
  assert.equal(messages.filter(message => /^warn: .* sending them again$/.test(message)).length, 4);
  assert.equal(messages.length, 4);
});

test('a count that is not a number is an error, and no count changes', { skip }, async t => {
  const { redis, localCounts, sync, read } = await start(t);
  await read(2);
  await redis.client.hset('vitrine:{reads}:counts', '2', 'many');
  await assert.rejects(sync.refresh(), { message: 'the count of news item 2 is not a number: many' });
  assert.equal(localCounts.shown(2, 0), 101);
});

test('after a reconnect all counts are fetched again, because it may be another Redis', {
  skip,
}, async t => {
  const { redis, client, localCounts, sync } = await start(t);
  const applyTo = (id: number, instance: string) =>
    client.apply({ instance, sequence: 1, deltas: [{ id, reads: 1, floor: 0 }] }, 0);
  await applyTo(1, 'before');
  await sync.refresh();
  await redis.client.flushall();
  await applyTo(7, 'after');
  sync.reset();
  await sync.refresh();
  assert.deepEqual([localCounts.shown(1, 0), localCounts.shown(7, 0)], [0, 1]);
});

test('instances that have sent nothing for 90 days are forgotten', { skip }, async t => {
  const { redis, read } = await start(t);
  await read(1);
  const time = Math.floor(Date.now() / 1000) - 90 * 24 * 3600;
  await redis.client.hset('vitrine:{reads}:sequences', { old: `7@${time - 60}`, younger: `7@${time + 60}` });
  const client = await openRedisClient([redis.url]);
  t.after(() => client.close());
  // Comes after it on the same connection.
  await client.changes(0, []);
  assert.deepEqual((await redis.client.hkeys('vitrine:{reads}:sequences')).sort(), ['one', 'younger']);
});
