import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { request } from 'undici';
import { onStopSignal } from '../src/process/stop-signals.ts';
import type { Settings } from '../src/settings/settings.ts';
import { afterTest } from './support/after-test.ts';
import { shop, writeFiles } from './support/catalogs.ts';
import { flagsOf, hangAtSignal, startProcess } from './support/process.ts';
import { until } from './support/until.ts';

/** A real process whose reads are flushed by nothing but its end. */
async function start(t: TestContext, options: Partial<Settings>, env: Record<string, string> = {}) {
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
  const process = startProcess(t, flagsOf(settings), env);
  const address = await process.listening();
  const ask = async (path: string) => {
    const { statusCode, headers, body } = await request(`${address}${path}`);
    return { status: statusCode, headers, body: (await body.json()) as { data: { error?: string } } };
  };
  const counts = async () => JSON.parse(await readFile(join(stateDir, 'read-counts.json'), 'utf8')).counts;
  return { ...process, ask, counts };
}

/** Repeats a signal until the process ends: the first ones are one request, and a later one ends the drain. */
async function repeat({ child, exit }: Pick<Awaited<ReturnType<typeof start>>, 'child' | 'exit'>) {
  const timer = setInterval(() => child.kill('SIGTERM'), 100);
  return exit.finally(() => clearInterval(timer));
}

/** Resolves to the answer of `/health/ready` once it is refused. */
function isStopping(t: TestContext, ask: Awaited<ReturnType<typeof start>>['ask']) {
  return until(t, async () => {
    const answer = await ask('/health/ready');
    return answer.status === 503 ? answer : undefined;
  });
}

test('after SIGTERM it is not ready, keeps answering with Connection: close until the drain ends, and exits with 0', async t => {
  const { child, exit, ask, counts } = await start(t, { drainMs: 600_000 });
  const ready = await ask('/health/ready');
  assert.deepEqual([ready.status, ready.headers.connection], [200, 'keep-alive']);
  child.kill('SIGTERM');
  const refused = await isStopping(t, ask);
  assert.equal(refused.body.data.error, 'STOPPING');
  assert.equal(refused.headers['retry-after'], '1');
  assert.equal((await ask('/health/live')).status, 200);
  for (const path of ['/api/news/1', '/api/news', '/nothing', '/api/news/%zz', '/health']) {
    assert.equal((await ask(path)).headers.connection, 'close', path);
  }
  assert.equal((await repeat({ child, exit })).code, 0);
  assert.deepEqual(await counts(), { 1: 101 });
});

test('signals within a second are one request, and a later one ends the drain', t => {
  const clock = { ms: 0 };
  t.mock.method(performance, 'now', () => clock.ms);
  const calls: string[] = [];
  const uninstall = onStopSignal(
    ['SIGUSR2', 'SIGHUP'],
    signal => calls.push(signal),
    () => calls.push('end'),
  );
  for (const [ms, signal] of [
    [5, 'SIGHUP'],
    [6, 'SIGUSR2'],
    [1005, 'SIGHUP'],
    [1006, 'SIGHUP'],
    [2000, 'SIGUSR2'],
  ] as const) {
    clock.ms = ms;
    process.emit(signal, signal);
  }
  assert.deepEqual(calls, ['SIGHUP', 'end', 'end']);
  uninstall();
  assert.equal(process.listenerCount('SIGUSR2'), 0);
});

test('a signal right after listening is an ordinary stop', async t => {
  for (let round = 0; round < 3; round += 1) {
    const { child, exit } = await start(t, { drainMs: 1 });
    child.kill('SIGTERM');
    assert.equal((await exit).code, 0);
  }
});

for (const [what, code] of [
  ['error', "throw new Error('out of the blue')"],
  ['rejection', "Promise.reject(new Error('out of the blue'))"],
] as const) {
  test(`an uncaught ${what} is logged, the counts are flushed, and the exit code is 1`, async t => {
    const fault = `data:text/javascript,process.on('SIGWINCH',()=>{${encodeURIComponent(code)}})`;
    const { child, exit, ask, counts } = await start(
      t,
      { drainMs: 10 },
      { NODE_OPTIONS: `--import=${fault}` },
    );
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
  afterTest(t, () => silent.destroy());
  await once(silent, 'connect');
}

test('a later signal cuts the drain short despite an idle connection, and all reads are in the file', async t => {
  const { child, exit, ask, counts, listening } = await start(t, { drainMs: 600_000 });
  await connectSilently(t, await listening());
  child.kill('SIGTERM');
  await isStopping(t, ask);
  await ask('/api/news/2');
  assert.equal((await repeat({ child, exit })).code, 0);
  assert.deepEqual(await counts(), { 2: 1 });
});

async function startHanging(t: TestContext, threads: number, drainMs = 10) {
  const fifo = join(await writeFiles(t, {}), 'fifo');
  execFileSync('mkfifo', [fifo]);
  const service = await start(t, { drainMs }, hangAtSignal(fifo, threads));
  service.child.kill('SIGWINCH');
  await until(t, async () => (service.stdout().includes('hanging') ? true : undefined));
  return service;
}

test('a file operation that never returns prevents neither the save nor the exit', {
  timeout: 60_000,
}, async t => {
  const { child, exit, ask, counts } = await startHanging(t, 1);
  await ask('/api/news/2');
  child.kill('SIGTERM');
  assert.match(
    (await exit).stdout,
    /"a file operation does not return: ending with SIGKILL, 0 reads not saved"/,
  );
  assert.equal(child.signalCode, 'SIGKILL');
  assert.deepEqual(await counts(), { 2: 1 });
});

test('while file operations hang, requests are answered, and a later signal skips the drain', {
  timeout: 60_000,
}, async t => {
  const { child, exit, ask } = await startHanging(t, 4, 600_000);
  assert.equal((await ask('/api/news/2')).status, 200);
  child.kill('SIGTERM');
  await isStopping(t, ask);
  assert.match(
    (await repeat({ child, exit })).stdout,
    /after the drain: ending with SIGKILL, 1 read not saved"/,
  );
  assert.equal(child.signalCode, 'SIGKILL');
});
