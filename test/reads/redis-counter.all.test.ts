import assert from 'node:assert/strict';
import { rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, type TestFn, test as testOfNode } from 'node:test';
import type { ReadCounter, ReadHealth } from '../../src/reads/counts.ts';
import { sample } from '../support/catalogs.ts';
import { runCommand } from '../support/command.ts';
import { startProxy, startRedis } from '../support/redis.ts';
import { startService } from '../support/service.ts';
import { skipWithout } from '../support/skipping.ts';
import { copyOf, NEVER, openReplica, startRedisStore } from '../support/stores.ts';
import { until } from '../support/until.ts';

const skip = skipWithout('redis-server');
const test = (name: string, run: TestFn) => void testOfNode(name, { skip }, run);

type TestRedis = Awaited<ReturnType<typeof startRedis>>;

/** Resolves when these counters work and have sent everything. */
async function settled(t: TestContext, ...counters: ReadCounter[]): Promise<void> {
  const isSettled = ({ reasons, unsaved }: ReadHealth) => reasons.length === 0 && unsaved === 0;
  await until(t, async () => counters.every(({ health }) => isSettled(health())));
}

const COUNTS = 'vitrine:{reads}:counts';
type Act = (redis: TestRedis) => unknown;

const told =
  (command: string): Act =>
  ({ client }) =>
    client.call(...(command.split(' ') as [string]));
const killed = /ECONN(REFUSED|RESET)|EPIPE|closed/;
const troubles: [what: string, reason: RegExp, harm: Act, heal: Act][] = [
  ['is killed, and comes back with nothing', killed, redis => redis.kill(), redis => redis.start()],
  ['does not answer', /no answer for 250 ms/, redis => redis.freeze(), redis => redis.thaw()],
  ['has no memory left', /OOM/, told('CONFIG SET maxmemory 1'), told('CONFIG SET maxmemory 0')],
  ['has become a replica', /READONLY|closed/, told('REPLICAOF 127.0.0.1 1'), told('REPLICAOF NO ONE')],
  ['has a text for a count', /number/, told(`HSET ${COUNTS} 2 many`), told(`HSET ${COUNTS} 2 0`)],
];

for (const [what, reason, harm, heal] of troubles) {
  test(`a Redis that ${what}: reads are answered and counted, and sent later`, async t => {
    const { redis } = await startRedisStore(t);
    const { counter, messages } = await openReplica(t, redis);
    const { counter: other } = await openReplica(t, redis);
    for (const expected of [101, 102]) assert.equal(await counter.raise(1, 100), expected);
    for (const expected of [1, 2]) assert.equal(await counter.raise(2, 0), expected);
    await harm(redis);
    assert.deepEqual([await counter.raise(1, 100), await counter.raise(2, 0)], [103, 3]);
    await until(t, async () => reason.test(counter.health().reasons.join()));
    const next = [counter.raise(1, 100), counter.raise(2, 0)];
    if (what === 'does not answer') assert.deepEqual(next, [104, 4], 'no read waits any more');
    assert.deepEqual(await Promise.all(next), [104, 4]);
    assert.equal(counter.shown(1, 100), 104);
    assert.ok(counter.health().unsaved >= 2);
    for (let read = 0; read < 10; read += 1) await other.raise(1, 100);

    await heal(redis);
    await settled(t, counter, other);
    assert.deepEqual(await redis.counts(), { 1: 114, 2: 4 });
    assert.equal(await counter.raise(1, 100), 115);
    const levels = messages.flatMap(message => /^(error: cannot|info: counting)/.exec(message)?.[0] ?? []);
    const isByTurns = levels.every((level, index) => level !== levels[index - 1]);
    assert.ok(isByTurns, messages.join('\n'));
  });
}

test('restarts count in the same column', async t => {
  const { redis, open } = await startRedisStore(t);
  for (const expected of [101, 102]) {
    const counter = await open();
    assert.equal(await counter.raise(1, 100), expected);
    await counter.close();
  }
  assert.match(String(await redis.client.hget(COUNTS, '1')), /^100 c[0-9a-f]+=2$/);
});

test('reads of thousands of news items during an outage are all sent after it, and others that never read them show them', async t => {
  const { redis } = await startRedisStore(t);
  const [{ counter }, { counter: other }] = [await openReplica(t, redis), await openReplica(t, redis)];
  const revision = other.revision();
  await redis.kill();
  for (let id = 1; id <= 2500; id += 1) await counter.raise(id, 10);
  await redis.start();
  await settled(t, counter);
  const ids = Object.keys(await redis.counts()).map(Number);
  assert.equal(ids.length, 2500);
  for (const { shown } of [counter, other]) await until(t, async () => ids.every(id => shown(id, 0) === 11));
  assert.notEqual(other.revision(), revision);
});

