import assert from 'node:assert/strict';
import { type TestContext, type TestFn, test as testOfNode } from 'node:test';
import { compareAll } from '../../src/reads/redis/compare.ts';
import { openConnection } from '../../src/reads/redis/connection.ts';
import { addRead, openLedger, sendAgain, shownIn, takeUnsent } from '../../src/reads/redis/ledger.ts';
import { COLUMN_LIFE, SCRIPTS } from '../../src/reads/redis/scripts.ts';
import { openSession, receiveRows, sendReads } from '../../src/reads/redis/session.ts';
import { afterTest } from '../support/after-test.ts';
import { startRedis } from '../support/redis.ts';
import { skipWithout } from '../support/skipping.ts';
import { keepingLog } from '../support/stores.ts';

const skip = skipWithout('redis-server');
const test = (name: string, run: TestFn) => void testOfNode(name, { skip }, run);

const COUNTS = 'vitrine:{reads}:counts';

type TestRedis = Awaited<ReturnType<typeof startRedis>>;

/** What one process knows and sends, which has compared its rows with Redis. `owner` is that of the process before. */
async function join(
  t: TestContext,
  redis: TestRedis,
  column: string,
  rows: Record<number, string> = {},
  owner?: string,
) {
  const { messages, ...log } = keepingLog();
  const connection = await openConnection({ redisUrl: [redis.url], redisPrefix: 'vitrine' }, SCRIPTS, log);
  afterTest(t, connection.close);
  const ledger = openLedger(new Map(Object.entries(rows).map(([id, row]) => [Number(id), row])), column);
  const session = openSession(connection, ledger, owner);
  messages.length = 0;
  const read = async (id: number, floor = 100) => {
    let count: number | undefined;
    addRead(ledger, id, floor, received => (count = received));
    assert.ok(await sendReads(session, takeUnsent(ledger)));
    return count;
  };
  const compare = () => compareAll(session, log);
  await compare();
  return { ledger, session, messages, read, compare };
}

/** Processes with the columns a and b, which have read news item 1 in this order. */
async function countTogether(t: TestContext, redis: TestRedis, order: string) {
  const [one, other] = [await join(t, redis, 'a'), await join(t, redis, 'b')];
  for (const name of order) await (name === 'a' ? one : other).read(1);
  return [one, other] as const;
}

test('reads sent twice or out of order count once, and only new ones get a count', async t => {
  const redis = await startRedis(t);
  const { ledger, session } = await join(t, redis, 'a');
  const received: (number | undefined)[] = [];
  const onCount = (count: number | undefined) => received.push(count);
  addRead(ledger, 1, 100, onCount);
  const first = takeUnsent(ledger);
  addRead(ledger, 1, 100, onCount);
  addRead(ledger, 1, 100, onCount);
  const second = takeUnsent(ledger);
  assert.ok(await sendReads(session, second));
  assert.deepEqual(received, [102, 103]);
  assert.ok(await sendReads(session, first));
  assert.deepEqual(received, [102, 103, undefined]);
  assert.ok(await sendReads(session, second));
  assert.deepEqual(await redis.counts(), { 1: 103 });
  assert.deepEqual([shownIn(ledger, 1, 0), ledger.unsaved], [103, 0]);
});

/** What Redis may lose while two processes know `100 a=2 b=1`. */
const losses: Record<string, (redis: TestRedis) => Promise<unknown>> = {
  everything: ({ client }) => client.flushall(),
  'the counts': ({ client }) => client.del(COUNTS),
  'the changes': ({ client }) => client.del('vitrine:{reads}:changes'),
  'the epoch': ({ client }) => client.hdel(COUNTS, '@epoch'),
  'the revision': ({ client }) => client.hdel(COUNTS, '@revision'),
  'the column of a process': ({ client }) => client.hdel(COUNTS, '@a'),
};

for (const [what, lose] of Object.entries(losses)) {
  test(`Redis loses ${what}: found without a read, and made good by any process`, async t => {
    const redis = await startRedis(t);
    const [one, other] = await countTogether(t, redis, 'aab');
    await receiveRows(one.session);
    await lose(redis);
    assert.equal(await receiveRows(one.session), false);
    await one.compare();
    const lacked = /^(everything|the counts)$/.test(what);
    const told = 'warn: Redis lacked 103 reads of 1 news item that are known here: added them';
    assert.deepEqual(one.messages, lacked ? [told] : []);
    assert.deepEqual(await redis.counts(), { 1: 103 });
    assert.equal(await receiveRows(other.session), false);
    await other.compare();
    assert.deepEqual([await one.read(1), await other.read(1)], [104, 105]);
  });
}

