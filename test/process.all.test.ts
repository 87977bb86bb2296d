import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { request } from 'undici';
import type { Settings } from '../src/settings/settings.ts';
import { afterTest } from './support/after-test.ts';
import { shopWith, writeFiles } from './support/catalogs.ts';
import { flagsOf, newShop, startProcess } from './support/process.ts';
import { until } from './support/until.ts';

/** A real process whose reads are flushed by nothing but its end. */
async function start(t: TestContext, options: Partial<Settings> = {}, env = {}) {
  const dirs = { ...(await newShop(t)), ...options };
  const process = startProcess(t, flagsOf({ port: 0, flushIntervalMs: 3_600_000, ...dirs }), env);
  const address = await process.listening();
  const ask = async (path: string) => {
    const { statusCode: status, headers, body } = await request(`${address}${path}`);
    return { status, headers, data: JSON.parse(await body.text()).data };
  };
  const path = join(dirs.stateDir, 'read-counts.json');
  const counts = async () => JSON.parse(await readFile(path, 'utf8')).counts;
  return { ...process, address, ask, path, counts };
}

/** The environment of a process that runs this code at a SIGWINCH. */
function atSignal(code: string): { NODE_OPTIONS: string } {
  const module = `process.on('SIGWINCH', async () => { ${code} })`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(module)}` };
}

/**
 * Repeats a signal while the process answers: the first ones are one request, and a later one ends the drain. One that comes
 * while the process exits would kill it.
 */
async function repeat(t: TestContext, { child, exit, ask }: Awaited<ReturnType<typeof start>>) {
  await until(t, async () => {
    const isEnding = await ask('/health/live').catch(() => true);
    return isEnding === true || !child.kill('SIGTERM');
  });
  return exit;
}

/** Resolves to the answer of `/health/ready` once it is refused. */
function isStopping(t: TestContext, ask: Awaited<ReturnType<typeof start>>['ask']) {
  return until(t, async () => {
    const answer = await ask('/health/ready');
    return answer.status === 503 ? answer : undefined;
  });
}

test('after SIGTERM it is not ready, keeps answering with Connection: close until a later signal, and exits with 0 despite an idle client', async t => {
  const service = await start(t, { drainMs: 600_000 });
  const { child, ask, counts, address } = service;
  const { port, hostname } = new URL(address);
  const silent = connect(Number(port), hostname);
  // It is reset where the process ends before it.
  silent.on('error', () => {});
  afterTest(t, () => silent.destroy());
  await once(silent, 'connect');
  const ready = await ask('/health/ready');
  assert.deepEqual([ready.status, ready.headers.connection], [200, 'keep-alive']);
  child.kill('SIGTERM');
  const refused = await isStopping(t, ask);
  assert.equal(refused.data.error, 'STOPPING');
  assert.equal(refused.headers['retry-after'], '1');
  assert.equal((await ask('/health/live')).status, 200);
  for (const path of ['/api/news/1', '/api/news', '/nothing', '/api/news/%zz', '/health'])
    assert.equal((await ask(path)).headers.connection, 'close', path);
  assert.equal((await repeat(t, service)).code, 0);
  assert.deepEqual(await counts(), { 1: 101 });
});

for (const [what, code] of [
  ['error', "setImmediate(() => { throw new Error('out of the blue') })"],
  ['rejection', "throw new Error('out of the blue')"],
] as const) {
  test(`an uncaught ${what} is logged, the counts are flushed, and the exit code is 1`, async t => {
    const { child, exit, ask, counts } = await start(t, { drainMs: 10 }, atSignal(code));
    await ask('/api/news/2');
    child.kill('SIGWINCH');
    const { code: exitCode, stdout } = await exit;
    assert.equal(exitCode, 1);
    assert.match(stdout, /"level":60.*"message":"out of the blue".*"msg":"stopping after an error"/);
    assert.deepEqual(await counts(), { 2: 1 });
  });
}

/** A process that hangs in that many of its four threads for files, as on a dead mount. */
async function startHanging(t: TestContext, threads: number, drainMs = 10) {
  const fifo = join(await writeFiles(t, {}), 'fifo');
  execFileSync('mkfifo', [fifo]);
  const code = `const { open } = await import('node:fs');
    for (let thread = 0; thread < ${threads}; thread += 1) open(${JSON.stringify(fifo)}, () => {});
    console.log('hanging');`;
  const service = await start(t, { drainMs }, atSignal(code));
  service.child.kill('SIGWINCH');
  await service.says(/hanging/);
  return service;
}

test('a file operation that never returns prevents neither the save nor the exit', async t => {
  const { child, exit, ask, counts } = await startHanging(t, 1);
  await ask('/api/news/2');
  child.kill('SIGTERM');
  const lost = /"a file operation does not return: ending with SIGKILL, 0 reads not saved"/;
  assert.match((await exit).stdout, lost);
  assert.equal(child.signalCode, 'SIGKILL');
  assert.deepEqual(await counts(), { 2: 1 });
});

test('while file operations hang, requests are answered, and a later signal skips the drain', async t => {
  const service = await startHanging(t, 4, 600_000);
  const { child, ask } = service;
  assert.equal((await ask('/api/news/2')).status, 200);
  child.kill('SIGTERM');
  await isStopping(t, ask);
  const { stdout } = await repeat(t, service);
  assert.match(stdout, /after the drain: ending with SIGKILL, 1 read not saved"/);
  assert.equal(child.signalCode, 'SIGKILL');
});

test('a signal right after listening is an ordinary stop, and the next start continues from the saved reads', async t => {
  const dirs = await newShop(t);
  for (const [signal, read] of [
    ['SIGTERM', undefined],
    ['SIGTERM', 101],
    ['SIGINT', 102],
  ] as const) {
    const { child, exit, ask } = await start(t, dirs);
    if (read) assert.equal((await ask('/api/news/1')).data.read, read);
    child.kill(signal);
    const { code, stderr } = await exit;
    assert.deepEqual([code, stderr], [0, '']);
  }
});

test('a stop that cannot save says how many reads are lost, and the exit code is 1', async t => {
  const { child, exit, ask, path } = await start(t, { drainMs: 1 });
  // The start may be saving.
  await until(t, () => mkdir(`${path}.tmp`, { recursive: true }).catch(() => undefined));
  for (const id of [1, 2, 2]) await ask(`/api/news/${id}`);
  child.kill('SIGTERM');
  const { code, stdout, stderr } = await exit;
  assert.deepEqual([code, stderr], [1, '']);
  assert.match(stdout, /"level":50,.*3 reads could not be saved: EISDIR/);
});

test('a stop ends while nobody reads the log', async t => {
  const { child, address } = await start(t, { logLevel: 'debug', drainMs: 1 });
  child.stdout.pause();
  await Promise.all(Array.from({ length: 1000 }, () => request(address).then(({ body }) => body.dump())));
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
});

test('a start that fails says why on standard error, and the exit code is 1, or 2 for wrong usage', async t => {
  const dirs = await newShop(t);
  const prices = 'id,product_id,rel_id,duration_id,price\n1,1,11,1,"1,928"\n2,1,99,1,7\n';
  const broken = await newShop(t, shopWith({ 'prices.csv': prices }));
  const stateDir = join(dirs.catalogDir, 'prices.csv');
  const refused =
    /^prices\.csv:2:10: error AMBIGUOUS_NUMBER E2, price .*\nprices\.csv:3:5: error .*\n(?:.*\n)*refused: 2 errors, /;
  const cases: [options: Partial<Settings>, message: RegExp, code?: number][] = [
    [{ port: 70_000 }, /^--port: expected .*\nRun 'vitrine --help' for usage\.\n$/, 2],
    [{ host: '192.0.2.1' }, /^cannot listen on 192\.0\.2\.1 port 0: address not available\n$/],
    [{ stateDir }, /^the state directory .*prices\.csv cannot be created: EEXIST.*\n$/],
    [broken, refused],
  ];
  for (const [options, message, exitCode = 1] of cases) {
    const { code, stdout, stderr } = await startProcess(t, flagsOf({ port: 0, ...dirs, ...options })).exit;
    assert.equal(code, exitCode);
    assert.doesNotMatch(stdout, /listening on|"level":[456]0/);
    assert.match(stderr, message);
    assert.doesNotMatch(stderr, /\bat .*\.ts/);
  }
});
