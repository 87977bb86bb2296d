import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openExchange } from '../../src/reads/redis/exchange.ts';
import { openRedisLink } from '../../src/reads/redis/link.ts';
import { openOutbox } from '../../src/reads/redis/outbox.ts';
import { openView } from '../../src/reads/redis/view.ts';
import { startRedis } from '../redis.ts';
import { skipWithout } from '../skipping.ts';
import { keepingLog } from './stores.ts';

const skip = skipWithout('redis-server');

/** A Redis, and the exchange of one process with it, whose time is the test's. */
async function start(t: TestContext) {
  const redis = await startRedis(t);
  const link = await openRedisLink([redis.url]);
  t.after(() => link.close());
  let time = 0;
  const { messages, ...log } = keepingLog();
  const outbox = openOutbox('one', { kept: [], unsent: [] }, time);
  const view = openView({ counts: new Map(), unsent: [] });
  const exchange = openExchange(link, outbox, view, log, () => time);
  const read = async (id: number) => {
    let count: number | undefined;
    outbox.add(id, 100, told => (count = told));
    view.add(id);
    const batch = outbox.next();
    if (batch) await exchange.deliver(batch);
    return count;
  };
  const wait = (ms: number) => {
    time += ms;
  };
  return { redis, link, messages, outbox, view, exchange, read, wait };
}

test('a batch is applied once, however often it is sent, and not before the one before it', {
  skip,
}, async t => {
  const { redis, link } = await start(t);
  const batch = (sequence: number) => ({
    instance: 'another',
    sequence,
    deltas: [
      { id: 1, reads: 2, floor: 100 },
      { id: 2, reads: 1, floor: 0 },
    ],
  });
  assert.deepEqual(await link.apply(batch(2), 1), { last: 0, counts: [] });
  assert.deepEqual(await link.apply(batch(1), 0), { last: 0, counts: [102, 1] });
  assert.deepEqual(await link.apply(batch(1), 0), { last: 1, counts: [] });
  assert.deepEqual(await link.apply(batch(2), 1), { last: 1, counts: [104, 2] });
  assert.deepEqual(await redis.counts(), { 1: 104, 2: 2 });
});

test('a batch whose answer was lost is not applied again, and its counts are learned anew', {
  skip,
}, async t => {
  const { redis, link, outbox, view, exchange } = await start(t);
  const told: (number | undefined)[] = [];
  outbox.add(1, 100, count => told.push(count));
  view.add(1);
  const batch = outbox.next() ?? assert.fail('there is nothing to send');
  await link.apply(batch, 0);
  await link.apply({ instance: 'another', sequence: 1, deltas: [{ id: 1, reads: 10, floor: 100 }] }, 0);
  await exchange.deliver(batch);
  assert.deepEqual(await redis.counts(), { 1: 111 });
  assert.deepEqual(told, [undefined]);
  assert.equal(view.shown(1, 0), 111);
});

test('counts are exact up to the largest that JSON carries', { skip }, async t => {
  const { redis, link } = await start(t);
  const floor = Number.MAX_SAFE_INTEGER - 1;
  const deltas = [{ id: Number.MAX_SAFE_INTEGER, reads: 1, floor }];
  assert.deepEqual(await link.apply({ instance: 'another', sequence: 1, deltas }, 0), {
    last: 0,
    counts: [floor + 1],
  });
  assert.deepEqual(await redis.counts(), { [Number.MAX_SAFE_INTEGER]: Number.MAX_SAFE_INTEGER });
});

for (const [what, notice] of [
  ['at the next look', ({ exchange }) => exchange.refresh()],
  ['at the next read', ({ read }) => read(2)],
] as [string, (one: Awaited<ReturnType<typeof start>>) => Promise<unknown>][]) {
  test(`what Redis loses within 5 s of acknowledging it is sent again, as is noticed ${what}`, {
    skip,
  }, async t => {
    const process = await start(t);
    const { redis, link, messages, read, wait, view } = process;
    assert.equal(await read(1), 101);
    assert.equal(await read(1), 102);
    wait(4999);
    await redis.client.flushall();
    // Another process has counted meanwhile.
    await link.apply({ instance: 'another', sequence: 1, deltas: [{ id: 1, reads: 10, floor: 100 }] }, 0);
    await notice(process);
    assert.equal((await redis.counts())['1'], 112);
    assert.equal(view.shown(1, 0), what === 'at the next look' ? 112 : 102);
    assert.match(
      messages.join(),
      /^warn: Redis has lost 2 batches of reads that it had acknowledged: they are sent again$/,
    );
  });

  test(`where Redis has lost more, its counts are raised to what is known, as is noticed ${what}`, {
    skip,
  }, async t => {
    const process = await start(t);
    const { redis, messages, exchange, read, wait } = process;
    for (const count of [101, 102, 103]) assert.equal(await read(1), count);
    wait(5000);
    await exchange.refresh();
    await redis.client.flushall();
    await notice(process);
    assert.equal((await redis.counts())['1'], 103);
    assert.match(
      messages.join(),
      /^error: Redis has lost reads of more than 5 s: its counts are raised to what is known here$/,
    );
    assert.equal(await read(1), 104);
  });
}

test('what was sent again may be lost again, and is kept for 5 s more', { skip }, async t => {
  const { redis, messages, exchange, read, wait } = await start(t);
  for (const count of [101, 102]) assert.equal(await read(1), count);
  for (let time = 0; time < 4; time += 1) {
    wait(4000);
    await redis.client.flushall();
    await exchange.refresh();
    assert.deepEqual(await redis.counts(), { 1: 102 });
  }
  assert.equal(messages.filter(message => /^warn: .* are sent again$/.test(message)).length, 4);
  assert.equal(messages.length, 4);
});

test('a count that is no number is an error, and nothing is learned', { skip }, async t => {
  const { redis, view, exchange, read } = await start(t);
  await read(2);
  await redis.client.hset('vitrine:{reads}:counts', '2', 'many');
  await assert.rejects(exchange.refresh(), { message: 'the count of 2 is no number: many' });
  assert.equal(view.shown(2, 0), 101);
});

test('after a new connection all counts are learned anew, since Redis may be another one now', {
  skip,
}, async t => {
  const { redis, link, view, exchange } = await start(t);
  const applyTo = (id: number, instance: string) =>
    link.apply({ instance, sequence: 1, deltas: [{ id, reads: 1, floor: 0 }] }, 0);
  await applyTo(1, 'before');
  await exchange.refresh();
  await redis.client.flushall();
  await applyTo(7, 'after');
  exchange.startOver();
  await exchange.refresh();
  assert.deepEqual([view.shown(1, 0), view.shown(7, 0)], [0, 1]);
});

test('instances that have sent nothing for 90 days are forgotten', { skip }, async t => {
  const { redis, read } = await start(t);
  await read(1);
  const time = Math.floor(Date.now() / 1000) - 90 * 24 * 3600;
  await redis.client.hset('vitrine:{reads}:sequences', { old: `7@${time - 60}`, younger: `7@${time + 60}` });
  const link = await openRedisLink([redis.url]);
  t.after(() => link.close());
  // Comes after it on the same connection.
  await link.changes(0, []);
  assert.deepEqual((await redis.client.hkeys('vitrine:{reads}:sequences')).sort(), ['one', 'younger']);
});
