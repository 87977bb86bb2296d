import { setTimeout as delay } from 'node:timers/promises';
import { request } from 'undici';
import { settingsFrom } from '../../../src/settings/read.ts';
import type { Settings } from '../../../src/settings/settings.ts';
import { startClients, type Target } from './clients.ts';
import { startLoadBalancer } from './load-balancer.ts';
import { sum } from './numbers.ts';
import { startRedis } from './redis.ts';
import { type Replica, startReplica, vitrine } from './replica.ts';

const REPLICAS = ['replica 1', 'replica 2', 'replica 3'];
const CLIENTS = 24;
/** How many of the news are read; fewer are read more often. */
const NEWS = 8;
/** Long enough for each client to hear that it should leave, be its machine busy with all this. */
const DRAIN_MS = 2000;
/** For how long replicas may take to become well, in milliseconds. */
const SETTLE_MS = 30_000;

/** How many reads of each news item are stored beyond those that were answered; fewer than none where some are lost. */
export type Differences = ReadonlyMap<number, number>;

export type Deployment = Awaited<ReturnType<typeof startDeployment>>;

interface Options {
  /** Whether an nginx stands before the replicas; otherwise they are asked in turn. */
  hasNginx?: boolean;
  settings?: Partial<Settings>;
  /** What node is told to run. */
  program?: string[];
}

/** Starts a Redis, three replicas that count in it together, and clients that read their news. */
export async function startDeployment({ hasNginx = false, settings = {}, program = vitrine }: Options = {}) {
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
    const redis = await opened(startRedis());
    // What nginx needs of those behind it.
    const behindNginx = { trustProxy: ['127.0.0.1'], keepAliveMs: 65_000 };
    const all = {
      redisUrl: [redis.url],
      drainMs: DRAIN_MS,
      ...(hasNginx && behindNginx),
      ...settings,
    };
    const starting = REPLICAS.map(name => opened(startReplica(name, all, program)));
    const replicas = await Promise.all(starting).catch(async error => {
      await Promise.allSettled(starting);
      throw error;
    });
    const nginx = hasNginx
      ? await opened(startLoadBalancer(replicas.map(({ address }) => address)))
      : undefined;
    const floors = await floorsOf(replicas[0]?.address ?? '');
    const targets = nginx ? [behind(nginx.address, replicas)] : replicas.map(itself);
    const clients = startClients(targets, [...floors.keys()], CLIENTS);
    stops.push(clients.stop);

    /** How many reads of each news item are stored. */
    const stored = async (): Promise<Map<number, number>> => {
      const counts = [...(await redis.counts())];
      return new Map(counts.map(([id, count]) => [id, count - (floors.get(id) ?? 0)]));
    };
    return {
      redis,
      replicas,
      clients,
      stored,
      stop,
      /** Stops asking for a moment, and resolves when every replica has been well for some time. */
      async settle(): Promise<void> {
        await clients.pause();
        await becomeWell(replicas, settingsFrom(all).flushIntervalMs);
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
async function floorsOf(address: string): Promise<Map<number, number>> {
  const { body } = await request(`${address}/api/news?limit=${NEWS}`);
  const { data } = Object(await body.json());
  return new Map(data.list.map(({ id, read }: { id: number; read: number }) => [id, read]));
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
