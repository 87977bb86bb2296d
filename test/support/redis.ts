import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { Redis } from 'ioredis';
import { sumOf } from '../../src/reads/redis/rows.ts';
import { afterTest } from './after-test.ts';
import { writeFiles } from './catalogs.ts';
import { freePort, type Program, startProgram } from './programs.ts';
import { until } from './until.ts';

/** A Redis of the test's own that forgets everything when it ends, which it does with the test. */
export async function startRedis(t: TestContext, options: string[] = []) {
  const dir = await writeFiles(t, {});
  const port = await freePort();
  let server: Program | undefined;
  const client = new Redis(port, '127.0.0.1', { lazyConnect: true, retryStrategy: () => 20 });
  client.on('error', () => {});

  const start = async () => {
    const settings = ['--port', String(port), '--bind', '127.0.0.1', '--dir', dir, '--save', '', ...options];
    server = startProgram(t, ['redis-server', ...settings]);
    await server.says(/Ready to accept connections/);
  };
  const kill = async () => void (await server?.end('SIGKILL'));
  await start();
  afterTest(t, () => client.disconnect());
  await client.connect();
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    client,
    start,
    kill,
    freeze: () => server?.child.kill('SIGSTOP'),
    thaw: () => server?.child.kill('SIGCONT'),
    counts: async () => {
      // The row 0 is that of the folded columns.
      const { '0': _, ...fields } = await client.hgetall('vitrine:{reads}:counts');
      const rows = Object.entries(fields).filter(([id]) => !id.startsWith('@'));
      return Object.fromEntries(rows.map(([id, row]) => [id, Math.min(sumOf(row), Number.MAX_SAFE_INTEGER)]));
    },
  };
}

/** A cluster of two nodes of the test's own, each with half of the slots. `optionsOf` returns more options of a node. */
export async function startCluster(t: TestContext, optionsOf = async (): Promise<string[]> => []) {
  // The default port of the cluster bus is 10,000 higher, which any connection may use.
  const [onePort, otherPort] = [await freePort(), await freePort()];
  const node = async (port: number) =>
    startRedis(t, ['--cluster-enabled', 'yes', '--cluster-port', String(port), ...(await optionsOf())]);
  const [one, other] = [await node(onePort), await node(otherPort)];
  await one.client.cluster('ADDSLOTSRANGE', 0, 8191);
  await other.client.cluster('ADDSLOTSRANGE', 8192, 16383);
  await one.client.cluster('MEET', '127.0.0.1', other.port, otherPort);
  for (const { client } of [one, other])
    await until(t, async () => /cluster_state:ok/.test(await client.cluster('INFO')));
  /** The node that has a key, and the other one. */
  const nodesFor = async (key: string) =>
    (await one.client.cluster('KEYSLOT', key)) < 8192 ? ([one, other] as const) : ([other, one] as const);
  return { nodes: [one, other] as const, nodesFor };
}

/** A primary and a replica of the test's own, and a Sentinel that knows them as `shop`. `lines` configure Sentinel. */
export async function startSentinel(t: TestContext, lines: string[] = []) {
  const primary = await startRedis(t, ['--repl-diskless-sync-delay', '0']);
  const replica = await startRedis(t, ['--replicaof', `127.0.0.1 ${primary.port}`]);
  await until(t, async () => /master_link_status:up/.test(await replica.client.info('replication')));
  const port = await freePort();
  await runSentinel(t, /\+slave /, [`port ${port}`, ...monitor(primary.port), ...lines]);
  return { primary, replica, address: `127.0.0.1:${port}` };
}

/** A primary and a Sentinel that take TLS, with these options of Redis. Returns the address of Sentinel. */
export async function startTlsSentinel(t: TestContext, options: string[]): Promise<string> {
  const [redisPort, port] = [await freePort(), await freePort()];
  await startRedis(t, [...options, '--tls-port', String(redisPort)]);
  const lines = options.join(' ').replace(/^--/, '').split(' --');
  await runSentinel(t, /\+monitor /, [
    ...['port 0', `tls-port ${port}`, 'tls-replication yes', ...monitor(redisPort), ...lines],
  ]);
  return `127.0.0.1:${port}`;
}

function monitor(port: number): string[] {
  return [
    `sentinel monitor shop 127.0.0.1 ${port} 1`,
    'sentinel down-after-milliseconds shop 300',
    'sentinel failover-timeout shop 2000',
  ];
}

async function runSentinel(t: TestContext, ready: RegExp, lines: string[]): Promise<void> {
  const configuration = ['bind 127.0.0.1', ...lines, ''].join('\n');
  const dir = await writeFiles(t, { 'sentinel.conf': configuration });
  await startProgram(t, ['redis-server', join(dir, 'sentinel.conf'), '--sentinel']).says(ready);
}

/** What happens to the bytes of one direction. */
interface Way {
  /** How many bytes of a chunk pass before the connection breaks; undefined if the chunk passes. */
  cutAt: ((length: number) => number | undefined) | undefined;
  /** Resolves when bytes may pass. */
  opened: Promise<unknown>;
}

export type RedisProxy = Awaited<ReturnType<typeof startProxy>>;

/**
 * Starts a proxy on a free port of the loopback that forwards connections to another port until the test ends, and can do
 * so badly.
 */
export async function startProxy(t: TestContext, target: number) {
  const port = await freePort();
  const sockets = new Set<Socket>();
  let ways = openWays();

  const server = createServer({ noDelay: true }, client => {
    const redis = connect({ port: target, host: '127.0.0.1', noDelay: true });
    sockets.add(client);
    client.on('close', () => sockets.delete(client));
    relay(client, redis, ways.requests);
    relay(redis, client, ways.replies);
  });
  const accept = async () => {
    if (server.listening) return;
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  /** Breaks all connections. What is held of their requests still arrives when it is released. */
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  const refuse = () => {
    if (server.listening) server.close();
    cut();
  };
  await accept();
  afterTest(t, refuse);

  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    cut,
    /** Refuses connections until `accept`, and breaks those that it has. */
    refuse,
    accept,
    /** Leads to another port from now on. */
    leadTo(port: number): void {
      target = port;
      cut();
    },
    /** Breaks connections in the replies for which `cutAt` returns how many bytes of them may still pass. */
    cutReplies(cutAt: Way['cutAt']): void {
      ways.replies.cutAt = cutAt;
    },
    /** Holds these bytes until the returned function is called, which forwards them. Connections are accepted. */
    hold(direction: keyof typeof ways): () => void {
      let release = () => {};
      ways[direction].opened = new Promise<void>(resolve => (release = resolve));
      return release;
    },
    /** Connections from now on are not concerned by what was done to those before. */
    renew: () => (ways = openWays()),
  };
}

function openWays(): { requests: Way; replies: Way } {
  const way = { cutAt: undefined, opened: Promise.resolve() };
  return { requests: { ...way }, replies: { ...way } };
}

/** Forwards what one socket receives to another, in order, and then ends that one too. */
function relay(from: Socket, to: Socket, way: Way): void {
  let last: Promise<void> = Promise.resolve();
  const forward = async (chunk: Buffer) => {
    await way.opened;
    const length = way.cutAt?.(chunk.length) ?? chunk.length;
    if (!to.destroyed) to.write(chunk.subarray(0, length));
    if (length < chunk.length) to.destroySoon();
  };
  from.on('data', (chunk: Buffer) => {
    last = last.then(() => forward(chunk));
  });
  from.on('error', () => {});
  from.on('close', () => void last.then(() => to.end()));
}
