import { setTimeout as delay } from 'node:timers/promises';
import { settingsFrom } from '../../../src/settings/read.ts';
import type { Settings } from '../../../src/settings/settings.ts';
import { startClients, type Target } from './clients.ts';
import { startLoadBalancer } from './load-balancer.ts';
import { sum } from './numbers.ts';
import { startProxy } from './proxy.ts';
import { type RedisServer, startRedis } from './redis.ts';
import { type Replica, startReplica, vitrine } from './replica.ts';

const REPLICAS = ['replica 1', 'replica 2', 'replica 3'];
const CLIENTS = 24;
/** How many of the news are read; fewer are read more often. */
const NEWS = 8;
/** Long enough for each client to hear that it should leave, be its machine busy with all this. */
const DRAIN_MS = 1000;
/** For how long replicas may take to become well, in milliseconds. */
const SETTLE_MS = 120_000;

/** How many reads of each news item are stored beyond those that were answered; fewer than none where some are lost. */
export type Differences = ReadonlyMap<number, number>;

export type Deployment = Awaited<ReturnType<typeof startDeployment>>;

interface Options {
  /** Whether an nginx stands before the replicas; otherwise they are asked in turn. */
  hasNginx?: boolean;
  /** Whether the replicas pass by their proxies, which take time of this process, on their way to Redis. */
  isDirect?: boolean;
  settings?: Partial<Settings>;
  /** What node is told to run. */
  program?: string[];
}

/**
 * Starts a Redis, three replicas that count in it together, each through a proxy of its own, and clients that read
 * their news.
 */
export async function startDeployment({
  hasNginx = false,
  isDirect = false,
  settings = {},
  program = vitrine,
}: Options = {}) {
  const stops: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const stop of stops.splice(0).reverse()) await stop();
  };
  const opened = async <Part extends { stop(): Promise<void> }>(opening: Promise<Part>): Promise<Part> => {
    const part = await opening;
    stops.push(part.stop);
    return part;
  };
  try {
    let redis = await startRedis();
    stops.push(() => redis.stop());
    // What nginx needs of those behind it.
    const behindNginx = { trustProxy: ['127.0.0.1'], keepAliveMs: 65_000 };
    const all = {
      drainMs: DRAIN_MS,
      ...(hasNginx && behindNginx),
      ...settings,
    };
    const start = async (name: string) => {
      const proxy = await opened(startProxy(redis.port));
      const replica = await opened(
        startReplica(name, { ...all, redisUrl: [isDirect ? redis.url : proxy.url] }, program),
      );
      return { ...replica, proxy };
    };
    const starting = REPLICAS.map(start);
    const replicas = await Promise.all(starting).catch(async error => {
      await Promise.allSettled(starting);
      throw error;
    });
    const nginx = hasNginx
      ? await opened(startLoadBalancer(replicas.map(({ address }) => address)))
      : undefined;
    const floors = await floorsOf(replicas);
    const targets = nginx ? [behind(nginx.address, replicas)] : replicas.map(itself);
    const clients = startClients(targets, [...floors.keys()], CLIENTS);
    stops.push(clients.stop);

    /** How many reads of each news item are stored. */
    const stored = async (): Promise<Map<number, number>> => {
      const counts = [...(await redis.counts())];
      return new Map(counts.map(([id, count]) => [id, count - (floors.get(id) ?? 0)]));
    };
    return {
      /** The Redis that the replicas count in now. */
      redis: () => redis,
      replicas,
      clients,
      stored,
      stop,
      /** Stops asking for a moment, and resolves when every replica has been well for some time. */
      async settle(): Promise<void> {
        await clients.pause();
        await becomeWell(replicas, settingsFrom(all).flushIntervalMs);
      },
      /** Lets another Redis take over from the present one, which is stopped. */
      async replaceRedis(heir: RedisServer): Promise<void> {
        const old = redis;
        redis = heir;
        for (const { proxy } of replicas) proxy.leadTo(heir.port);
        await old.stop();
      },
      /** What replicas show in lists other than what is stored, for people; to be asked when they have settled. */
      async misshown(): Promise<string[]> {
        const counts = await redis.counts();
        const lists = await Promise.all(replicas.map(replica => replica.shown(NEWS)));
        return replicas.flatMap(({ name }, index) =>
          [...(lists[index] ?? [])]
            .filter(([id, read]) => read !== (counts.get(id) ?? floors.get(id)))
            .map(([id, read]) => `${name} shows ${read} for news item ${id}, Redis has ${counts.get(id)}`),
        );
      },
      async differences(): Promise<Differences> {
        const [reads, answered] = [await stored(), clients.answered()];
        const ids = [...new Set([...reads.keys(), ...answered.keys()])];
        return new Map(ids.map(id => [id, (reads.get(id) ?? 0) - (answered.get(id) ?? 0)]));
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** How many reads are lost, and how many are stored that nobody got, since these differences were those. */
export function lostAndExtra(now: Differences, before: Differences = new Map()) {
  const changes = [...now].map(([id, difference]) => difference - (before.get(id) ?? 0));
  return {
    lost: sum(changes.map(change => Math.max(0, -change))),
    extra: sum(changes.map(change => Math.max(0, change))),
  };
}

/** What the catalog says of the news that are read; to be asked before anybody reads them. */
async function floorsOf([replica]: Replica[]): Promise<Map<number, number>> {
  return (await replica?.shown(NEWS)) ?? new Map();
}

function itself({ address, instance, answered }: Replica): Target {
  return { address, instance, onAnswer: answered.count };
}

/** The target where a proxy is asked, behind which any replica may be killed at any time. */
function behind(address: string, replicas: Replica[]): Target {
  return {
    address,
    instance: () => ({ ending: 'kill' }),
    onAnswer: servedBy => replicas.find(({ address }) => address === `http://${servedBy}`)?.answered.count(),
  };
}

/** A replica that has lost Redis finds out within a flush interval, hence it has to be well for longer than that. */
async function becomeWell(replicas: Replica[], flushIntervalMs: number): Promise<void> {
  const start = performance.now();
  let since = start;
  while (performance.now() - since < flushIntervalMs + 500) {
    await delay(50);
    const troubles = await Promise.all(replicas.map(replica => replica.trouble()));
    const told = troubles.filter(trouble => trouble !== undefined);
    if (told.length === 0) continue;
    since = performance.now();
    if (since - start > SETTLE_MS) throw new Error(told.join('\n'));
  }
}
