import assert from 'node:assert/strict';
import { type TestContext, type TestFn, test as testOfNode } from 'node:test';
import { inspect } from 'node:util';
import { openConnection, parseAddress } from '../../src/reads/redis/connection.ts';
import { afterTest } from '../support/after-test.ts';
import { freePort } from '../support/programs.ts';
import { startCluster, startRedis, startSentinel } from '../support/redis.ts';
import { skipWithout } from '../support/skipping.ts';
import { keepingLog } from '../support/stores.ts';
import { until } from '../support/until.ts';

const skip = skipWithout('redis-server');
const test = (name: string, run: TestFn) => void testOfNode(name, { skip }, run);

/** `add` adds a number to a count, and returns the sum. */
const SCRIPTS = {
  add: `
    redis.call('ZADD', KEYS[2], 1, ARGV[1])
    return redis.call('HINCRBY', KEYS[1], ARGV[1], ARGV[2])`,
};

/** Opens a connection that closes with the test. `ready` counts the calls of its listener. */
async function openConnectionTo(t: TestContext, redisUrl: string[], redisPrefix = 'vitrine') {
  const { messages, ...log } = keepingLog();
  let ready = 0;
  const connection = await openConnection({ redisUrl, redisPrefix }, SCRIPTS, log);
  afterTest(t, connection.close);
  connection.onReady(() => (ready += 1));
  return { connection, messages, ready: () => ready };
}

test('a script runs on the keys of the prefix, and again after Redis forgot it', async t => {
  const redis = await startRedis(t);
  const { connection } = await openConnectionTo(t, [redis.url], 'shop.a');
  assert.equal(await connection.run('add', [7, 1]), 1);
  await redis.client.script('FLUSH');
  assert.equal(await connection.run('add', [7, 2]), 3);
  assert.deepEqual(await redis.client.hgetall('shop.a:{reads}:counts'), { 7: '3' });
  assert.deepEqual(await redis.client.zrange('shop.a:{reads}:changes', '0', '-1'), ['7']);
});

test('the reason of a wrong password has no password', async t => {
  const redis = await startRedis(t);
  await redis.client.config('SET', 'requirepass', 'right');
  const { connection, messages } = await openConnectionTo(t, [redis.url.replace('//', '//:wrong-secret@')]);
  await assert.rejects(connection.run('add', [7, 1]), error => {
    assert.match(String(error), /^Error: WRONGPASS/);
    assert.doesNotMatch(inspect([error, messages], { showHidden: true }), /wrong-secret/);
    return true;
  });
});

test('a cluster that comes later is recognized, and found again after all of its nodes were away', async t => {
  const { nodes } = await startCluster(t);
  const each = (action: (node: (typeof nodes)[number]) => Promise<unknown>) => Promise.all(nodes.map(action));
  await each(node => node.client.cluster('SAVECONFIG'));
  await each(node => node.kill());
  const { connection, ready } = await openConnectionTo(t, [nodes[0].url]);
  for (const times of [1, 2]) {
    await assert.rejects(connection.run('add', [7, 1]));
    await each(node => node.start());
    await until(t, async () => ready() === times);
    assert.equal(await connection.run('add', [7, 1]), 1);
    await each(node => node.kill());
    await until(t, () =>
      connection.run('add', [7, 1]).then(
        () => undefined,
        ({ message }) => message.startsWith('no node of the cluster answers'),
      ),
    );
  }
});

test('Sentinel promotes a replica: the connection moves to it by itself', async t => {
  const { primary, replica, address } = await startSentinel(t);
  const keyspace = () => replica.client.info('keyspace');
  const absent = `redis+sentinel://127.0.0.1:${await freePort()}`;
  const { connection, ready } = await openConnectionTo(t, [absent, `redis+sentinel://${address}/shop/3`]);
  assert.equal(await connection.run('add', [7, 1]), 1);
  await until(t, async () => (await keyspace()).includes('db3:keys=2'));
  await primary.kill();
  await until(t, async () => ready() === 1);
  assert.equal(await connection.run('add', [7, 1]), 2);
  assert.match(await keyspace(), /db3:keys=2/);
});

test('a frozen primary is replaced, too', async t => {
  const { primary, address } = await startSentinel(t);
  const { connection, ready } = await openConnectionTo(t, [`redis+sentinel://${address}/shop`]);
  primary.freeze();
  await assert.rejects(connection.run('add', [7, 1]), /Socket timeout/);
  await until(t, async () => ready() === 1);
  assert.equal(await connection.run('add', [7, 1]), 1);
});

test('says that no Sentinel answers, or that none knows the name', async t => {
  const { address } = await startSentinel(t);
  const reasonAt = async (url: string) => {
    const { connection } = await openConnectionTo(t, [url]);
    return connection.run('add', [7, 1]).then(String, ({ message }: Error) => message);
  };
  const absent = `127.0.0.1:${await freePort()}`;
  assert.match(await reasonAt(`redis+sentinel://${absent}/shop`), /^failed to connect to sentinel 127/);
  assert.match(await reasonAt(`redis+sentinel://${address}/store`), /No such master with that name$/);
});

const evicting =
  /^warn: Redis evicts .* \(allkeys-lru\)\. Run: CONFIG SET maxmemory-policy noeviction[^\n]*$/;
const unlogged = /^warn: Redis loses .* if it crashes\. Run: CONFIG SET appendonly yes[^\n]*$/;

for (const [what, options, warnings] of [
  ['that may evict counts', ['--maxmemory-policy', 'allkeys-lru'], evicting],
  ['without an append-only file', ['--appendonly', 'no'], unlogged],
  ['that evicts only keys with a time to live', ['--maxmemory-policy', 'volatile-lru'], /^$/],
] as const)
  test(`a Redis ${what} is warned of at the first connection, if counts may be lost`, async t => {
    const redis = await startRedis(t, ['--appendonly', 'yes', ...options]);
    const { messages, ready } = await openConnectionTo(t, [redis.url]);
    await redis.client.call('CLIENT', 'KILL', 'TYPE', 'normal');
    await until(t, async () => ready() === 1);
    assert.match(messages.join('\n'), warnings);
  });

testOfNode('hosts of IPv6 lose their brackets, and ports, logins and databases reach ioredis decoded', () => {
  assert.deepEqual(parseAddress(['rediss://sh%C3%B6p:p%40ss@[::1]:7000/2']), {
    nodes: [{ host: '::1', port: 7000 }],
    login: { username: 'shöp', password: 'p@ss', tls: {} },
    single: { host: '::1', port: 7000, username: 'shöp', password: 'p@ss', tls: {}, db: 2 },
  });
});
