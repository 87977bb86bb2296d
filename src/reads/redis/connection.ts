import type { Cluster, Redis, RedisOptions } from 'ioredis';
import { type Log, reasonOf } from '../../messages.ts';

/** A connection that reconnects by itself. While it is down, calls reject at once, with a message of one sentence. */
export type Connection = Awaited<ReturnType<typeof openConnection>>;

/** The arguments of the command may contain a password. */
interface RedisError extends Error {
  command?: { name: string };
  lastNodeError?: Error;
}

/**
 * Connects to one Redis, a cluster, or the primary that Sentinels name. Resolves after the first attempt, even a failed one.
 * Warns if the configuration of Redis can lose counts. `scripts` are Lua programs by name.
 * @throws Error if the package ioredis is missing.
 */
export async function openConnection(
  { redisUrl, redisPrefix }: { redisUrl: readonly string[]; redisPrefix: string },
  scripts: Readonly<Record<string, string>>,
  log: Log,
) {
  // The hash tag keeps both keys on one node of a cluster.
  const keys = ['counts', 'changes'].map(name => `${redisPrefix}:{reads}:${name}`);
  const listeners: (() => void)[] = [];
  let problem = 'not connected yet';
  let failures = 0;
  let isFirst = true;
  let isClosed = false;
  let attempted = () => {};
  const firstAttempt = new Promise<void>(resolve => (attempted = resolve));
  // Only a successful script resets the pause: connecting to a replica also works.
  const clients = await loadClients(redisUrl, () => Math.min(50 * 2 ** failures++, 1000));

  const prepare = (client: Redis | Cluster): Redis | Cluster => {
    for (const [name, lua] of Object.entries(scripts))
      client.defineCommand(name, { lua, numberOfKeys: keys.length });
    client.on('error', (error: RedisError) => {
      problem = reasonOfError(error) ?? problem;
      // ioredis would continue with database 0.
      if (error.command?.name === 'select') client.disconnect(true);
      attempted();
    });
    client.on('sentinelError', ({ message }: Error) => (problem = message));
    client.on('close', attempted);
    client.on('ready', () => void greet(client));
    return client;
  };
  const greet = async (ready: Redis | Cluster) => {
    const info = await ready.info().catch(error => reasonOfReply(error) && '');
    if (info === undefined || isClosed) return;
    if (!ready.isCluster && infoField(info, 'cluster_enabled') === '1') {
      ready.off('close', attempted).disconnect();
      client = prepare(clients.openCluster());
      return;
    }
    if (isFirst) for (const warning of warningsAbout(info)) log.warn(warning);
    isFirst = false;
    problem = 'the connection was closed';
    for (const listener of listeners) listener();
    attempted();
  };
  let client = prepare(clients.open());
  await firstAttempt;

  return {
    async run(script: string, args: readonly (string | number)[]): Promise<unknown> {
      const called: Promise<unknown> = Reflect.get(client, script).call(client, ...keys, ...args);
      const reply = await called.catch(error => {
        throw new Error(reasonOfReply(error) ?? problem);
      });
      failures = 0;
      return reply;
    },
    /** Calls the listener after each new connection; for a cluster, after all of its nodes were away. */
    onReady: (listener: () => void) => void listeners.push(listener),
    close(): void {
      isClosed = true;
      client.disconnect();
    },
  };
}

