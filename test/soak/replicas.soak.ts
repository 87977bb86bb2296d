import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { type Random, seededRandom, shuffled } from '../../scripts/bench/catalog.ts';
import { countsOf, openRowsFile } from '../../src/reads/redis/rows.ts';
import { afterTest } from '../support/after-test.ts';
import { type RedisProxy, startProxy, startRedis } from '../support/redis.ts';
import { skipWithout, soakRounds } from '../support/skipping.ts';
import { copyOf, keepingLog, openReplica } from '../support/stores.ts';
import { until } from '../support/until.ts';

const COUNTS = 'vitrine:{reads}:counts';
const KEYS = [COUNTS, 'vitrine:{reads}:changes'];
/** A Redis that has after a crash what it had before. */
const DURABLE = ['--appendonly', 'yes', '--repl-diskless-sync-delay', '0'];

/** Where processes count together, and the ways of those that run. */
interface Stage {
  redis: Awaited<ReturnType<typeof startRedis>>;
  proxies: RedisProxy[];
}

/** Lets something go wrong, for a while if it lasts; once it resolves, that is over. */
type Fault = (stage: Stage, random: Random, t: TestContext) => Promise<unknown>;

/** Some of these, at random: one at least if there is one, and possibly all. */
function pickSome<Item>(items: readonly Item[], random: Random): Item[] {
  return shuffled(items, random).slice(0, 1 + Math.floor(random() * items.length));
}

/** Mostly shorter than a request waits for Redis, and often longer. */
const aMoment = (random: Random) => delay(100 + 600 * random() ** 2);

/** What happens to the connections of some processes: `begin` lets it, and returns what ends it. */
function network(begin: (proxy: RedisProxy, random: Random) => () => unknown): Fault {
  return async ({ proxies }, random) => {
    const ends = pickSome(proxies, random).map(proxy => begin(proxy, random));
    await aMoment(random);
    for (const end of ends) await end();
  };
}

const redisFaults: Readonly<Record<string, Fault>> = {
  async crash({ redis }, random) {
    await redis.kill();
    await aMoment(random);
    await redis.start();
  },
  async freeze({ redis }, random) {
    redis.freeze();
    await aMoment(random);
    redis.thaw();
  },
  /** It evicts a key, or is emptied while it runs. */
  loseKeys: ({ redis }, random) => redis.client.del(...pickSome(KEYS, random)),
  async loseFields({ redis: { client } }, random) {
    const fields = await client.hkeys(COUNTS);
    if (fields.length > 0) await client.hdel(COUNTS, ...pickSome(fields.sort(), random));
  },
  /** It comes back as it was some time ago: after a loss of power, from a backup, or as a replica that lagged behind. */
  async restore({ redis: { client } }, random) {
    const saved = await Promise.all(KEYS.map(async key => [key, await client.dumpBuffer(key)] as const));
    await aMoment(random);
    await client.flushall();
    for (const [key, dump] of saved) if (dump) await client.restore(key, 0, dump, 'REPLACE');
  },
  /** Some count in the old primary and some in the new one, until one of them is thrown away. */
  async splitBrain(stage, random, t) {
    const [old, heir] = [stage.redis, await startRedis(t, DURABLE)];
    await heir.client.replicaof('127.0.0.1', old.port);
    await until(t, async () => /master_link_status:up/.test(await heir.client.info('replication')));
    await heir.client.replicaof('NO', 'ONE');
    const moved = shuffled(stage.proxies, random).slice(0, 1 + Math.floor(2 * random()));
    for (const proxy of moved) proxy.leadTo(heir.port);
    await aMoment(random);
    const [left, gone] = random() < 0.5 ? [heir, old] : [old, heir];
    for (const proxy of stage.proxies) proxy.leadTo(left.port);
    stage.redis = left;
    gone.client.disconnect();
    await gone.kill();
  },
  refuse: network(proxy => {
    proxy.refuse();
    return () => proxy.accept();
  }),
  /** Connections break before or in a reply, so that what Redis has done is asked of it again. */
  cutReplies: network((proxy, random) => {
    proxy.cutReplies(length => (random() < 0.4 ? Math.floor(random() * length) : undefined));
    return () => proxy.cutReplies(undefined);
  }),
  /** Replies come late, or never. */
  holdReplies: network((proxy, random) => {
    const release = proxy.hold('replies');
    return () => {
      if (random() < 0.5) proxy.cut();
      release();
    };
  }),
  /** Requests arrive after those that their sender has made on another connection since. */
  overtake: network(proxy => {
    const release = proxy.hold('requests');
    const timer = setTimeout(() => {
      proxy.renew();
      proxy.cut();
    }, 80);
    return () => {
      clearTimeout(timer);
      release();
    };
  }),
};

const skip = skipWithout('redis-server');
const IDS = [1, 2, 3, 4, 5, 6, 7, 8];
const FLOOR = 100;
const PROCESSES = 3;
const READERS = 8;
const INTERVAL_MS = 100;

const sumOf = (numbers: number[]) => numbers.reduce((sum, number) => sum + Math.max(0, number), 0);

