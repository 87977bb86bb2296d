import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sample } from '../catalogs.ts';
import { startRedis } from '../redis.ts';
import { startService } from '../service.ts';
import { skipWithout } from '../skipping.ts';
import { until } from '../until.ts';

/** For how long a replica waits for Redis before it answers for itself, in milliseconds. */
const PATIENCE_MS = 250;

/** What the sample says of news 1. */
const FLOOR = 100;

test('100 readers at once of each of three replicas get 300 counts without a gap', {
  skip: skipWithout('redis-server'),
}, async t => {
  const redis = await startRedis(t);
  const start = () => startService(t, {}, { ...sample, redisUrl: [redis.url] });
  const replicas = await Promise.all([start(), start(), start()]);
  let reads = 0;
  const [first, ...others] = await until(t, async () => {
    reads += 300;
    const from = performance.now();
    const asked = Array.from({ length: 100 }, () => replicas.map(({ app }) => app.inject('/api/news/1')));
    const answers = await Promise.all(asked.flat());
    // On a machine that stood still meanwhile, a replica may have answered for itself.
    if (performance.now() - from > PATIENCE_MS) return undefined;
    return answers.map(answer => answer.json().data.read).sort((one, other) => one - other);
  });
  assert.deepEqual(
    others,
    others.map((_, index) => first + index + 1),
  );
  // What a replica has answered for itself comes later.
  await until(t, async () => ((await redis.counts())[1] === FLOOR + reads ? true : undefined));
});
