import assert from 'node:assert/strict';
import { rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { afterTest } from '../support/after-test.ts';
import { startRedisStore } from '../support/reads/stores.ts';
import { startProxy } from '../support/replicas/proxy.ts';
import { skipWithout } from '../support/skipping.ts';
import { until } from '../support/until.ts';

for (const end of ['goes on', 'stops before Redis is back'] as const) {
  test(`a process without a lock takes over what another one saved there while Redis was away, and ${end}: all reads are stored once`, {
    skip: skipWithout('redis-server'),
  }, async t => {
    const isStopped = end !== 'goes on';
    const { redis, place, open } = await startRedisStore(t);
    const proxy = await startProxy(redis.port);
    afterTest(t, proxy.stop);
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
