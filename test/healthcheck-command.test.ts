import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { afterTest } from './support/after-test.ts';
import { shop, writeFiles } from './support/catalogs.ts';
import { flagsOf, startProcess } from './support/process.ts';
import { freePort } from './support/replicas/free-port.ts';

/** Runs `vitrine healthcheck`. */
function healthcheck(t: TestContext, args: string[], env: Record<string, string> = {}) {
  return startProcess(t, ['healthcheck', ...args], env).exit;
}

/** Starts a service with these settings on a free port, which it resolves to. */
async function serve(t: TestContext, env: Record<string, string>): Promise<string> {
  const dir = await writeFiles(t, shop);
  const dirs = flagsOf({ catalogDir: dir, imagesDir: dir, stateDir: join(dir, 'state') });
  const { listening } = startProcess(t, ['--port', '0', ...dirs], env);
  return new URL(await listening()).port;
}

for (const [host, address] of [
  ['0.0.0.0', '127.0.0.1'],
  ['::', '[::1]'],
  ['127.0.0.1', '127.0.0.1'],
  ['localhost', 'localhost'],
] as const) {
  test(`asks a service that listens on ${host} at ${address}, under its base path`, async t => {
    const env = { HOST: host, BASE_PATH: '/shop' };
    const port = await serve(t, env);
    assert.deepEqual(await healthcheck(t, [], { ...env, PORT: port }), {
      code: 0,
      stdout: `http://${address}:${port}/shop/health/live is live\n`,
      stderr: '',
    });
    const elsewhere = await healthcheck(t, ['--base-path', '/elsewhere'], { ...env, PORT: port });
    assert.deepEqual(elsewhere, {
      code: 1,
      stdout: '',
      stderr: `http://${address}:${port}/elsewhere/health/live is not live: status 404\n`,
    });
  });
}

test('reports a refused connection in one sentence', async t => {
  const port = String(await freePort());
  for (const host of ['127.0.0.1', 'localhost']) {
    assert.deepEqual(await healthcheck(t, ['--host', host, '--port', port]), {
      code: 1,
      stdout: '',
      stderr: `http://${host}:${port}/health/live is not live: connection refused\n`,
    });
  }
});

test('a service that takes the request and does not answer is not live', async t => {
  const server = createServer(() => {});
  afterTest(t, () => {
    server.close();
    server.closeAllConnections();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const { code, stderr } = await healthcheck(t, ['--port', String(port)]);
  assert.deepEqual(
    [code, stderr],
    [1, `http://127.0.0.1:${port}/health/live is not live: no answer within 5 s\n`],
  );
});

test('asks for the port if it is not known', async t => {
  const { code, stderr } = await healthcheck(t, ['--port', '0']);
  assert.equal(code, 2);
  assert.match(stderr, /^PORT: expected the port that the service listens on, got "0"\n/);
});
