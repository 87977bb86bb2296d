import assert from 'node:assert/strict';
import { cp, readFile, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { ReadCounter } from '../../src/reads/counter.ts';
import { openReads } from '../../src/reads/open.ts';
import { shop, writeFiles } from '../catalogs.ts';
import { flagsOf, startProcess } from '../process.ts';
import type { startRedis } from '../redis.ts';
import { skipWithout } from '../skipping.ts';
import { until } from '../until.ts';
import { keepingLog, NEVER, startRedisStore } from './stores.ts';

const skip = skipWithout('redis-server');

type TestRedis = Awaited<ReturnType<typeof startRedis>>;

/** A counter of another process at the same Redis, with a state directory of its own or a copy of another one's. */
async function openReplica(t: TestContext, redis: TestRedis, copyOf?: string, flushIntervalMs = 20) {
  let counter: ReadCounter | undefined;
  const stateDir = await writeFiles(t, {}, () => counter?.close().catch(() => {}));
  if (copyOf) await cp(copyOf, stateDir, { recursive: true });
  const { messages, ...log } = keepingLog();
  counter = await openReads({ stateDir, redisUrl: [redis.url], flushIntervalMs }, log);
  return { counter, stateDir, messages };
}

/** Resolves when all is well with these counters, and nothing is left to send. */
async function settled(t: TestContext, ...counters: ReadCounter[]): Promise<void> {
  await until(t, async () =>
    counters.every(counter => counter.health().reasons.length === 0 && counter.health().unsaved === 0)
      ? true
      : undefined,
  );
}

test('reads of many processes at once get counts that are all different and without a gap', {
  skip,
}, async t => {
  const { open, redis } = await startRedisStore(t);
  const others = await Promise.all([openReplica(t, redis), openReplica(t, redis)]);
  const counters = [await open(), ...others.map(({ counter }) => counter)];
  const counts = await Promise.all(
    Array.from({ length: 300 }, (_, index) => counters[index % 3]?.raise(1, 100)),
  );
  assert.deepEqual(
    counts.sort((one, other) => Number(one) - Number(other)),
    Array.from({ length: 300 }, (_, index) => 101 + index),
  );
});

test('what another process has counted is shown an interval later, be it news that were never read here', {
  skip,
}, async t => {
  const { redis } = await startRedisStore(t);
  const [{ counter: one }, { counter: other }] = [await openReplica(t, redis), await openReplica(t, redis)];
  for (const [id, count] of [
    [1, 101],
    [1, 102],
    [2, 101],
  ] as const) {
    const revision = other.revision();
    assert.equal(await one.raise(id, 100), count);
    await until(t, async () => (other.shown(id, 0) === count ? true : undefined));
    assert.notEqual(other.revision(), revision);
  }
});

/** What may go wrong with a Redis, and how it becomes well again. */
const troubles: {
  what: string;
  reason: RegExp;
  harm(redis: TestRedis): unknown;
  heal(redis: TestRedis): unknown;
}[] = [
  {
    what: 'is killed, and comes back with nothing',
    reason: /ECONN(REFUSED|RESET)|EPIPE|closed/,
    harm: redis => redis.kill(),
    heal: redis => redis.start(),
  },
  {
    what: 'does not answer',
    reason: /no answer for 250 ms/,
    harm: redis => redis.freeze(),
    heal: redis => redis.thaw(),
  },
  {
    what: 'has no memory left',
    reason: /OOM/,
    harm: redis => redis.client.config('SET', 'maxmemory', '1'),
    heal: redis => redis.client.config('SET', 'maxmemory', '0'),
  },
  {
    what: 'has become a replica of another one',
    reason: /READONLY|closed/,
    harm: redis => redis.client.replicaof('127.0.0.1', 1),
    heal: redis => redis.client.replicaof('NO', 'ONE'),
  },
  {
    what: 'has a text for a count',
    reason: /number/,
    harm: redis => redis.client.hset('vitrine:{reads}:counts', '2', 'many'),
    heal: redis => redis.client.hset('vitrine:{reads}:counts', '2', '2'),
  },
];

for (const { what, reason, harm, heal } of troubles) {
  test(`a Redis that ${what}: reads are answered and counted all the same, and told to it afterwards`, {
    skip,
  }, async t => {
    const { redis } = await startRedisStore(t);
    const { counter, messages } = await openReplica(t, redis);
    const { counter: other } = await openReplica(t, redis);
    for (const expected of [101, 102]) assert.equal(await counter.raise(1, 100), expected);
    for (const expected of [1, 2]) assert.equal(await counter.raise(2, 0), expected);
    await harm(redis);
    assert.deepEqual([await counter.raise(1, 100), await counter.raise(2, 0)], [103, 3]);
    await until(t, async () => (counter.health().reasons.length > 0 ? true : undefined));
    assert.deepEqual([await counter.raise(1, 100), await counter.raise(2, 0)], [104, 4]);
    assert.equal(counter.shown(1, 100), 104);
    const { reasons, unsaved } = counter.health();
    assert.match(reasons.join(), reason);
    assert.ok(unsaved >= 2);
    for (let read = 0; read < 10; read += 1) await other.raise(1, 100);

    await heal(redis);
    await settled(t, counter, other);
    assert.deepEqual(await redis.counts(), { 1: 114, 2: 4 });
    assert.equal(await counter.raise(1, 100), 115);
    assert.equal(messages.filter(message => message.startsWith('error: Redis is in trouble')).length, 1);
  });
}

test('reads that wait when their process dies are told to Redis by the next one, and only once, even by copies of it', {
  skip,
}, async t => {
  const { redis } = await startRedisStore(t);
  const { counter, stateDir } = await openReplica(t, redis, undefined, NEVER);
  await counter.raise(1, 100);
  await redis.kill();
  for (let read = 0; read < 5; read += 1) await counter.raise(1, 100);
  await counter.flush();
  const copies = [await openReplica(t, redis, stateDir), await openReplica(t, redis, stateDir)];
  assert.equal(copies[0]?.counter.shown(1, 0), 106);
  await redis.start();
  await settled(t, counter, ...copies.map(copy => copy.counter));
  assert.deepEqual(await redis.counts(), { 1: 106 });
  for (const { counter } of copies) assert.equal(counter.shown(1, 0), 106);
});

test('a process starts without Redis, and shows what was known of the counts', { skip }, async t => {
  const { redis } = await startRedisStore(t);
  const { counter, stateDir } = await openReplica(t, redis);
  await counter.raise(1, 100);
  await counter.close();
  await redis.kill();
  const { counter: next, messages } = await openReplica(t, redis, stateDir);
  assert.match(messages.join(), /^error: Redis is in trouble \(.*ECONNREFUSED/);
  assert.equal(next.shown(1, 0), 101);
  assert.equal(await next.raise(1, 0), 102);
});

test('a start that cannot read what the last process left ends with a sentence', { skip }, async t => {
  const { redis } = await startRedisStore(t);
  const dir = await writeFiles(t, shop);
  await symlink('redis-leftover.json', join(dir, 'redis-leftover.json'));
  const settings = { port: 0, catalogDir: dir, imagesDir: dir, stateDir: dir };
  const { code, stderr } = await startProcess(t, [...flagsOf(settings), '--redis-url', redis.url]).exit;
  assert.equal(code, 1);
  assert.match(stderr, /^ELOOP: [^\n]*redis-leftover\.json'\n$/);
});

test('what is left for the next process is saved again where somebody has deleted it', { skip }, async t => {
  const { redis } = await startRedisStore(t);
  const { counter, stateDir } = await openReplica(t, redis, undefined, NEVER);
  const path = join(stateDir, 'redis-leftover.json');
  for (const sequence of [1, 2]) {
    await counter.raise(1, 0);
    await counter.flush();
    const { kept } = JSON.parse(await readFile(path, 'utf8'));
    assert.equal(kept.at(-1).sequence, sequence);
    assert.deepEqual(counter.health().reasons, []);
    await rm(path);
  }
});

test('an outage in which thousands of news are read is made good in batches that do not keep Redis for long', {
  skip,
}, async t => {
  const { redis } = await startRedisStore(t);
  const { counter } = await openReplica(t, redis);
  await redis.kill();
  for (let id = 1; id <= 2500; id += 1) await counter.raise(id, 10);
  await redis.start();
  await settled(t, counter);
  const counts = await redis.counts();
  assert.equal(Object.keys(counts).length, 2500);
  assert.deepEqual([...new Set(Object.values(counts))], [11]);
  const [sequence] = await redis.client.hvals('vitrine:{reads}:sequences');
  assert.match(String(sequence), /^[34]@/);
});
