import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openReads } from '../../src/reads/open.ts';
import { afterTest } from '../support/after-test.ts';
import { runCommand } from '../support/command.ts';
import { keepingLog, NEVER, startRedisStore } from '../support/reads/stores.ts';
import { skipWithout } from '../support/skipping.ts';

const skip = skipWithout('redis-server');

for (const way of ['a file', 'Redis'] as const)
  test(`counts of ${way} that lie unused when the other counts: the log has the command that takes them over`, {
    skip,
  }, async t => {
    const { place } = await startRedisStore(t);
    const open = async (isInRedis: boolean) => {
      const { messages, ...log } = keepingLog();
      const redisUrl = isInRedis ? place.redisUrl : [];
      const counter = await openReads({ ...place, redisUrl, flushIntervalMs: NEVER }, log);
      afterTest(t, () => counter.close().catch(() => {}));
      return { counter, warnings: messages.filter(message => /larger than those in use/.test(message)) };
    };
    const toRedis = way === 'a file';
    const { counter } = await open(!toRedis);
    for (let read = 0; read < 3; read += 1) await counter.raise(1, 100);
    await counter.close();
    const before = await open(toRedis);
    await before.counter.close();
    const path = join(place.stateDir, toRedis ? 'read-counts.json' : 'redis-counts.json');
    const [, start = '', command = ''] =
      /^(.*) To take them over, .*run: vitrine (.*)$/.exec(before.warnings.join()) ?? [];
    const counting = toRedis ? 'counting in a file' : 'counting in Redis';
    assert.equal(start, `warn: ${path} has 1 read count larger than those in use, from ${counting}.`);
    const words = command.replace(/, with the same REDIS_URL$/, '').split(' ');
    const flags = toRedis ? ['--redis-url', ...place.redisUrl] : [];
    const { stdout } = await runCommand([...words, ...flags]);
    assert.equal(stdout, `1 read count in ${path}, 1 of them larger than before\n`);
    const after = await open(toRedis);
    assert.deepEqual([after.counter.shown(1, 0), after.warnings], [103, []]);
  });
