import type { Cluster, Redis, RedisOptions } from 'ioredis';
import type { Counts } from '../counts.ts';
import type { Batch } from './batch.ts';
import { APPLY, CHANGES, FORGET, INSTANCE_LIFE, KEYS } from './scripts.ts';

/** The counts that changed after a revision. */
export interface Changes {
  revision: number;
  /** Whether these are all counts. */
  isWhole: boolean;
  counts: Counts;
  /** The last batch of each instance that was asked about, or 0. */
  lasts: Map<string, number>;
}

/** A connection to Redis that is made again where it breaks. Each call rejects at once where there is none. */
export interface RedisLink {
  /**
   * Applies a batch where the last one of its instance is `base`. Returns the last one before it came, and where it was
   * applied the new count of each delta, and otherwise none.
   */
  apply(batch: Batch, base: number): Promise<{ last: number; counts: number[] }>;
  changes(revision: number, instances: string[]): Promise<Changes>;
  /** Hears of each new connection. */
  onReady(listener: () => void): void;
  close(): void;
}

const OPTIONS = {
  protocol: 2,
  connectTimeout: 2000,
  // A connection over which nothing comes is made anew; every call may be repeated.
  socketTimeout: 5000,
  // Who calls knows better when to repeat it.
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  // A replica that was the primary before: the address leads to another one by now.
  reconnectOnError: (error: Error) => error.message.startsWith('READONLY'),
} as const satisfies RedisOptions;

/** The scripts as methods, as ioredis defines them: keys and arguments, and the reply. */
interface Scripts {
  applyBatch(...parts: (string | number)[]): Promise<(string | number)[]>;
  changedCounts(...parts: (string | number)[]): Promise<string>;
  forgetInstances(...parts: (string | number)[]): Promise<void>;
}

/**
 * Connects to the one Redis, or to the cluster of which several nodes are named. Resolves when the
 * first attempt has come to something.
 * @throws Error where the package ioredis is missing.
 */
export async function openRedisLink(urls: string[]): Promise<RedisLink> {
  const client = await createClient(urls);
  const scripts = client as unknown as Scripts;
  const define = (name: keyof Scripts, lua: string) =>
    client.defineCommand(name, { lua, numberOfKeys: KEYS.length });
  define('applyBatch', APPLY);
  define('changedCounts', CHANGES);
  define('forgetInstances', FORGET);

  let problem = 'it is not connected yet';
  /** Calls, and says of a connection that is not there why, where the client would speak of itself. */
  const ask = <Reply>(reply: Promise<Reply>): Promise<Reply> =>
    reply.catch(error => {
      throw error.name === 'ReplyError' ? error : new Error(problem);
    });
  client.on('error', (error: Error) => (problem = error.message));
  client.on('ready', () => {
    problem = 'the connection was closed';
    // It can be done at any other time as well.
    scripts.forgetInstances(...KEYS, unixTime() - INSTANCE_LIFE).catch(() => {});
  });
  await new Promise<void>(resolve => {
    for (const event of ['ready', 'error', 'close']) client.once(event, () => resolve());
  });

  return {
    async apply({ instance, sequence, deltas }, base) {
      const parts = deltas.flatMap(({ id, reads, floor }) => [id, reads, floor]);
      const reply = await ask(scripts.applyBatch(...KEYS, instance, base, sequence, unixTime(), ...parts));
      const [last = 0, ...counts] = reply.map(Number);
      return { last, counts };
    },
    changes: async (revision, instances) =>
      parseChanges(await ask(scripts.changedCounts(...KEYS, revision, ...instances)), instances),
    onReady: listener => void client.on('ready', listener),
    close: () => client.disconnect(),
  };
}

/** ioredis is loaded where it is wanted only, and need not be installed elsewhere. */
async function createClient(urls: string[]): Promise<Redis | Cluster> {
  const { Cluster, Redis } = await import('ioredis').catch(() => {
    throw new Error('REDIS_URL needs the package ioredis: npm install ioredis');
  });
  const [first = '', ...others] = urls;
  if (others.length === 0)
    return new Redis(first, { ...OPTIONS, enableOfflineQueue: false, retryStrategy: delayBefore });
  const { username, password, protocol } = new URL(first);
  return new Cluster(urls, {
    clusterRetryStrategy: delayBefore,
    enableOfflineQueue: false,
    redisOptions: {
      ...OPTIONS,
      ...(password && { username: decodeURIComponent(username), password: decodeURIComponent(password) }),
      ...(protocol === 'rediss:' && { tls: {} }),
    },
  });
}

/** How long to wait before the next attempt to connect, in milliseconds. */
function delayBefore(attempt: number): number {
  return Math.min(attempt * 50, 1000);
}

function parseChanges(text: string, instances: string[]): Changes {
  const { counts: flat, lasts, revision, isWhole } = JSON.parse(text);
  const counts: Counts = new Map();
  // An empty table of Lua's is written as an object, which has no length.
  for (let index = 0; index < flat.length; index += 2) {
    const count = Number(flat[index + 1]);
    if (!Number.isSafeInteger(count))
      throw new Error(`the count of ${flat[index]} is no number: ${flat[index + 1]}`);
    counts.set(Number(flat[index]), count);
  }
  return {
    revision,
    isWhole,
    counts,
    lasts: new Map(instances.map((instance, index) => [instance, lasts[index]])),
  };
}

function unixTime(): number {
  return Math.floor(Date.now() / 1000);
}
