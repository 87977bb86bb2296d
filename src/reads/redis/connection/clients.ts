import type { Cluster, Redis, RedisOptions } from 'ioredis';
import { parseAddress } from './address.ts';

const OPTIONS = {
  protocol: 2,
  // IPv4 or IPv6; before 6.0, ioredis tries IPv4 only.
  family: 0,
  connectTimeout: 2000,
  sentinelCommandTimeout: 2000,
  // Reconnects if nothing arrives for this long; every call can be repeated.
  socketTimeout: 5000,
  // CLIENT SETINFO would need a permission that Redis before 7.2 does not know.
  disableClientInfo: true,
  // The caller decides when to repeat a call.
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  // The primary became a replica: the address now leads to another one. Redis 6 says so later in the message.
  reconnectOnError: (error: Error) => error.message.includes('READONLY'),
} as const satisfies RedisOptions;

const CLUSTER_OPTIONS = {
  enableOfflineQueue: false,
  // A call to a node that is away is repeated this often, 100 ms apart.
  maxRedirections: 4,
  slotsRefreshTimeout: OPTIONS.connectTimeout,
  // Certificates name hosts rather than addresses.
  dnsLookup: (host: string, callback: (error: null, host: string) => void) => callback(null, host),
} as const;

/**
 * Loads ioredis, an optional package, to open clients for the URLs. `pause` returns the milliseconds before the next
 * attempt to connect.
 * @throws Error if the package is missing.
 */
export async function loadClients(urls: readonly string[], pause: () => number) {
  const { Cluster, Redis } = await import('ioredis').catch(() => {
    throw new Error('REDIS_URL needs the package ioredis. Run: npm install ioredis');
  });
  const { nodes, login, single } = parseAddress(urls);
  const openSingle = (): Redis =>
    new Redis({
      ...OPTIONS,
      ...single,
      enableOfflineQueue: false,
      retryStrategy: pause,
      sentinelRetryStrategy: pause,
    });
  const openCluster = (): Cluster =>
    new Cluster(nodes, {
      ...CLUSTER_OPTIONS,
      clusterRetryStrategy: pause,
      redisOptions: { ...OPTIONS, ...login },
    });
  return { open: nodes.length > 1 ? openCluster : openSingle, openCluster };
}
