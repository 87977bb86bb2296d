import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sample } from '../support/catalogs.ts';
import { startRedis } from '../support/redis.ts';
import { startService } from '../support/service.ts';
import { skipWithout } from '../support/skipping.ts';

/** The `read` of news item 1 in the sample. */
const FLOOR = 100;

test('100 concurrent readers of each of three replicas get 300 counts without a gap', {
  skip: skipWithout('redis-server'),
}, async t => {
  const redis = await startRedis(t);
  const start = () => startService(t, {}, { ...sample, redisUrl: [redis.url] });
  const replicas = await Promise.all([start(), start(), start()]);
  // A replica answers with its own estimate after 250 ms: no time passes, so that a busy machine makes none do so.
  t.mock.timers.enable({ apis: ['setTimeout'] });
  // Ends the calls that began before.
  await Promise.all(replicas.map(({ services }) => services.reads.flush()));
  const asked = Array.from({ length: 100 }, () => replicas.map(({ app }) => app.inject('/api/news/1')));
  const answers = await Promise.all(asked.flat());
  t.mock.timers.reset();
  const counts = answers.map(answer => answer.json().data.read).sort((one, other) => one - other);
  assert.deepEqual(
    counts,
    Array.from({ length: 300 }, (_, index) => FLOOR + 1 + index),
  );
  assert.deepEqual(await redis.counts(), { 1: FLOOR + 300 });
});
