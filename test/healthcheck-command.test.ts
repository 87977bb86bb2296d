import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { afterTest } from './support/after-test.ts';
import { runCommand } from './support/command.ts';
import { freePort } from './support/replicas/free-port.ts';
import { startService } from './support/service.ts';

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

test('a service that does not answer is not live, in one sentence', async t => {
  const PORT = String(await freePort());
  for (const HOST of ['127.0.0.1', 'localhost']) {
    const stderr = `http://${HOST}:${PORT}/health/live is not live: connection refused\n`;
    assert.deepEqual(await healthcheck({ HOST, PORT }), { code: 1, stdout: '', stderr });
  }
  const server = createServer(() => {});
  afterTest(t, () => {
    server.close();
    server.closeAllConnections();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const { code, stderr } = await healthcheck({ PORT: String(port) });
  assert.equal(code, 1);
  assert.equal(stderr, `http://127.0.0.1:${port}/health/live is not live: no answer within 5 s\n`);
});

test('asks for the port if it is not known', async () => {
  const { code, stderr } = await healthcheck({ PORT: '0' });
  assert.equal(code, 2);
  assert.match(stderr, /^PORT: expected the port that the service listens on, got "0"\n/);
});
