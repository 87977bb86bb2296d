import assert from 'node:assert/strict';
import { test } from 'node:test';
import { afterTest } from '../support/after-test.ts';
import { copyOf, openReplica } from '../support/reads/replica.ts';
import { NEVER, startRedisStore } from '../support/reads/stores.ts';
import { startProxy } from '../support/replicas/proxy.ts';
import { skipWithout } from '../support/skipping.ts';
import { until } from '../support/until.ts';

const skip = skipWithout('redis-server');

for (const [story, isSent, isLost] of [
  ['never reaches it', false, false],
  ['reaches it later', true, false],
  ['finds that it lost all columns', true, true],
] as const) {
  test(`a process starts without Redis, ${story}, and is killed: all reads are stored once`, {
    skip,
  }, async t => {
    const { redis } = await startRedisStore(t);
    const proxy = await startProxy(redis.port);
    afterTest(t, proxy.stop);
    /** Opens a counter on a copy of what another one saved, and lets it read. */
    const goOn = async (url: string, saved: string | undefined, reads: number) => {
      const next = await openReplica(t, { url }, saved, NEVER);
      for (let read = 0; read < reads; read += 1) await next.counter.raise(1, 100);
      return next;
    };
    const first = await goOn(redis.url, undefined, 1);
    await first.counter.flush();
    const saved = await copyOf(t, first.stateDir);
    await first.counter.raise(1, 100);

    proxy.refuse();
    const second = await goOn(proxy.url, saved, 3);
    await second.counter.flush();
    const savedAgain = await copyOf(t, second.stateDir);
    if (isLost) {
      const fields = await redis.client.hkeys('vitrine:{reads}:counts');
      await redis.client.hdel('vitrine:{reads}:counts', ...fields.filter(field => field.startsWith('@c')));
    }
    if (isSent) {
      await proxy.accept();
      await until(t, async () => (second.counter.health().unsaved === 0 ? true : undefined));
    }

    await (await goOn(redis.url, savedAgain, 1)).counter.flush();
    assert.deepEqual(await redis.counts(), { 1: 106 });
  });
}

test('a process that has to count in another column, and is killed at once: all reads are stored once', {
  skip,
}, async t => {
  const { redis } = await startRedisStore(t);
  const proxy = await startProxy(redis.port);
  afterTest(t, proxy.stop);
  const { counter, stateDir } = await openReplica(t, { url: proxy.url }, undefined, NEVER);
  await counter.raise(1, 100);
  await counter.flush();
  proxy.refuse();
  await openReplica(t, redis, stateDir);
  for (let read = 0; read < 3; read += 1) await counter.raise(1, 100);
  await counter.flush();
  await proxy.accept();
  await until(t, async () => (counter.health().unsaved === 0 ? true : undefined));
  const next = await openReplica(t, redis, stateDir, NEVER);
  await next.counter.flush();
  assert.deepEqual(await redis.counts(), { 1: 104 });
});