test('Redis loses a row: found by the next read of it', async t => {
  const redis = await startRedis(t);
  const [one] = await countTogether(t, redis, 'aab');
  await receiveRows(one.session);
  await redis.client.hdel(COUNTS, '1');
  addRead(one.ledger, 1, 100);
  assert.equal(await sendReads(one.session, takeUnsent(one.ledger)), false);
  await one.compare();
  assert.deepEqual(await redis.counts(), { 1: 104 });
});

test('a process goes on in the column of the process before, with what it had not sent', async t => {
  const redis = await startRedis(t);
  const old = await join(t, redis, 'old');
  await old.read(1);
  const next = await join(t, redis, 'old', { 1: '100 old=3', 2: '0 old=1' }, old.session.columnOwner);
  assert.deepEqual(await redis.client.hmget(COUNTS, '1', '2'), ['100 old=3', '0 old=1']);
  assert.equal(await next.read(1), 104);
  // The process before finds out if it is still there, and goes on in another one.
  assert.equal(await receiveRows(old.session), false);
  await old.compare();
  assert.deepEqual([await old.read(1), await next.read(1)], [105, 106]);
});

test('a column that Redis lost goes on, and one that another process marked meanwhile as well', async t => {
  const redis = await startRedis(t);
  const one = await join(t, redis, 'one');
  await one.read(1);
  await redis.client.hdel(COUNTS, '@one', '@epoch');
  await join(t, redis, 'other', { 1: '100 one=1' });
  assert.match(String(await redis.client.hget(COUNTS, '@one')), /^0 \d+$/);
  assert.equal(await receiveRows(one.session), false);
  await one.compare();
  assert.equal(one.ledger.column, 'one');
  assert.equal(await one.read(1), 102);
});

test('copies of a state directory that start at the same time add its reads once', async t => {
  for (let time = 0; time < 5; time += 1) {
    const redis = await startRedis(t);
    const old = await join(t, redis, 'old');
    await redis.client.hset(COUNTS, { 1: '100 old=1', 2: '5/1' });
    const known = { 1: '100 old=3', 2: '5/1 old=1', 3: '0 old=2' };
    const copies = await Promise.all(
      [1, 2, 3].map(() => join(t, redis, 'old', known, old.session.columnOwner)),
    );
    assert.deepEqual(await redis.counts(), { 1: 103, 2: 6, 3: 2 });
    assert.equal(new Set(copies.map(({ ledger }) => ledger.column)).size, 3);
    for (const [index, { read }] of copies.entries()) assert.equal(await read(1), 104 + index);
  }
});

test('a column that Redis lost is not taken over, since a copy may have it', async t => {
  const redis = await startRedis(t);
  const { ledger, read } = await join(t, redis, 'old', { 1: '100 old=3' }, 'somebody');
  assert.notEqual(ledger.column, 'old');
  assert.equal(await read(1), 104);
});

test('columns of processes that were silent for a week are added to the base, once', async t => {
  const redis = await startRedis(t);
  const old = await join(t, redis, 'old');
  await old.read(1);
  await old.read(2);
  const away = await join(t, redis, 'away', { 1: '100 old=1' });
  const time = Math.floor(Date.now() / 1000) - COLUMN_LIFE;
  await redis.client.hset(COUNTS, {
    '@old': `5 ${time - 60}`,
    '@away': `5 ${time + 60} ${away.session.columnOwner}`,
  });
  const next = await join(t, redis, 'next');
  assert.deepEqual(await redis.client.hmget(COUNTS, '1', '2', '@old'), ['101/1', '101/1', 'folded']);
  assert.equal(shownIn(next.ledger, 1, 0), 101);

  // Those who knew the column find out, and it does not come back.
  assert.ok(await receiveRows(away.session));
  assert.equal(await away.read(1), 102);
  await redis.client.flushall();
  await away.compare();
  await join(t, redis, 'late', { 1: '100 old=1', 2: '100 old=1' });
  await next.compare();
  assert.deepEqual(await redis.counts(), { 1: 102, 2: 101 });
});

test('a process whose column was folded goes on in a new one', async t => {
  const redis = await startRedis(t);
  const slow = await join(t, redis, 'slow');
  assert.equal(await slow.read(1), 101);
  await redis.client.hset(COUNTS, '@slow', '1 1');
  await join(t, redis, 'next');
  addRead(slow.ledger, 1, 100);
  assert.equal(await sendReads(slow.session, takeUnsent(slow.ledger)), false);
  sendAgain(slow.ledger);
  await slow.compare();
  assert.ok(await sendReads(slow.session, takeUnsent(slow.ledger)));
  assert.deepEqual(await redis.counts(), { 1: 102 });
  assert.deepEqual([shownIn(slow.ledger, 1, 0), slow.ledger.unsaved], [102, 0]);
});