/** Processes that count in one Redis while readers read, and what these were answered. */
async function startShop(t: TestContext) {
  const stage: Stage = { redis: await startRedis(t, DURABLE), proxies: [] };
  /** All since these agreed with Redis: answered reads, those that a kill may have cost, and reads that it broke off. */
  const answered = new Map<number, number>(IDS.map(id => [id, 0]));
  const bounds = { atRisk: 0, unanswered: 0 };
  let isReading = false;
  const processes: Awaited<ReturnType<typeof start>>[] = [];

  /** Starts a process in a slot, on a copy of what the one before left. */
  const start = async (slot: number, stateDir?: string) => {
    const proxy = await startProxy(t, stage.redis.port);
    stage.proxies[slot] = proxy;
    const opened = await openReplica(t, proxy, stateDir, INTERVAL_MS);
    let [isOver, isKilled, pending] = [false, false, 0];
    const read = async () => {
      const id = 1 + Math.floor(Math.random() * IDS.length);
      pending += 1;
      await opened.counter.raise(id, FLOOR);
      pending -= 1;
      if (!isKilled) answered.set(id, (answered.get(id) ?? 0) + 1);
    };
    const reader = async () => {
      for (; !isOver; await delay(10 * Math.random())) if (isReading) await read();
    };
    const running = Array.from({ length: READERS }, reader);
    afterTest(t, () => (isOver = true));
    return {
      ...opened,
      isIdle: () => pending === 0,
      /** Ends it after its last answers, as SIGTERM does. */
      async stop() {
        isOver = true;
        await Promise.all(running);
        await opened.counter.close();
        proxy.refuse();
      },
      /** Nothing that it does from now on reaches Redis or the next process. Only what it has not saved is at risk. */
      async kill(isRisky: boolean) {
        [isOver, isKilled] = [true, true];
        proxy.refuse();
        proxy.accept = async () => {};
        bounds.unanswered += pending;
        const known = IDS.map(id => opened.counter.shown(id, FLOOR));
        const left = await copyOf(t, opened.stateDir);
        const saved = countsOf((await openRowsFile(left, keepingLog()).load())?.rows ?? new Map());
        if (isRisky)
          bounds.atRisk += sumOf(IDS.map((id, index) => (known[index] ?? 0) - (saved.get(id) ?? FLOOR)));
        return left;
      },
    };
  };
  for (let slot = 0; slot < PROCESSES; slot += 1) processes.push(await start(slot));
  return {
    stage,
    read: () => (isReading = true),
    async stopAndStart(slot: number) {
      await processes[slot]?.stop();
      processes[slot] = await start(slot, processes[slot]?.stateDir);
    },
    async killAndStart(slot: number, isRisky: boolean) {
      processes[slot] = await start(slot, await processes[slot]?.kill(isRisky));
    },
    /** Waits until nothing is asked for, and asserts that all processes, Redis and the answers agree, but for the bounds. */
    async settle() {
      isReading = false;
      await until(t, async () => {
        for (const { counter } of processes) await counter.flush();
        return processes.every(({ counter, isIdle }) => {
          const { reasons, unsaved } = counter.health();
          return reasons.length === 0 && unsaved === 0 && isIdle();
        });
      });
      // What one has added after another had compared.
      for (const { counter } of [...processes, ...processes]) await counter.flush();
      const stored: Record<string, number> = await stage.redis.counts();
      const differences = [...answered].map(([id, count]) => (stored[id] ?? FLOOR) - FLOOR - count);
      for (const [slot, { counter }] of processes.entries())
        for (const id of IDS) assert.equal(counter.shown(id, FLOOR), stored[id] ?? FLOOR, `${slot} of ${id}`);
      const [lost, extra] = [sumOf(differences.map(number => -number)), sumOf(differences)];
      const { atRisk, unanswered } = bounds;
      const outcome = `${lost} lost of ${atRisk} at risk, ${extra} extra of ${unanswered} broken off`;
      t.diagnostic(outcome);
      assert.ok(lost <= atRisk && extra <= unanswered, outcome);
      for (const id of IDS) answered.set(id, (stored[id] ?? FLOOR) - FLOOR);
      Object.assign(bounds, { atRisk: 0, unanswered: 0 });
    },
  };
}

const ROUNDS = soakRounds(2, 50);
const names = Object.keys(redisFaults);

/** At first, processes stop while Redis fails; then they are killed, which may cost what they had not saved. */
async function playRound(shop: Awaited<ReturnType<typeof startShop>>, t: TestContext, random: Random) {
  for (const isStrict of [true, false])
    for (const name of shuffled(names, random)) {
      t.diagnostic(name);
      shop.read();
      const slot = Math.floor(random() * PROCESSES);
      const meanwhile = async () => {
        await delay(200 * random());
        if (random() < 0.5) return;
        await (isStrict ? shop.stopAndStart(slot) : shop.killAndStart(slot, true));
      };
      await Promise.all([redisFaults[name]?.(shop.stage, seededRandom(random() * 2 ** 32), t), meanwhile()]);
      if (!isStrict || random() < 0.5) continue;
      await shop.settle();
      // While nothing else fails, a kill costs nothing.
      shop.read();
      await delay(300 * random());
      await shop.killAndStart(slot, false);
      await shop.settle();
    }
  await shop.settle();
}

test(`${2 * ROUNDS * names.length} faults of Redis while processes stop or are killed: answered reads are stored once, but for the bound`, {
  skip,
  timeout: 600_000 + ROUNDS * 120_000,
}, async t => {
  const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);
  t.diagnostic(`SEED=${seed}`);
  const random = seededRandom(seed);
  const shop = await startShop(t);
  for (let round = 0; round < ROUNDS; round += 1) await playRound(shop, t, random);
});
