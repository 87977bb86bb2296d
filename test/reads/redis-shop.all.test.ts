import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openReads } from '../../src/reads/open.ts';
import { afterTest } from '../support/after-test.ts';
import { writeFiles } from '../support/catalogs.ts';
import { keepingLog, NEVER } from '../support/reads/stores.ts';
import { startRedis } from '../support/redis.ts';
import { skipWithout } from '../support/skipping.ts';
import { until } from '../support/until.ts';

const skip = skipWithout('redis-server');

type News = [id: number, time: number][];

/** News items that nobody else has. */
const newsSince = (time: number, count = 50): News =>
  Array.from({ length: count }, (_, index) => [index + 1, time + index]);

async function openShop(
  t: TestContext,
  url: string,
  news: News | undefined,
  { redisPrefix = 'vitrine', stateDir = '' } = {},
) {
  const served = { news };
  stateDir ||= await writeFiles(t, {});
  const place = { stateDir, redisUrl: [url], redisPrefix, flushIntervalMs: NEVER };
  const counter = await openReads(place, keepingLog(), () => served.news);
  afterTest(t, () => counter.close().catch(() => {}));
  return { counter, served, stateDir };
}

test('a second shop under the same prefix counts on its own and says why, until it has its own prefix', {
  skip,
}, async t => {
  const redis = await startRedis(t);
  const one = await openShop(t, redis.url, newsSince(1_000_000));
  assert.equal(await one.counter.raise(1, 100), 101);
  const other = await openShop(t, redis.url, newsSince(2_000_000));
  assert.equal(await other.counter.raise(1, 5), 6);
  assert.match(other.counter.health().reasons.join(), /another catalog .* set REDIS_PREFIX/);
  assert.equal(other.counter.shown(2, 7), 7);
  assert.deepEqual(await redis.counts(), { 1: 101 });
  const third = await openShop(t, redis.url, newsSince(2_000_000), { redisPrefix: 'shop-2' });
  assert.equal(await third.counter.raise(1, 5), 6);
  assert.deepEqual(third.counter.health().reasons, []);
});

test('replicas whose news items differ in part are one shop', { skip }, async t => {
  const redis = await startRedis(t);
  const news = newsSince(1_000_000);
  const one = await openShop(t, redis.url, news);
  const other = await openShop(t, redis.url, [...news.slice(0, 40), ...newsSince(3_000_000, 10)]);
  assert.deepEqual([await one.counter.raise(1, 100), await other.counter.raise(1, 100)], [101, 102]);
});

test('nothing is read from Redis before it is known which shop this is', { skip }, async t => {
  const redis = await startRedis(t);
  const one = await openShop(t, redis.url, newsSince(1_000_000));
  assert.equal(await one.counter.raise(1, 100), 101);
  const other = await openShop(t, redis.url, undefined);
  assert.equal(other.counter.shown(1, 5), 5);
  other.served.news = newsSince(1_000_000);
  await other.counter.flush();
  assert.equal(other.counter.shown(1, 5), 101);
});

test('a reader who waits for the first catalogs is counted in the column of the process before', {
  skip,
}, async t => {
  const redis = await startRedis(t);
  const { counter, stateDir } = await openShop(t, redis.url, newsSince(1_000_000));
  await counter.raise(1, 100);
  await counter.close();
  const next = await openShop(t, redis.url, undefined, { stateDir });
  next.served.news = newsSince(1_000_000);
  assert.equal(await next.counter.raise(1, 100), 102);
  assert.match(String(await redis.client.hget('vitrine:{reads}:counts', '1')), /^100 c[0-9a-f]+=2$/);
});

test('a shop that no longer runs does not stand in the way of another one', { skip }, async t => {
  const redis = await startRedis(t);
  const one = await openShop(t, redis.url, newsSince(1_000_000));
  await one.counter.flush();
  const marks = String(await redis.client.hget('vitrine:{reads}:counts', '@shop')).replace(/^\d+/, '1000');
  await redis.client.hset('vitrine:{reads}:counts', '@shop', marks);
  const other = await openShop(t, redis.url, newsSince(2_000_000));
  assert.equal(await other.counter.raise(1, 5), 6);
  assert.deepEqual(other.counter.health().reasons, []);
});

test('while Redis does not answer which shop counts there, reads are answered', { skip }, async t => {
  const redis = await startRedis(t);
  const { counter, served } = await openShop(t, redis.url, undefined);
  served.news = newsSince(1_000_000);
  redis.freeze();
  const flushed = counter.flush();
  assert.equal(await counter.raise(1, 100), 101);
  await flushed;
  assert.match(counter.health().reasons.join(), /no answer for 250 ms/);
  redis.thaw();
  await until(t, async () => {
    await counter.flush();
    return counter.health().reasons.length === 0 ? true : undefined;
  });
  assert.deepEqual(await redis.counts(), { 1: 101 });
});