test('vitrine counts set sets a count in Redis, also to a smaller one, and all processes follow', async t => {
  const { redis } = await startRedisStore(t);
  const [{ counter: one }, { counter: other }] = [await openReplica(t, redis), await openReplica(t, redis)];
  for (const counter of [one, other, one]) await counter.raise(1, 100);
  for (const count of [50, 5000, 9]) {
    const { stdout, stderr } = await runCommand(['counts', 'set', '1', `${count}`, '--redis-url', redis.url]);
    assert.equal(stderr, '');
    assert.match(stdout, RegExp(`^news item 1: \\d+ → ${count}`));
    for (const counter of [one, other]) await until(t, async () => counter.shown(1, 0) === count);
    if (count === 5000) assert.deepEqual([await one.raise(1, 0), await other.raise(1, 0)], [5001, 5002]);
  }
  // A Redis that loses everything gets the lowered counts back.
  await redis.client.flushall();
  await until(t, async () => (await redis.counts())['1'] === 9);
});

test('100 concurrent readers of each of three replicas get 300 counts without a gap', async t => {
  const redis = await startRedis(t);
  /** The `read` of news item 1 in the sample. */
  const floor = 100;
  const start = () => startService(t, {}, { ...sample, redisUrl: [redis.url] });
  const replicas = await Promise.all([start(), start(), start()]);
  // A replica answers with its own estimate after 250 ms: no time passes, so that a busy machine makes none do so.
  t.mock.timers.enable({ apis: ['setTimeout'] });
  // Ends the calls that began before.
  await Promise.all(replicas.map(({ services }) => services.reads.flush()));
  const asked = Array.from({ length: 100 }, () => replicas.map(({ app }) => app.inject('/api/news/1')));
  const answers = await Promise.all(asked.flat());
  t.mock.timers.reset();
  const counts = answers.map(answer => answer.json().data.read - floor).sort((one, other) => one - other);
  assert.deepEqual(
    counts,
    [...answers.keys()].map(index => index + 1),
  );
  assert.deepEqual(await redis.counts(), { 1: floor + 300 });
});

for (const [story, isSent, isLost] of [
  ['never reaches it', false, false],
  ['reaches it later', true, false],
  ['finds that it lost all columns', true, true],
] as const) {
  test(`a process starts without Redis with the last known counts, ${story}, and is killed: all reads are stored once`, async t => {
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
      const fields = await redis.client.hkeys(COUNTS);
      await redis.client.hdel(COUNTS, ...fields.filter(field => field.startsWith('@c')));
    }
    if (isSent) {
      await proxy.accept();
      await until(t, async () => second.counter.health().unsaved === 0);
    }

    await (await goOn(redis.url, savedAgain, 1)).counter.flush();
    assert.deepEqual(await redis.counts(), { 1: 106 });
  });
}

test('a process that has to count in another column, and is killed at once: all reads are stored once', async t => {
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
  await until(t, async () => counter.health().unsaved === 0);
  const next = await openReplica(t, redis, stateDir, NEVER);
  await next.counter.flush();
  assert.deepEqual(await redis.counts(), { 1: 104 });
});

for (const end of ['goes on', 'stops before Redis is back'] as const) {
  test(`a process without a lock takes over what another one saved there while Redis was away, and ${end}: all reads are stored once`, async t => {
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
      return last.health().reasons.length === 0;
    });
    assert.deepEqual(await redis.counts(), { 1: 103, 2: 103 });
    await last.close();
    assert.deepEqual(await redis.counts(), { 1: 103, 2: 103 });
  });
}

for (const way of ['a file', 'Redis'] as const)
  test(`counts of ${way} that lie unused when the other counts: the log has the command that takes them over`, async t => {
    const { place, messages, open } = await startRedisStore(t);
    const { redisUrl, stateDir } = place;
    const openIn = (isInRedis: boolean) => {
      place.redisUrl = isInRedis ? redisUrl : [];
      return open();
    };
    const warnings = () => messages.splice(0).filter(message => /larger than those in use/.test(message));
    const toRedis = way === 'a file';
    const counter = await openIn(!toRedis);
    for (let read = 0; read < 3; read += 1) await counter.raise(1, 100);
    await counter.close();
    await (await openIn(toRedis)).close();
    const path = join(stateDir, toRedis ? 'read-counts.json' : 'redis-counts.json');
    const [, start = '', command = ''] =
      /^(.*) To take them over, .*run: vitrine (.*)$/.exec(warnings().join()) ?? [];
    const counting = toRedis ? 'counting in a file' : 'counting in Redis';
    assert.equal(start, `warn: ${path} has 1 read count larger than those in use, from ${counting}.`);
    const words = command.replace(/, with the same REDIS_URL$/, '').split(' ');
    const flags = toRedis ? ['--redis-url', ...redisUrl] : [];
    const { stdout } = await runCommand([...words, ...flags]);
    assert.equal(stdout, `1 read count in ${path}, 1 of them larger than before\n`);
    const after = await openIn(toRedis);
    assert.deepEqual([after.shown(1, 0), warnings()], [103, []]);
  });
