import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { TestContext } from 'node:test';
import { Redis } from 'ioredis';
import { sumOf } from '../../src/reads/redis/rows.ts';
import { afterTest } from './after-test.ts';
import { writeFiles } from './catalogs.ts';
import { freePort } from './replicas/free-port.ts';

/** A Redis of the test's own that forgets everything when it ends, which it does with the test. */
export async function startRedis(t: TestContext, options: string[] = []) {
  const dir = await writeFiles(t, {});
  const port = await freePort();
  let server: ChildProcess | undefined;
  const client = new Redis(port, '127.0.0.1', { lazyConnect: true, retryStrategy: () => 20 });
  client.on('error', () => {});

  const start = async () => {
    const settings = ['--port', String(port), '--bind', '127.0.0.1', '--dir', dir, '--save', '', ...options];
    server = spawn('redis-server', settings, { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    for await (const chunk of server.stdout ?? []) {
      output += chunk;
      if (output.includes('Ready to accept connections')) return;
    }
    throw new Error(`redis-server ended instead of listening:\n${output}`);
  };
  const kill = async () => {
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.kill('SIGKILL');
    await ended;
  };
  const end = async () => {
    client.disconnect();
    await kill();
  };
  afterTest(t, end);
  await start();
  await client.connect();
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    client,
    start,
    kill,
    freeze: () => server?.kill('SIGSTOP'),
    thaw: () => server?.kill('SIGCONT'),
    /** The counts that are stored. */
    counts: async () => {
      // The row 0 is that of the folded columns.
      const { '0': _, ...counts } = await client.hgetall('vitrine:{reads}:counts');
      return Object.fromEntries(
        Object.entries(counts)
          .filter(([id]) => !id.startsWith('@'))
          .map(([id, row]) => [id, Math.min(sumOf(row), Number.MAX_SAFE_INTEGER)]),
      );
    },
  };
}
