import type { Cluster, Redis, RedisOptions } from 'ioredis';
import { type Counts, MAX_COUNT } from '../counts.ts';
import type { Batch } from './batch.ts';
import { APPLY, CHANGES, FORGET, INSTANCE_LIFE, KEYS } from './scripts.ts';

/** The counts that changed since a revision. */
export interface Changes {
  revision: number;
  /** Whether `counts` has all counts. */
  isWhole: boolean;
  counts: Counts;
  /** The last sequence number of each instance asked for, or 0. */
  lasts: Map<string, number>;
}

/** A connection to Redis that reconnects by itself. Without a connection, calls reject at once. */
export interface RedisClient {
  /**
   * Applies a batch if the last sequence number of its instance is `base`. Returns the last sequence number before the
   * call, and the new count of each delta if the batch was applied.
   */
  apply(batch: Batch, base: number): Promise<{ last: number; counts: number[] }>;
  changes(revision: number, instances: string[]): Promise<Changes>;
  /** Calls the listener after each new connection. */
  onReady(listener: () => void): void;
  close(): void;
}

const OPTIONS = {
  protocol: 2,
  connectTimeout: 2000,
  // Reconnects if nothing arrives for this long; every call can be repeated.
  socketTimeout: 5000,
  // The sender decides when to repeat a call.
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  // The primary became a replica: the address now leads to another one.
  reconnectOnError: (error: Error) => error.message.startsWith('READONLY'),
} as const satisfies RedisOptions;

/** The scripts, as ioredis adds them: each takes the keys, then its arguments. */
interface Scripts {
  applyBatch(...args: (string | number)[]): Promise<(string | number)[]>;
  changedCounts(...args: (string | number)[]): Promise<string>;
  forgetInstances(...args: (string | number)[]): Promise<void>;
}

/**
 * Connects to the Redis at one address, or to the cluster of several. Resolves after the first attempt, even if it
 * failed.
 * @throws Error if the package ioredis is missing.
 */
export async function openRedisClient(urls: string[]): Promise<RedisClient> {
  const connection = await connect(urls);
  const scripts = connection as unknown as Scripts;
  const define = (name: keyof Scripts, lua: string) =>
    connection.defineCommand(name, { lua, numberOfKeys: KEYS.length });
  define('applyBatch', APPLY);
  define('changedCounts', CHANGES);
  define('forgetInstances', FORGET);

  let problem = 'not connected yet';
  /** Rejects with the reason of a lost connection instead of the messages of ioredis about its own state. */
  const withReason = <Reply>(reply: Promise<Reply>): Promise<Reply> =>
    reply.catch(error => {
      throw error.name === 'ReplyError' ? error : new Error(problem);
    });
  connection.on('error', (error: Error) => (problem = error.message));
  connection.on('ready', () => {
    problem = 'the connection was closed';
    // A failure does not matter: the next connection tries again.
    scripts.forgetInstances(...KEYS, unixTime() - INSTANCE_LIFE).catch(() => {});
  });
  await new Promise<void>(resolve => {
    for (const event of ['ready', 'error', 'close']) connection.once(event, () => resolve());
  });

  return {
    async apply({ instance, sequence, deltas }, base) {
      const args = deltas.flatMap(({ id, reads, floor }) => [id, reads, floor]);
      const reply = await withReason(
        scripts.applyBatch(...KEYS, instance, base, sequence, unixTime(), ...args),
      );
      const [last = 0, ...counts] = reply.map(Number);
      return { last, counts };
    },
    changes: async (revision, instances) =>
      parseChanges(await withReason(scripts.changedCounts(...KEYS, revision, ...instances)), instances),
    onReady: listener => void connection.on('ready', listener),
    close: () => connection.disconnect(),
  };
}

/** Loads ioredis, an optional package, on first use. */
async function connect(urls: string[]): Promise<Redis | Cluster> {
  const { Cluster, Redis } = await import('ioredis').catch(() => {
    throw new Error('REDIS_URL needs the package ioredis. Run: npm install ioredis');
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

/** The pause before the next attempt to connect, in milliseconds. */
function delayBefore(attempt: number): number {
  return Math.min(attempt * 50, 1000);
}

function parseChanges(text: string, instances: string[]): Changes {
  const { counts: flat, lasts, revision, isWhole } = JSON.parse(text);
  const counts: Counts = new Map();
  // Lua encodes an empty table as an object, which has no length.
  for (let index = 0; index < flat.length; index += 2) {
    const count = Math.min(Number(flat[index + 1]), MAX_COUNT);
    if (!Number.isSafeInteger(count))
      throw new Error(`the count of news item ${flat[index]} is not a number: ${flat[index + 1]}`);
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
