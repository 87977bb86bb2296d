import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openReads } from '../../src/reads/open.ts';
import { afterTest } from '../support/after-test.ts';
import { writeFiles } from '../support/catalogs.ts';
import { keepingLog, NEVER } from '../support/reads/stores.ts';
import { startRedis } from '../support/redis.ts';
import { freePort } from '../support/replicas/free-port.ts';
import { skipWithout } from '../support/skipping.ts';
import { until } from '../support/until.ts';

test('a cluster keeps the counts, on any of its nodes', {
  skip: skipWithout('redis-server'),
}, async t => {
  // The default port of the cluster bus is 10,000 higher, which any connection may use.
  const [onePort, otherPort] = [await freePort(), await freePort()];
  const node = (port: number) => startRedis(t, ['--cluster-enabled', 'yes', '--cluster-port', String(port)]);
  const [one, other] = [await node(onePort), await node(otherPort)];
  await one.client.cluster('ADDSLOTSRANGE', 0, 8191);
  await other.client.cluster('ADDSLOTSRANGE', 8192, 16383);
  await one.client.cluster('MEET', '127.0.0.1', other.port, otherPort);
  for (const { client } of [one, other]) {
    await until(t, async () => (/cluster_state:ok/.test(await client.cluster('INFO')) ? true : undefined));
  }
  const place = {
    stateDir: await writeFiles(t, {}),
    redisUrl: [one.url, other.url],
    redisPrefix: 'vitrine',
    flushIntervalMs: NEVER,
  };
  const counter = await openReads(place, keepingLog());
  afterTest(t, () => counter.close());
  assert.deepEqual([await counter.raise(1, 100), await counter.raise(1, 100)], [101, 102]);
  const slot = Number(await one.client.cluster('KEYSLOT', 'vitrine:{reads}:counts'));
  await counter.flush();
  assert.deepEqual(counter.health().reasons, []);
  assert.deepEqual(await (slot < 8192 ? one : other).counts(), { 1: 102 });
});
