import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openReads } from '../../src/reads/open.ts';
import { afterTest } from '../support/after-test.ts';
import { runCommand } from '../support/command.ts';
import { keepingLog, NEVER, startRedisStore } from '../support/reads/stores.ts';
import { skipWithout } from '../support/skipping.ts';

const skip = skipWithout('redis-server');

test('counts of a file that lie unused when Redis counts: the log has the command that takes them over', {
  skip,
}, async t => {
  const { place, redis } = await startRedisStore(t);
  const open = async (redisUrl: string[]) => {
    const { messages, ...log } = keepingLog();
    const counter = await openReads({ ...place, redisUrl, flushIntervalMs: NEVER }, log);
    afterTest(t, () => counter.close().catch(() => {}));
    return { counter, warnings: messages.filter(message => /larger than those in use/.test(message)) };
  };
  const file = await open([]);
  for (let read = 0; read < 3; read += 1) await file.counter.raise(1, 100);
  await file.counter.close();
  const path = join(place.stateDir, 'read-counts.json');
  const before = await open(place.redisUrl);
  assert.deepEqual(before.warnings, [
    `warn: ${path} has 1 read count larger than those in use, from counting in a file. To take them over, run: vitrine counts import ${path}, with the same REDIS_URL`,
  ]);
  await runCommand(['counts', 'import', path, '--redis-url', redis.url]);
  await before.counter.flush();
  assert.equal(await before.counter.raise(1, 100), 104);
  await before.counter.close();
  assert.deepEqual((await open(place.redisUrl)).warnings, []);
});

test('counts of Redis that lie unused when the file counts: the log has the command that takes them over', {
  skip,
}, async t => {
  const { place, open } = await startRedisStore(t);
  const counter = await open();
  for (let read = 0; read < 3; read += 1) await counter.raise(1, 100);
  await counter.close();
  const { messages, ...log } = keepingLog();
  const inFile = { ...place, redisUrl: [] };
  const file = await openReads(inFile, log);
  await file.close();
  const [, command = ''] = /^warn: .* 1 read count larger .* run: vitrine (.*)$/.exec(messages.join()) ?? [];
  const { stdout } = await runCommand(command.split(' '));
  assert.match(stdout, /^1 read count in .*redis-counts\.json, 1 of them larger than before\n$/);
  const next = await openReads(inFile, keepingLog());
  assert.equal(next.shown(1, 0), 103);
  await next.close();
});
