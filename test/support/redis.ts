import type { TestContext } from 'node:test';
import { Redis } from 'ioredis';
import { sumOf } from '../../src/reads/redis/rows.ts';
import { afterTest } from './after-test.ts';
import { writeFiles } from './catalogs.ts';
import { freePort, type Program, startProgram } from './programs.ts';

/** A Redis of the test's own that forgets everything when it ends, which it does with the test. */
export async function startRedis(t: TestContext, options: string[] = []) {
  const dir = await writeFiles(t, {});
  const port = await freePort();
  let server: Program | undefined;
  const client = new Redis(port, '127.0.0.1', { lazyConnect: true, retryStrategy: () => 20 });
  client.on('error', () => {});

  const start = async () => {
    const settings = ['--port', String(port), '--bind', '127.0.0.1', '--dir', dir, '--save', '', ...options];
    server = await startProgram('redis-server', settings, { ready: /Ready to accept connections/ });
  };
  const kill = async () => server?.end('SIGKILL');
  const end = () => {
    client.disconnect();
    return kill();
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
    freeze: () => server?.signal('SIGSTOP'),
    thaw: () => server?.signal('SIGCONT'),
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
