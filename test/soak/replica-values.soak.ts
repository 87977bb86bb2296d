import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { afterTest } from '../support/after-test.ts';
import { startDeployment } from '../support/replicas/deployment.ts';
import { byItem, type Read, violations } from '../support/replicas/history/linearizable.ts';
import { openReaders, type Round } from '../support/replicas/history/readers.ts';
import { startProxy } from '../support/replicas/proxy.ts';
import { skipWithout } from '../support/skipping.ts';
import { rounds } from '../support/soak.ts';

const skip = skipWithout('redis-server');
const timeout = 600_000;
const ROUND_TRIP_MS = 150;
const SLOW_SECONDS = rounds(3, 10);

/** Three replicas and those who read from them, which end with the test. */
async function deploy(t: TestContext, isDirect = true) {
  const deployment = await startDeployment({ isDirect });
  afterTest(t, deployment.stop);
  const readers = openReaders(deployment);
  afterTest(t, readers.close);
  const ids = [...((await deployment.replicas[0]?.shown(8)) ?? [])].map(([id]) => id);
  return { ...deployment, readers, ids };
}

/** All that was read is stored, and nothing else. */
async function assertStored({ settle, stored }: Awaited<ReturnType<typeof deploy>>, reads: Read[]) {
  await settle();
  assert.deepEqual(
    new Map([...(await stored())].sort()),
    new Map([...byItem(reads)].map(([id, reads]) => [id, reads.length] as const).sort()),
  );
}

/**
 * Takes so many rounds. Returns all reads, and those of the rounds that can be judged: on a busy machine, Redis may answer
 * later than replicas wait, and their values are estimates then.
 */
async function roundsOf(t: TestContext, count: number, next: () => Promise<Round>) {
  const all: Round[] = [];
  while (all.length < count) all.push(await next());
  const judged = all.filter(({ isJudged }) => isJudged);
  t.diagnostic(`${judged.length} of ${count} rounds judged`);
  return {
    all: all.flatMap(({ reads }) => reads),
    judged: judged.flatMap(({ reads }) => reads),
  };
}

const BURSTS = rounds(10, 1000);

test(`in ${BURSTS} rounds, 300 readers at once get 300 values without a gap`, { skip, timeout }, async t => {
  const deployment = await deploy(t);
  const { readers, redis, ids } = deployment;
  const [id = 0] = ids;
  // The floor is stored with the first read.
  const first = await readers.burst(id, 1);
  const { all, judged } = await roundsOf(t, BURSTS, async () => {
    const before = Number((await redis().counts()).get(id));
    const round = await readers.burst(id, 100);
    if (!round.isJudged) return round;
    const values = round.reads.map(({ value }) => value).sort((one, other) => one - other);
    const expected = Array.from({ length: 300 }, (_, index) => before + 1 + index);
    assert.deepEqual(values, expected);
    return round;
  });
  assert.deepEqual(violations(judged), []);
  await assertStored(deployment, [...first.reads, ...all]);
});

const SECONDS = rounds(3, 120);

test(`for ${SECONDS} s, every value is larger than those that were answered before its request`, {
  skip,
  timeout,
}, async t => {
  const deployment = await deploy(t);
  const { readers, ids } = deployment;
  const { all, judged } = await roundsOf(t, SECONDS, () => readers.stream(ids, 20, 1000));
  assert.deepEqual(violations(judged), []);
  await assertStored(deployment, all);
});

test(`with round trips of ${ROUND_TRIP_MS} ms to Redis, every read is stored, and every value is right while no replica loses it`, {
  skip,
  timeout,
}, async t => {
  const deployment = await deploy(t, false);
  const { readers, redis, replicas, settle, ids } = deployment;
  const line = await startProxy(redis().port);
  afterTest(t, line.stop);
  for (const { proxy } of [...replicas.map(({ proxy }) => ({ proxy })), { proxy: line }])
    proxy.delay(ROUND_TRIP_MS);
  await settle();
  const pings = timePings(line.url);
  const { all, judged } = await roundsOf(t, SLOW_SECONDS, () => readers.stream(ids, 20, 1000, 20));
  const [answer, ping] = [quantile(all.map(({ start, end }) => end - start)), quantile(await pings())];
  t.diagnostic(
    `p50 ${answer(0.5)} ms, p99 ${answer(0.99)} ms; pings p50 ${ping(0.5)} ms, p99 ${ping(0.99)} ms`,
  );
  assert.deepEqual(violations(judged), []);
  await assertStored(deployment, all);
});

/** Pings Redis all the while; the returned function ends that, and returns how long each ping took, in milliseconds. */
function timePings(url: string): () => Promise<number[]> {
  const client = new Redis(url);
  const times: number[] = [];
  let isOver = false;
  const pinging = (async () => {
    while (!isOver) {
      const start = performance.now();
      await client.ping();
      times.push(performance.now() - start);
      await delay(5);
    }
  })();
  return async () => {
    isOver = true;
    await pinging;
    client.disconnect();
    return times;
  };
}

function quantile(times: number[]): (part: number) => number {
  const sorted = times.sort((one, other) => one - other);
  return part => Math.round(sorted[Math.floor(part * (sorted.length - 1))] ?? Number.NaN);
}

const cases: { what: string; reads: [value: number, start: number, end: number][]; isWrong: boolean }[] = [
  {
    what: 'values in the order of the answers',
    reads: [
      [1, 0, 1],
      [2, 2, 3],
    ],
    isWrong: false,
  },
  {
    what: 'reads at the same time in any order',
    reads: [
      [2, 0, 3],
      [1, 1, 2],
    ],
    isWrong: false,
  },
  {
    what: 'a gap',
    reads: [
      [1, 0, 1],
      [5, 2, 3],
    ],
    isWrong: false,
  },
  {
    what: 'a value that is given twice',
    reads: [
      [1, 0, 3],
      [1, 1, 2],
    ],
    isWrong: true,
  },
  {
    what: 'a smaller value after a larger one',
    reads: [
      [2, 0, 1],
      [1, 2, 3],
    ],
    isWrong: true,
  },
  {
    what: 'a smaller value long after a larger one',
    reads: [
      [2, 0, 1],
      [3, 0, 9],
      [4, 0, 9],
      [1, 5, 6],
    ],
    isWrong: true,
  },
];
for (const { what, reads, isWrong } of cases) {
  test(`the check ${isWrong ? 'finds' : 'allows'} ${what}`, () => {
    const found = violations(reads.map(([value, start, end]) => ({ id: 1, value, start, end })));
    assert.equal(found.length > 0, isWrong, found.join('\n'));
  });
}
