import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COUNTS, join, type TestRedis } from '../support/reads/redis-process.ts';
import { startRedis } from '../support/redis.ts';
import { skipWithout } from '../support/skipping.ts';

const skip = skipWithout('redis-server');

test('reads sent twice or out of order count once, and only new ones get a count', { skip }, async t => {
  const redis = await startRedis(t);
  const { ledger, session } = await join(t, redis, 'a');
  const received: (number | undefined)[] = [];
  const onCount = (count: number | undefined) => received.push(count);
  ledger.add(1, 100, onCount);
  const first = ledger.take();
  ledger.add(1, 100, onCount);
  ledger.add(1, 100, onCount);
  const second = ledger.take();
  assert.ok(await session.send(second));
  assert.deepEqual(received, [102, 103]);
  assert.ok(await session.send(first));
  assert.deepEqual(received, [102, 103, undefined]);
  assert.ok(await session.send(second));
  assert.deepEqual(await redis.counts(), { 1: 103 });
  assert.deepEqual([ledger.shown(1, 0), ledger.unsaved()], [103, 0]);
});

/** What Redis may lose while two processes know `100 a=2 b=1`. */
const losses: { what: string; lose(redis: TestRedis): Promise<unknown> }[] = [
  { what: 'everything', lose: ({ client }) => client.flushall() },
  { what: 'the counts', lose: ({ client }) => client.del(COUNTS) },
  { what: 'the changes', lose: ({ client }) => client.del('vitrine:{reads}:changes') },
  { what: 'the epoch', lose: ({ client }) => client.hdel(COUNTS, '@epoch') },
  { what: 'the revision', lose: ({ client }) => client.hdel(COUNTS, '@revision') },
  { what: 'the column of a process', lose: ({ client }) => client.hdel(COUNTS, '@a') },
];

for (const { what, lose } of losses) {
  test(`Redis loses ${what}: found without a read, and made good by any process`, { skip }, async t => {
    const redis = await startRedis(t);
    const [one, other] = [await join(t, redis, 'a'), await join(t, redis, 'b')];
    for (const { read } of [one, one, other]) await read(1);
    await one.session.receive();
    await lose(redis);
    assert.equal(await one.session.receive(), false);
    await one.compare();
    assert.deepEqual(await redis.counts(), { 1: 103 });
    assert.equal(await other.session.receive(), false);
    await other.compare();
    assert.deepEqual([await one.read(1), await other.read(1)], [104, 105]);
  });
}

test('Redis loses a row: found by the next read of it', { skip }, async t => {
  const redis = await startRedis(t);
  const [one, other] = [await join(t, redis, 'a'), await join(t, redis, 'b')];
  for (const { read } of [one, one, other]) await read(1);
  await one.session.receive();
  await redis.client.hdel(COUNTS, '1');
  one.ledger.add(1, 100);
  assert.equal(await one.session.send(one.ledger.take()), false);
  await one.compare();
  assert.deepEqual(await redis.counts(), { 1: 104 });
});

/** Both keys as they are now, to be restored. */
async function dump({ client }: TestRedis) {
  const keys = [COUNTS, 'vitrine:{reads}:changes'];
  const dumps = await Promise.all(keys.map(async key => [key, await client.dumpBuffer(key)] as const));
  return async () => {
    for (const [key, text] of dumps) await client.restore(key, 0, text ?? assert.fail(), 'REPLACE');
  };
}

test('Redis is restored to an earlier state: each process brings back what it knows', { skip }, async t => {
  const redis = await startRedis(t);
  const [one, other] = [await join(t, redis, 'a'), await join(t, redis, 'b')];
  for (const { read } of [one, other]) await read(1);
  const restore = await dump(redis);
  for (const { read } of [one, one, other]) await read(1);
  await restore();
  assert.deepEqual(await redis.counts(), { 1: 102 });
  assert.equal(await one.session.receive(), false);
  await one.compare();
  assert.match(
    one.messages.join(),
    /^warn: Redis lacked 2 reads of 1 news item that are known here: added them$/,
  );
  assert.equal(await other.session.receive(), false);
  await other.compare();
  assert.deepEqual(await redis.counts(), { 1: 105 });
});

test('a process finds that Redis was restored, even if others have counted more since', {
  skip,
}, async t => {
  const redis = await startRedis(t);
  const [one, other] = [await join(t, redis, 'a'), await join(t, redis, 'b')];
  for (const { read } of [one, other]) await read(1);
  const restore = await dump(redis);
  await one.read(1);
  await one.session.receive();
  await restore();
  for (let read = 0; read < 5; read += 1) await other.read(2);
  assert.equal(await one.session.receive(), false);
  await one.compare();
  assert.deepEqual(await redis.counts(), { 1: 103, 2: 105 });
});
