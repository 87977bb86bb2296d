import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type TestContext, test } from 'node:test';
import { request } from 'undici';
import type { Settings } from '../src/settings/settings.ts';
import { healthOf, newShop, serveShop } from './support/process.ts';
import { childrenOf, isLinux } from './support/programs.ts';
import { until } from './support/until.ts';
import { listen } from './support/wire.ts';

/** Starts a service whose first set is not loaded before `goOn` is called. */
async function startLoading(t: TestContext, settings: Partial<Settings> = {}) {
  const started = serveShop(t, await newShop(t), settings);
  const pid = started.child.pid ?? assert.fail('there is no process');
  // Before it has become the reader, a child that is stopped would hold up its parent.
  const isReader = (child: number) => readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('/reader.');
  const reader = await until(t, async () => childrenOf(pid).find(isReader));
  process.kill(reader, 'SIGSTOP');
  const goOn = () => process.kill(reader, 'SIGCONT');
  const address = async () => String((await started.says(/opening (http:\S+), which answers 503/))[1]);
  return { ...started, reader, address, goOn };
}

test('while the first set is loading, the service listens and is not ready', { skip: !isLinux }, async t => {
  const { address, listening, output, goOn, child, exit } = await startLoading(t);
  const loading = await address();
  const ask = async (path: string) => {
    const { statusCode, headers, body } = await request(`${loading}${path}`);
    return { statusCode, headers, text: await body.text() };
  };
  for (const path of ['/health/live', '/']) assert.equal((await ask(path)).statusCode, 200);
  // The service listens before it looks at its files.
  await until(t, async () => (await ask('/health/ready')).text.includes('are loading'));
  for (const path of ['/health/ready', '/api/news', '/overview']) {
    const { statusCode, headers, text } = await ask(path);
    const { message, data } = JSON.parse(text);
    assert.deepEqual([statusCode, data.error, headers['retry-after']], [503, 'NOT_READY', '1'], path);
    assert.equal(message, 'the catalogs are loading: 0 rows so far (0 %); try again soon');
  }
  const { status, catalogs, reasons } = await healthOf(loading);
  assert.deepEqual([status, catalogs], ['degraded', null]);
  assert.deepEqual(reasons, ['the catalogs are loading: 0 rows so far (0 %)']);
  assert.doesNotMatch(output.stdout, /listening on/);

  goOn();
  assert.equal(await listening(), loading);
  for (const path of ['/health/ready', '/api/news']) assert.equal((await ask(path)).statusCode, 200);
  child.kill('SIGTERM');
  assert.equal((await exit).code, 0);
});

test('a signal ends a service that is still loading', { skip: !isLinux }, async t => {
  const { address, child, exit, output } = await startLoading(t);
  await address();
  child.kill('SIGTERM');
  const { code, stderr } = await exit;
  assert.deepEqual([code, stderr], [0, '']);
  assert.doesNotMatch(output.stdout, /listening on/);
});

test('a port in use ends the start before the catalogs are loaded', { skip: !isLinux }, async t => {
  const { port } = new URL(await listen(t, createServer()));
  const { exit } = await startLoading(t, { port: Number(port) });
  const { code, stderr } = await exit;
  assert.equal(code, 1);
  const sentence = `cannot listen on 127.0.0.1 port ${port}: the port is in use; choose another with --port\n`;
  assert.equal(stderr, sentence);
});
