import assert from 'node:assert/strict';
import { rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { startProxy } from '../support/reads/proxy.ts';
import { copyOf, NEVER, openReplica, startRedisStore } from '../support/reads/stores.ts';
import { skipWithout } from '../support/skipping.ts';
import { until } from '../support/until.ts';

const skip = skipWithout('redis-server');

for (const [story, isSent, isLost] of [
  ['never reaches it', false, false],
  ['reaches it later', true, false],
  ['finds that it lost all columns', true, true],
] as const) {
  test(`a process starts without Redis with the last known counts, ${story}, and is killed: all reads are stored once`, {
    skip,
  }, async t => {
    const { redis } = await startRedisStore(t);
    const proxy = await startProxy(t, redis.port);
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
    assert.match(second.messages.join(), /^error: cannot count in Redis \(/);
    assert.equal(second.counter.shown(1, 0), 104);
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
  const proxy = await startProxy(t, redis.port);
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

for (const end of ['goes on', 'stops before Redis is back'] as const) {
  test(`a process without a lock takes over what another one saved there while Redis was away, and ${end}: all reads are stored once`, {
    skip,
  }, async t => {
    const isStopped = end !== 'goes on';
    const { redis, place, open } = await startRedisStore(t);
    const proxy = await startProxy(t, redis.port);
    place.redisUrl = [proxy.url];
    const lock = join(place.stateDir, 'lock');
    const before = await open();
    await before.raise(1, 100);
    await before.close();
    if (isStopped) proxy.refuse();
    await rm(lock);
    await symlink('missing/lock', lock);
    const first = await open();
    proxy.refuse();
    for (let read = 0; read < 2; read += 1) await first.raise(1, 100);
    await rm(lock);
    const second = await open();
    for (let read = 0; read < 3; read += 1) await second.raise(2, 100);
    await second.close();
    await first.flush();
    if (isStopped) await first.close();
    await proxy.accept();
    const last = isStopped ? await open() : first;
    await until(t, async () => {
      await last.flush();
      return last.health().reasons.length === 0 ? true : undefined;
    });
    assert.deepEqual(await redis.counts(), { 1: 103, 2: 103 });
    await last.close();
    assert.deepEqual(await redis.counts(), { 1: 103, 2: 103 });
  });
}
