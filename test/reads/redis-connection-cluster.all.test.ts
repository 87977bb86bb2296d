import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openConnectionTo } from '../support/reads/connections.ts';
import { startCluster } from '../support/redis-cluster.ts';
import { skipWithout } from '../support/skipping.ts';
import { until } from '../support/until.ts';

const skip = skipWithout('redis-server');
const COUNTS = 'vitrine:{reads}:counts';

test('one node of a cluster is enough, even one without the keys', { skip }, async t => {
  const { nodesFor } = await startCluster(t);
  const [home, other] = await nodesFor(COUNTS);
  for (const [index, node] of [home, other].entries()) {
    const { connection } = await openConnectionTo(t, [node.url]);
    assert.equal(await connection.run('add', [7, 1]), index + 1);
  }
  assert.deepEqual(await home.counts(), { 7: 2 });
});

test('the login of one node holds for the others', { skip }, async t => {
  const { nodes, nodesFor } = await startCluster(t);
  for (const { client } of nodes)
    await client.call('ACL', 'SETUSER', 'shop', 'on', '>s@cret', '~*', '+@all', 'resetchannels');
  for (const { client } of nodes) await client.config('SET', 'requirepass', 'another');
  const [, other] = await nodesFor(COUNTS);
  const { connection } = await openConnectionTo(t, [other.url.replace('//', '//shop:s%40cret@')]);
  assert.equal(await connection.run('add', [7, 1]), 1);
});

test('a cluster that comes later is recognized, and found again after all of its nodes were away', {
  skip,
}, async t => {
  const { nodes } = await startCluster(t);
  const each = (action: (node: (typeof nodes)[number]) => Promise<unknown>) => Promise.all(nodes.map(action));
  await each(node => node.client.cluster('SAVECONFIG'));
  await each(node => node.kill());
  const { connection, ready } = await openConnectionTo(t, [nodes[0].url]);
  for (const times of [1, 2]) {
    await assert.rejects(connection.run('add', [7, 1]));
    await each(node => node.start());
    await until(t, async () => (ready() === times ? true : undefined));
    assert.equal(await connection.run('add', [7, 1]), 1);
    await each(node => node.kill());
    await until(t, () =>
      connection.run('add', [7, 1]).then(
        () => undefined,
        ({ message }) => message.startsWith('no node of the cluster answers') || undefined,
      ),
    );
  }
});

test('a call follows the keys to another node', { skip }, async t => {
  const { nodesFor } = await startCluster(t);
  const [home, other] = await nodesFor(COUNTS);
  const { connection } = await openConnectionTo(t, [home.url]);
  await connection.run('add', [7, 1]);
  const slot = await home.client.cluster('KEYSLOT', COUNTS);
  const id = await other.client.cluster('MYID');
  await home.client.del(COUNTS, 'vitrine:{reads}:changes');
  for (const node of [other, home]) await node.client.cluster('SETSLOT', slot, 'NODE', id);
  assert.equal(await connection.run('add', [7, 1]), 1);
  assert.deepEqual(await other.counts(), { 7: 1 });
});

test('a database in the URL of a cluster is an error, since a cluster has none', { skip }, async t => {
  const { nodes } = await startCluster(t);
  const { connection } = await openConnectionTo(t, [`${nodes[0].url}/1`]);
  await assert.rejects(connection.run('add', [7, 1]), /SELECT is not allowed in cluster mode/);
});
