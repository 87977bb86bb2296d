import type { TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { type Random, shuffled } from '../../../scripts/bench/catalog.ts';
import { startRedis } from '../redis.ts';
import { until } from '../until.ts';
import { type RedisProxy, startProxy } from './proxy.ts';

const KEYS = ['vitrine:{reads}:counts', 'vitrine:{reads}:changes'];
/** A Redis that has after a crash what it had before. */
const DURABLE = ['--appendonly', 'yes', '--repl-diskless-sync-delay', '0'];

/** Where processes count together, and the ways of those that run. */
export interface Stage {
  redis: Awaited<ReturnType<typeof startRedis>>;
  proxies: RedisProxy[];
}

/** Lets something go wrong, for a while if it lasts; once it resolves, that is over. */
type Fault = (stage: Stage, t: TestContext, random: Random) => Promise<void>;

export const startDurable = (t: TestContext) => startRedis(t, DURABLE);

/** Some of these, at random: one at least if there is one, and possibly all. */
function pickSome<Item>(items: readonly Item[], random: Random): Item[] {
  return shuffled(items, random).slice(0, 1 + Math.floor(random() * items.length));
}

/** Mostly shorter than a request waits for Redis, and often longer. */
const aMoment = (random: Random) => delay(100 + 600 * random() ** 2);

/** What happens to the connections of some processes: `begin` lets it, and returns what ends it. */
function network(begin: (proxy: RedisProxy, random: Random) => () => unknown): Fault {
  return async ({ proxies }, _, random) => {
    const ends = pickSome(proxies, random).map(proxy => begin(proxy, random));
    await aMoment(random);
    for (const end of ends) await end();
  };
}

/** A replica of Redis with all that it has, and the line on which it hears more. */
async function startHeir(t: TestContext, { redis }: Stage) {
  const link = await startProxy(t, redis.port);
  const heir = await startDurable(t);
  await heir.client.replicaof('127.0.0.1', link.port);
  await until(t, async () =>
    /master_link_status:up/.test(await heir.client.info('replication')) ? true : undefined,
  );
  return { link, heir };
}

/** Lets another Redis take over from the present one, which is stopped. */
async function replace(stage: Stage, heir: Stage['redis']): Promise<void> {
  for (const proxy of stage.proxies) proxy.leadTo(heir.port);
  stage.redis.client.disconnect();
  await stage.redis.kill();
  stage.redis = heir;
}

/** All that can happen to Redis, or on the way to it. */
export const redisFaults: Readonly<Record<string, Fault>> = {
  async crash({ redis }, _, random) {
    await redis.kill();
    await aMoment(random);
    await redis.start();
  },
  async freeze({ redis }, _, random) {
    redis.freeze();
    await aMoment(random);
    redis.thaw();
  },
  /** It is emptied while it runs. */
  async flush({ redis }) {
    await redis.client.flushall();
  },
  /** It evicts a key, or both. */
  async loseKeys({ redis }, _, random) {
    await redis.client.del(...pickSome(KEYS, random));
  },
  async loseFields({ redis }, _, random) {
    const fields = await redis.client.hkeys(String(KEYS[0]));
    if (fields.length > 0) await redis.client.hdel(String(KEYS[0]), ...pickSome(fields.sort(), random));
  },
  /** It comes back as it was some time ago: after a loss of power, or from a backup. */
  async restore({ redis }, _, random) {
    const saved = await Promise.all(
      KEYS.map(async key => [key, await redis.client.dumpBuffer(key)] as const),
    );
    await aMoment(random);
    await redis.client.flushall();
    for (const [key, dump] of saved) if (dump) await redis.client.restore(key, 0, dump, 'REPLACE');
  },
  /** It fails over to a replica that lags behind. */
  async failover(stage, t, random) {
    const { link, heir } = await startHeir(t, stage);
    link.hold('replies');
    await aMoment(random);
    await heir.client.replicaof('NO', 'ONE');
    link.refuse();
    await replace(stage, heir);
  },
  /** Some count in the old primary and some in the new one, until one of them is thrown away. */
  async splitBrain(stage, t, random) {
    const { link, heir } = await startHeir(t, stage);
    await heir.client.replicaof('NO', 'ONE');
    link.refuse();
    const moved = shuffled(stage.proxies, random).slice(0, 1 + Math.floor(2 * random()));
    for (const proxy of moved) proxy.leadTo(heir.port);
    await aMoment(random);
    if (random() < 0.5) return replace(stage, heir);
    for (const proxy of moved) proxy.leadTo(stage.redis.port);
    heir.client.disconnect();
    return heir.kill();
  },
  refuse: network(proxy => {
    proxy.refuse();
    return proxy.accept;
  }),
  /** Connections break before or in a reply, so that what Redis has done is asked of it again. */
  cutReplies: network((proxy, random) => {
    proxy.cutReplies(length => (random() < 0.4 ? Math.floor(random() * length) : undefined));
    return () => proxy.cutReplies(undefined);
  }),
  holdReplies: network(proxy => proxy.hold('replies')),
  swallowReplies: network(proxy => {
    const release = proxy.hold('replies');
    return () => {
      proxy.cut();
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
