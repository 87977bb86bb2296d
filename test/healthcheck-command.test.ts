import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { runCommand } from './support/command.ts';
import { freePort } from './support/programs.ts';
import { startService } from './support/service.ts';
import { listen } from './support/wire.ts';

const healthcheck = (env: Record<string, string>) => runCommand(['healthcheck'], env);

test('asks a service at the address that it listens on, under its base path', async t => {
  for (const [host, address] of [
    ['0.0.0.0', '127.0.0.1'],
    ['::', '[::1]'],
    ['localhost', 'localhost'],
  ] as const) {
    const { app } = await startService(t, undefined, { basePath: '/shop' });
    const PORT = new URL(await app.listen({ host, port: 0 })).port;
    const url = `http://${address}:${PORT}`;
    const live = await healthcheck({ HOST: host, PORT, BASE_PATH: '/shop' });
    assert.deepEqual(live, { code: 0, stdout: `${url}/shop/health/live is live\n`, stderr: '' });
    const elsewhere = await healthcheck({ HOST: host, PORT, BASE_PATH: '/else' });
    const stderr = `${url}/else/health/live is not live: status 404\n`;
    assert.deepEqual(elsewhere, { code: 1, stdout: '', stderr });
  }
});

test('a service that does not answer is not live, in one sentence; the port must be known', async t => {
  const closed = await freePort();
  const { port } = new URL(await listen(t, createServer()));
  for (const [HOST, PORT, code, sentence] of [
    ['127.0.0.1', closed, 1, `http://127.0.0.1:${closed}/health/live is not live: connection refused\n`],
    ['localhost', closed, 1, `http://localhost:${closed}/health/live is not live: connection refused\n`],
    ['127.0.0.1', port, 1, `http://127.0.0.1:${port}/health/live is not live: no answer within 5 s\n`],
    ['127.0.0.1', 0, 2, 'PORT: expected the port that the service listens on, got "0"\n'],
  ] as const) {
    const found = await healthcheck({ HOST, PORT: String(PORT) });
    assert.deepEqual([found.code, found.stdout], [code, '']);
    assert.ok(found.stderr.startsWith(sentence), found.stderr);
  }
});
