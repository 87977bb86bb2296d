import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { request } from 'undici';
import type { Settings } from '../src/settings.ts';
import { shop, writeFiles } from './catalogs.ts';
import { flagsOf, startProcess } from './process.ts';
import { until } from './until.ts';

/** A real process whose reads are flushed by nothing but its end. */
async function start(t: TestContext, options: Partial<Settings>, nodeOptions: string[] = []) {
  const dir = await writeFiles(t, shop);
  const stateDir = join(dir, 'state');
  const settings = {
    port: 0,
    catalogDir: dir,
    imagesDir: dir,
    stateDir,
    flushIntervalMs: 3_600_000,
    ...options,
  };
  const process = startProcess(t, flagsOf(settings), { NODE_OPTIONS: nodeOptions.join(' ') });
  const address = await process.listening();
  const ask = async (path: string) => {
    const { statusCode, headers, body } = await request(`${address}${path}`);
    return { status: statusCode, headers, body: (await body.json()) as { data: { error?: string } } };
  };
  const counts = async () => JSON.parse(await readFile(join(stateDir, 'read-counts.json'), 'utf8')).counts;
  return { ...process, ask, counts };
}

test('after SIGTERM it is not ready at once, goes on to answer for DRAIN_MS and asks clients to leave, and exits with 0', async t => {
  const { child, exit, ask, counts } = await start(t, { drainMs: 2000 });
  const ready = await ask('/health/ready');
  assert.deepEqual([ready.status, ready.headers.connection], [200, 'keep-alive']);
  child.kill('SIGTERM');
  const refused = await until(t, async () => {
    const answer = await ask('/health/ready');
    return answer.status === 503 ? answer : undefined;
  });
  assert.equal(refused.body.data.error, 'STOPPING');
  assert.equal(refused.headers['retry-after'], '1');
  assert.equal((await ask('/health/live')).status, 200);
  for (const path of ['/api/news/1', '/api/news', '/nothing', '/api/news/%zz', '/health']) {
    assert.equal((await ask(path)).headers.connection, 'close', path);
  }
  assert.equal((await exit).code, 0);
  assert.deepEqual(await counts(), { 1: 101 });
});

test('a signal that comes as soon as it listens is a stop like any other', async t => {
  for (let round = 0; round < 5; round += 1) {
    const { child, exit } = await start(t, { drainMs: 1 });
    child.kill('SIGTERM');
    assert.equal((await exit).code, 0);
  }
});

test('a second signal ends it at once, and what was read before the first is in the file', async t => {
  const { child, exit, ask, counts } = await start(t, { drainMs: 600_000 });
  await ask('/api/news/2');
  child.kill('SIGTERM');
  await until(t, async () => ((await ask('/health/ready')).status === 503 ? true : undefined));
  await until(t, () => counts().catch(() => undefined));
  child.kill('SIGINT');
  const { code, stdout, stderr } = await exit;
  assert.equal(code, 1);
  assert.match(stdout, /"msg":"second SIGINT, exiting"/);
  assert.equal(stderr, '');
  assert.deepEqual(await counts(), { 2: 1 });
});

for (const [what, code] of [
  ['error', "throw new Error('out of the blue')"],
  ['rejection', "Promise.reject(new Error('out of the blue'))"],
] as const) {
  test(`an uncaught ${what} is logged, the counts are flushed, and the exit code is 1`, async t => {
    const fault = `data:text/javascript,process.on('SIGWINCH',()=>{${encodeURIComponent(code)}})`;
    const { child, exit, ask, counts } = await start(t, { drainMs: 10 }, [`--import=${fault}`]);
    await ask('/api/news/2');
    child.kill('SIGWINCH');
    const { code: exitCode, stdout } = await exit;
    assert.equal(exitCode, 1);
    assert.match(stdout, /"level":60.*"message":"out of the blue".*"msg":"stopping after an error"/);
    assert.deepEqual(await counts(), { 2: 1 });
  });
}

/** A client that opens a connection and says nothing. */
async function connectSilently(t: TestContext, address: string): Promise<void> {
  const { port, hostname } = new URL(address);
  const silent = connect(Number(port), hostname);
  // It is reset where the process ends before it.
  silent.on('error', () => {});
  t.after(() => silent.destroy());
  await once(silent, 'connect');
}

test('a client that holds its connection open and says nothing does not hold up the stop', async t => {
  const { child, exit, ask, listening } = await start(t, { drainMs: 10, idleTimeoutMs: 3_600_000 });
  await connectSilently(t, await listening());
  await ask('/health/live');
  child.kill('SIGTERM');
  assert.equal((await exit).code, 0);
});

test('reads of the drain are in the file before the connections are closed, should the stop be forced then', async t => {
  const { child, exit, ask, counts, listening } = await start(t, { drainMs: 2000 });
  await connectSilently(t, await listening());
  child.kill('SIGTERM');
  await until(t, async () => ((await ask('/health/ready')).status === 503 ? true : undefined));
  await ask('/api/news/2');
  await until(t, () => counts().catch(() => undefined));
  child.kill('SIGTERM');
  assert.equal((await exit).code, 1);
  assert.deepEqual(await counts(), { 2: 1 });
});
