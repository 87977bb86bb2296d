import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { request } from 'undici';
import type { Settings } from '../../src/settings/settings.ts';
import { afterTest } from '../support/after-test.ts';
import { shopWith, writeFiles } from '../support/catalogs.ts';
import { openMemoryLimit } from '../support/memory-limit.ts';
import { flagsOf, startProcess } from '../support/process.ts';
import { isLong, skipUnlessLong } from '../support/soak.ts';
import { until } from '../support/until.ts';
import { percentile, residentMemory, visit } from '../support/visitor.ts';

const ATTACKERS = 500;
const CONTAINER_MB = 512;
const DRIP_MS = 500;
const TIMEOUT_MS = 3000;
/** Attackers go on until they are reset, so that a service that never does that is found by the timeout. */
const TEST_MS = 300_000;
const MAX_GROWTH_KB = 100 * 1024;
/** How long a visitor comes again and again, in ms. */
const VISIT_MS = 2000;

/** A first page of 8 MB and an item of 3 MB: more than the system buffers for a client that does not read. */
const files = shopWith({
  'news.json': Array.from({ length: 101 }, (_, index) => ({
    id: index + 1,
    title: 'A',
    content: index < 100 ? 'long '.repeat(16_000) : '长'.repeat(1_000_000),
    create_time: 1_700_000_001 - index,
  })),
});
const LIST = '/api/news?limit=100';

/** The path that a client asks for. */
type PathOf = (client: number) => string;

const allAnswers: Record<string, PathOf> = {
  'a file': () => '/documentation/static/swagger-ui-bundle.js',
  'a list': () => LIST,
  'a list of their own each': client => `${LIST}&until=${1_800_000_000 + client}`,
  'a news item': () => '/api/news/101',
};
/** The usual form has the one that takes the most memory. */
const answers = Object.entries(allAnswers).filter(([what]) => isLong || what.endsWith('each'));

/** Starts the service in a container, where the machine permits one. */
async function start(t: TestContext, options: Partial<Settings> = {}) {
  const limit = openMemoryLimit(t, CONTAINER_MB);
  if (!limit) t.diagnostic('this machine permits no memory cgroups: no container');
  const dir = await writeFiles(t, files);
  const timeouts = { clientTimeoutMs: TIMEOUT_MS };
  const dirs = { catalogDir: dir, imagesDir: dir, stateDir: join(dir, 'state') };
  const { child, listening } = startProcess(t, flagsOf({ port: 0, ...timeouts, ...dirs, ...options }));
  const pid = child.pid ?? assert.fail('there is no process');
  limit?.(pid);
  const { port } = new URL(await listening());
  return { pid, port: Number(port) };
}

/**
 * Opens connections that send two requests without reading the answers, and the head of a third one byte by byte. Half of
 * them do not take the fast path. Resolves, when all of them are reset, to the longest time that one was open, in ms.
 */
async function attack(t: TestContext, port: number, pathOf: PathOf): Promise<number> {
  const attackers = Array.from({ length: ATTACKERS }, async (_, index) => {
    const connection = index % 2 === 0 ? 'keep-alive' : 'close';
    const asked = `GET ${pathOf(index)} HTTP/1.1\r\nHost: a\r\nConnection: ${connection}\r\n\r\n`;
    const socket = connect(port, '127.0.0.1').pause();
    afterTest(t, () => socket.destroy());
    socket.on('error', () => {}).write(`${asked}${asked}GET / HTTP/1.1\r\nX: `);
    let openedAt = performance.now();
    socket.once('connect', () => {
      openedAt = performance.now();
    });
    const drip = setInterval(() => socket.writable && socket.write('X'), DRIP_MS);
    await new Promise(resolve => socket.once('close', resolve));
    clearInterval(drip);
    return performance.now() - openedAt;
  });
  return Math.max(...(await Promise.all(attackers)));
}

/** Resolves to whether the answer is 200. */
async function isServed(port: number, path: string): Promise<boolean> {
  const { statusCode, body } = await request(`http://127.0.0.1:${port}${path}`, { reset: true });
  await body.dump();
  return statusCode === 200;
}

for (const [what, pathOf] of answers) {
  test(`${ATTACKERS} clients that send without reading ${what} are reset, and everybody else is answered in ${CONTAINER_MB} MB`, {
    timeout: TEST_MS,
  }, async t => {
    const { pid, port } = await start(t);
    assert.ok(await isServed(port, pathOf(0)));
    const before = residentMemory(pid);
    const leave = new AbortController();
    const visits = visit(port, leave.signal);
    let memory = before;
    const sampling = setInterval(() => {
      memory = Math.max(memory, residentMemory(pid));
    }, 200);
    const time = await attack(t, port, pathOf);
    clearInterval(sampling);
    leave.abort();
    const times = await visits;
    const growth = memory - before;
    t.diagnostic(
      `open for at most ${(time / 1000).toFixed(1)} s; memory ${toMb(before)} MB and at most ${toMb(growth)} MB more; ${times.length} visits, ${percentilesOf(times)}`,
    );
    assert.ok(growth < MAX_GROWTH_KB, `${growth} kB`);
  });
}

test(`with MAX_CONNECTIONS=50 a visitor is served after the first of ${ATTACKERS} such clients are reset`, {
  timeout: TEST_MS,
}, async t => {
  const { port } = await start(t, { maxConnections: 50 });
  void attack(t, port, () => LIST);
  const from = performance.now();
  await until(t, async () => {
    await delay(100);
    return (await isServed(port, '/api/news?limit=1').catch(() => false)) || undefined;
  });
  const time = performance.now() - from;
  const leave = new AbortController();
  setTimeout(() => leave.abort(), VISIT_MS);
  const times = await visit(port, leave.signal);
  t.diagnostic(`served after ${(time / 1000).toFixed(1)} s; ${times.length} visits, ${percentilesOf(times)}`);
});

// A busy machine pauses the client for longer than the test does, and it is reset rightly.
test('a client that reads 40 kB a second is not reset, even when it pauses for longer than CLIENT_TIMEOUT_MS', {
  skip: skipUnlessLong,
}, async t => {
  const { port } = await start(t);
  const socket = connect(port, '127.0.0.1').pause();
  afterTest(t, () => socket.destroy());
  socket.on('error', () => {}).write(`GET ${LIST} HTTP/1.1\r\nHost: a\r\n\r\n`);
  const read = async (ms: number) => {
    for (let time = 0; time < ms; time += 100) {
      socket.read(4000);
      await delay(100);
      assert.ok(!socket.closed, `reset after ${socket.bytesRead} bytes`);
    }
  };
  await read(1.5 * TIMEOUT_MS);
  await delay(1.5 * TIMEOUT_MS);
  await read(1.5 * TIMEOUT_MS);
});

/** `half within 3.2 ms, 90 % within 14.1 ms` */
function percentilesOf(times: readonly number[]): string {
  const within = (percent: number) => `within ${percentile(times, percent).toFixed(1)} ms`;
  return `half ${within(50)}, 90 % ${within(90)}`;
}

function toMb(kilobytes: number): number {
  return Math.round(kilobytes / 1024);
}
