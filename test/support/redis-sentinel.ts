import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { afterTest } from './after-test.ts';
import { writeFiles } from './catalogs.ts';
import { freePort, startProgram } from './programs.ts';
import { startRedis } from './redis.ts';
import { until } from './until.ts';

/** A primary and a replica of the test's own, and a Sentinel that knows them as `shop`. `lines` configure Sentinel. */
export async function startSentinel(t: TestContext, lines: string[] = []) {
  const primary = await startRedis(t, ['--repl-diskless-sync-delay', '0']);
  const replica = await startRedis(t, ['--replicaof', `127.0.0.1 ${primary.port}`]);
  await until(t, async () =>
    /master_link_status:up/.test(await replica.client.info('replication')) ? true : undefined,
  );
  const port = await freePort();
  await runSentinel(t, /\+slave /, [`port ${port}`, ...monitor(primary.port), ...lines]);
  return { primary, replica, address: `127.0.0.1:${port}` };
}

/** A primary and a Sentinel that take TLS, with these options of Redis. Returns the address of Sentinel. */
export async function startTlsSentinel(t: TestContext, options: string[]): Promise<string> {
  const [redisPort, port] = [await freePort(), await freePort()];
  await startRedis(t, [...options, '--tls-port', String(redisPort)]);
  const lines = options
    .join(' ')
    .split(' --')
    .map(option => option.replace(/^--/, ''));
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
  const program = await startProgram('redis-server', [join(dir, 'sentinel.conf'), '--sentinel'], { ready });
  afterTest(t, () => program.end('SIGKILL'));
}
