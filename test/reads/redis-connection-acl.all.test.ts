import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openReads } from '../../src/reads/open.ts';
import { writeFiles } from '../support/catalogs.ts';
import { readPage } from '../support/manual.ts';
import { keepingLog, NEVER } from '../support/reads/stores.ts';
import { startRedis } from '../support/redis.ts';
import { startCluster } from '../support/redis-cluster.ts';
import { startSentinel } from '../support/redis-sentinel.ts';
import { skipWithout } from '../support/skipping.ts';

const skip = skipWithout('redis-server');
const manual = readPage('scripts/deploy/README.md');
const [, user = ''] = /^ACL SETUSER (.*)$/m.exec(manual) ?? [];
const [, forDatabase = ''] = /other than 0 add `([^`]*)`/.exec(manual) ?? [];
const [, forCluster = ''] = /For a cluster add `([^`]*)`/.exec(manual) ?? [];
const [, forSentinel = ''] = /Sentinels with users, it needs `([^`]*)`/.exec(manual) ?? [];

type TestRedis = Awaited<ReturnType<typeof startRedis>>;

const setUser = ({ client }: TestRedis, more = '') =>
  client.call('ACL', 'SETUSER', ...`${user} ${more}`.trim().split(' '));
const denials = async ({ client }: TestRedis) => client.call('ACL', 'LOG');

/** Counts there as a service does, one process after the other: every script runs by its text and by its SHA. */
async function countAt(t: TestContext, ...redisUrl: string[]) {
  const { messages, ...log } = keepingLog();
  const reasons: string[] = [];
  let count = 0;
  for (const floor of [3, 0]) {
    const place = {
      stateDir: await writeFiles(t, {}),
      redisUrl,
      redisPrefix: 'vitrine',
      flushIntervalMs: NEVER,
    };
    const counter = await openReads(place, log);
    await counter.raise(1, floor);
    count = await counter.raise(1, 0);
    await counter.flush();
    reasons.push(...counter.health().reasons);
    await counter.close();
  }
  return { count, reasons, messages };
}

const withLogin = (url: string) => url.replace('//', '//vitrine:password@');

test('the user in the guide is enough for one Redis, and for its warnings', { skip }, async t => {
  const redis = await startRedis(t);
  await setUser(redis);
  const { count, messages } = await countAt(t, withLogin(redis.url));
  assert.equal(count, 7);
  for (const message of messages)
    assert.match(message, /^warn: Redis loses the counts since its last snapshot/);
  assert.deepEqual(await denials(redis), []);
});

test('a database other than 0 needs SELECT; without it nothing is written', { skip }, async t => {
  const redis = await startRedis(t);
  await setUser(redis);
  const { reasons } = await countAt(t, withLogin(`${redis.url}/1`));
  assert.match(reasons.join(), /NOPERM .*select/i);
  assert.doesNotMatch(await redis.client.info('keyspace'), /keys=/);
  await setUser(redis, forDatabase);
  assert.equal((await countAt(t, withLogin(`${redis.url}/1`))).count, 7);
});

test('the user in the guide is enough for a cluster', { skip }, async t => {
  const { nodes } = await startCluster(t);
  for (const node of nodes) await setUser(node, forCluster);
  for (const [index, { url }] of nodes.entries())
    assert.equal((await countAt(t, withLogin(url))).count, [7, 11, 15][index]);
  for (const node of nodes) assert.deepEqual(await denials(node), []);
});

test('the users in the guide are enough for Sentinel', { skip }, async t => {
  const guard = `user guard on >password ${forSentinel}`;
  const { primary, address } = await startSentinel(t, ['user default off', guard]);
  await setUser(primary);
  const query = '?sentinelUsername=guard&sentinelPassword=password';
  const { count } = await countAt(t, withLogin(`redis+sentinel://${address}/shop${query}`));
  assert.equal(count, 7);
  assert.deepEqual(await denials(primary), []);
});
