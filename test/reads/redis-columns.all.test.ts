import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COLUMN_LIFE } from '../../src/reads/redis/scripts.ts';
import { COUNTS, join } from '../support/reads/redis-process.ts';
import { startRedis } from '../support/redis.ts';
import { skipWithout } from '../support/skipping.ts';

const skip = skipWithout('redis-server');

test('a process goes on in the column of the process before, with what it had not sent', {
  skip,
}, async t => {
  const redis = await startRedis(t);
  const old = await join(t, redis, 'old');
  await old.read(1);
  const next = await join(t, redis, 'old', { 1: '100 old=3', 2: '0 old=1' }, old.session.owner());
  assert.deepEqual(await redis.client.hmget(COUNTS, '1', '2'), ['100 old=3', '0 old=1']);
  assert.equal(await next.read(1), 104);
  // The process before finds out if it is still there, and goes on in another one.
  assert.equal(await old.session.receive(), false);
  await old.compare();
  assert.deepEqual([await old.read(1), await next.read(1)], [105, 106]);
});

test('a column that Redis lost goes on, and one that another process marked meanwhile as well', {
  skip,
}, async t => {
  const redis = await startRedis(t);
  const one = await join(t, redis, 'one');
  await one.read(1);
  await redis.client.hdel(COUNTS, '@one', '@epoch');
  await join(t, redis, 'other', { 1: '100 one=1' });
  assert.match(String(await redis.client.hget(COUNTS, '@one')), /^0 \d+$/);
  assert.equal(await one.session.receive(), false);
  await one.compare();
  assert.equal(one.ledger.column(), 'one');
  assert.equal(await one.read(1), 102);
});

test('copies of a state directory that start at the same time add its reads once', { skip }, async t => {
  for (let time = 0; time < 5; time += 1) {
    const redis = await startRedis(t);
    const old = await join(t, redis, 'old');
    await redis.client.hset(COUNTS, { 1: '100 old=1', 2: '5/1' });
    const known = { 1: '100 old=3', 2: '5/1 old=1', 3: '0 old=2' };
    const copies = await Promise.all([1, 2, 3].map(() => join(t, redis, 'old', known, old.session.owner())));
    assert.deepEqual(await redis.counts(), { 1: 103, 2: 6, 3: 2 });
    assert.equal(new Set(copies.map(({ ledger }) => ledger.column())).size, 3);
    for (const [index, { read }] of copies.entries()) assert.equal(await read(1), 104 + index);
  }
});

test('a column that Redis lost is not taken over, since a copy may have it', { skip }, async t => {
  const redis = await startRedis(t);
  const { ledger, read } = await join(t, redis, 'old', { 1: '100 old=3' }, 'somebody');
  assert.notEqual(ledger.column(), 'old');
  assert.equal(await read(1), 104);
});

test('columns of processes that were silent for a week are added to the base, once', { skip }, async t => {
  const redis = await startRedis(t);
  const old = await join(t, redis, 'old');
  await old.read(1);
  await old.read(2);
  const away = await join(t, redis, 'away', { 1: '100 old=1' });
  const time = Math.floor(Date.now() / 1000) - COLUMN_LIFE;
  await redis.client.hset(COUNTS, {
    '@old': `5 ${time - 60}`,
    '@away': `5 ${time + 60} ${away.session.owner()}`,
  });
  const next = await join(t, redis, 'next');
  assert.deepEqual(await redis.client.hmget(COUNTS, '1', '2', '@old'), ['101/1', '101/1', 'folded']);
  assert.equal(next.ledger.shown(1, 0), 101);

  // Those who knew the column find out, and it does not come back.
  assert.ok(await away.session.receive());
  assert.equal(await away.read(1), 102);
  await redis.client.flushall();
  await away.compare();
  await join(t, redis, 'late', { 1: '100 old=1', 2: '100 old=1' });
  await next.compare();
  assert.deepEqual(await redis.counts(), { 1: 102, 2: 101 });
});

test('a process whose column was folded goes on in a new one', { skip }, async t => {
  const redis = await startRedis(t);
  const slow = await join(t, redis, 'slow');
  assert.equal(await slow.read(1), 101);
  await redis.client.hset(COUNTS, '@slow', '1 1');
  await join(t, redis, 'next');
  slow.ledger.add(1, 100);
  assert.equal(await slow.session.send(slow.ledger.take()), false);
  slow.ledger.retry();
  await slow.compare();
  assert.ok(await slow.session.send(slow.ledger.take()));
  assert.deepEqual(await redis.counts(), { 1: 102 });
  assert.deepEqual([slow.ledger.shown(1, 0), slow.ledger.unsaved()], [102, 0]);
});
