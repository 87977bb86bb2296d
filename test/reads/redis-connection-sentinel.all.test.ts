import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openConnectionTo } from '../support/reads/connections.ts';
import { startSentinel } from '../support/redis-sentinel.ts';
import { freePort } from '../support/replicas/free-port.ts';
import { skipWithout } from '../support/skipping.ts';
import { until } from '../support/until.ts';

const skip = skipWithout('redis-server');

test('Sentinel promotes a replica: the connection moves to it by itself', { skip }, async t => {
  const { primary, replica, address } = await startSentinel(t);
  const keyspace = () => replica.client.info('keyspace');
  const absent = `redis+sentinel://127.0.0.1:${await freePort()}`;
  const { connection, ready } = await openConnectionTo(t, [absent, `redis+sentinel://${address}/shop/3`]);
  assert.equal(await connection.run('add', [7, 1]), 1);
  await until(t, async () => ((await keyspace()).includes('db3:keys=2') ? true : undefined));
  await primary.kill();
  await until(t, async () => (ready() === 1 ? true : undefined));
  assert.equal(await connection.run('add', [7, 1]), 2);
  assert.match(await keyspace(), /db3:keys=2/);
});

test('a frozen primary is replaced, too', { skip }, async t => {
  const { primary, address } = await startSentinel(t);
  const { connection, ready } = await openConnectionTo(t, [`redis+sentinel://${address}/shop`]);
  primary.freeze();
  await assert.rejects(connection.run('add', [7, 1]), /Socket timeout/);
  await until(t, async () => (ready() === 1 ? true : undefined));
  assert.equal(await connection.run('add', [7, 1]), 1);
});

test('says that no Sentinel answers, or that none knows the name', { skip }, async t => {
  const { address } = await startSentinel(t);
  const reasonAt = async (url: string) => {
    const { connection } = await openConnectionTo(t, [url]);
    return connection.run('add', [7, 1]).then(String, ({ message }: Error) => message);
  };
  const absent = `127.0.0.1:${await freePort()}`;
  assert.match(await reasonAt(`redis+sentinel://${absent}/shop`), /^failed to connect to sentinel 127/);
  assert.match(await reasonAt(`redis+sentinel://${address}/store`), /No such master with that name$/);
});

for (const { what, query, sentinel } of [
  { what: 'the login of Redis', query: '', sentinel: ['user default off', 'user shop on >s@cret &* +@all'] },
  {
    what: 'a login of its own',
    query: '?sentinelUsername=guard&sentinelPassword=%26own',
    sentinel: ['user default off', 'user guard on >&own &* +@all'],
  },
  { what: 'a password of its own', query: '?sentinelPassword=%26own', sentinel: ['requirepass &own'] },
  { what: 'no login', query: '?sentinelPassword=', sentinel: [] },
]) {
  test(`Sentinel takes ${what}`, { skip }, async t => {
    const { primary, address } = await startSentinel(t, sentinel);
    await primary.client.call('ACL', 'SETUSER', 'shop', 'on', '>s@cret', '~*', '+@all');
    await primary.client.config('SET', 'requirepass', 'another');
    const url = `redis+sentinel://shop:s%40cret@${address}/shop${query}`;
    const { connection } = await openConnectionTo(t, [url]);
    assert.equal(await connection.run('add', [7, 1]), 1);
  });
}