/** Errors that only follow from a more specific one. */
const CONSEQUENCE = /^(All sentinels are unreachable|Stream isn't writeable)/;

/** Returns why a connection failed; undefined if an earlier error says so. */
function reasonOfError(error: RedisError): string | undefined {
  if (error.lastNodeError) return `no node of the cluster answers (${error.lastNodeError.message})`;
  if (CONSEQUENCE.test(error.message)) return undefined;
  // A host with several addresses gives an error without a message.
  return error.message || reasonOf(error);
}

/** Returns what Redis answered; undefined if it did not. */
function reasonOfReply({ name, message }: Error): string | undefined {
  return name === 'ReplyError' ? message : /Last error: (?:\w*Error: )?(.*)/.exec(message)?.[1];
}

/**
 * Parses valid URLs of `REDIS_URL`: one Redis, nodes of a cluster, or Sentinels (the last URL names the primary). One login
 * holds for all; a `sentinelPassword` in the last URL replaces it for Sentinels. Returns the options of ioredis: the nodes of
 * a possible cluster (none with Sentinels), the login for each, and the options for a Redis that is not a cluster.
 */
export function parseAddress(urls: readonly string[]) {
  const parsed = urls.map(url => new URL(url));
  const hosts = parsed.map(({ hostname, port }) => ({
    host: hostname.replace(/^\[|\]$/g, ''),
    ...(port && { port: Number(port) }),
  }));
  const { username = '', password = '' } = parsed.find(url => url.username || url.password) ?? {};
  const tls = urls[0]?.startsWith('rediss') ? { tls: {} } : {};
  const login = { ...credentials(decodeURIComponent(username), decodeURIComponent(password)), ...tls };
  const { pathname, searchParams: query } = parsed.at(-1) ?? new URL('redis:///');
  const path = pathname.split('/').slice(1).map(decodeURIComponent);
  if (!urls[0]?.includes('+sentinel:'))
    return { nodes: hosts, login, single: { ...hosts[0], ...login, db: Number(path[0] ?? 0) } };

  const own = query.get('sentinelPassword');
  const { username: sentinelUsername, password: sentinelPassword } =
    own === null ? login : credentials(query.get('sentinelUsername') ?? '', own);
  const single = {
    ...login,
    sentinels: hosts,
    name: path[0] ?? '',
    db: Number(path[1] ?? 0),
    ...(sentinelPassword && { sentinelUsername, sentinelPassword }),
    ...(login.tls && { sentinelTLS: login.tls, enableTLSForSentinelMode: true }),
  };
  return { nodes: [], login, single };
}

function credentials(username: string, password: string): { username?: string; password?: string } {
  return username || password ? { username, password } : {};
}

const OPTIONS = {
  protocol: 2,
  // IPv4 or IPv6; by default, ioredis before 6.0 tries IPv4 only.
  family: 0,
  connectTimeout: 2000,
  sentinelCommandTimeout: 2000,
  // Reconnect if nothing arrives for this long. Every call can be repeated.
  socketTimeout: 5000,
  // CLIENT SETINFO needs a permission that Redis before 7.2 does not know.
  disableClientInfo: true,
  // The caller decides when to repeat a call.
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  // The primary has become a replica: the address now leads to another one. Redis 6 does not begin the message with READONLY.
  reconnectOnError: (error: Error) => error.message.includes('READONLY'),
} as const satisfies RedisOptions;

const CLUSTER_OPTIONS = {
  enableOfflineQueue: false,
  // Repeats a call to a node that is away this often, every 100 ms.
  maxRedirections: 4,
  slotsRefreshTimeout: OPTIONS.connectTimeout,
  // Keeps host names, which certificates contain, instead of addresses.
  dnsLookup: (host: string, callback: (error: null, host: string) => void) => callback(null, host),
} as const;

/**
 * Loads the optional package ioredis and returns functions that open clients. `pause` returns the ms before the next attempt.
 * @throws Error if the package is missing.
 */
async function loadClients(urls: readonly string[], pause: () => number) {
  const { Cluster, Redis } = await import('ioredis').catch(() => {
    throw new Error('REDIS_URL needs the package ioredis. Run: npm install ioredis');
  });
  const { nodes, login, single } = parseAddress(urls);
  const strategies = { retryStrategy: pause, sentinelRetryStrategy: pause };
  const openSingle = (): Redis =>
    new Redis({ ...OPTIONS, ...single, ...strategies, enableOfflineQueue: false });
  const redisOptions = { ...OPTIONS, ...login };
  const openCluster = (): Cluster =>
    new Cluster(nodes, { ...CLUSTER_OPTIONS, clusterRetryStrategy: pause, redisOptions });
  return { open: nodes.length > 1 ? openCluster : openSingle, openCluster };
}

/** Returns how a Redis with this reply to INFO can lose counts, with the commands that prevent it. */
function warningsAbout(info: string): string[] {
  const run = (setting: string) => `Run: CONFIG SET ${setting}, then CONFIG REWRITE`;
  const policy = infoField(info, 'maxmemory_policy');
  const warnings: string[] = [];
  // Other policies evict only keys with a time to live.
  if (policy?.startsWith('allkeys-'))
    warnings.push(
      `Redis evicts read counts when its memory is full (${policy}). ${run('maxmemory-policy noeviction')}`,
    );
  if (infoField(info, 'aof_enabled') === '0')
    warnings.push(`Redis loses the counts since its last snapshot if it crashes. ${run('appendonly yes')}`);
  return warnings;
}

function infoField(info: string, name: string): string | undefined {
  return new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1];
}
