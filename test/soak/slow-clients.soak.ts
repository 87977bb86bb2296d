import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { request } from 'undici';
import { afterTest } from '../support/after-test.ts';
import { shopWith } from '../support/catalogs.ts';
import { newShop, serveShop } from '../support/process.ts';
import { residentMemory } from '../support/programs.ts';
import { openMemoryLimit } from './memory-limit.ts';

const ATTACKERS = 500;
/** How long it takes until all of them are connected, at the latest. */
const CONNECTING_MS = 4000;
const TEST_MS = 300_000;
/** Long enough for the ordinary visitor while other soaks take the processors. */
const CLIENT_TIMEOUT_MS = 6000;
/** The kernel may buffer a whole answer, so that its connection looks idle. */
const KEEP_ALIVE_MS = 1000;
const CONTAINER_MB = 512;
const MAX_GROWTH_KB = 100 * 1024;
/** A first page of 8 MB: more than the system buffers for a client that does not read. */
const files = shopWith({
  'news.json': Array.from({ length: 100 }, (_, index) => ({
    id: index + 1,
    title: 'A',
    content: 'long '.repeat(16_000),
    create_time: 1_700_000_001 - index,
  })),
});
const LIST = '/api/news?limit=100';

/** What a client asks for, and how many bytes of the answers it reads every half second. */
const attacks: [what: string, path: (client: number) => string, bytes: number][] = [
  ['that read byte by byte', () => LIST, 32],
  ['that read nothing, each of a list of its own', client => `${LIST}&until=${1_800_000_000 + client}`, 0],
];

/**
 * Opens the connections of attackers, until the test ends at the latest. Each sends two requests and the head of a third one,
 * which never ends. Half of them do not take the fast path.
 */
function attack(t: TestContext, port: number, [, path, bytes]: (typeof attacks)[number]): void {
  for (let client = 0; client < ATTACKERS; client += 1) {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    const connection = client % 2 === 0 ? 'keep-alive' : 'close';
    const request = `GET ${path(client)} HTTP/1.1\r\nHost: a\r\nConnection: ${connection}\r\n\r\n`;
    socket.pause().write(`${request}${request}GET / HTTP/1.1\r\nX: `);
    const dripping = setInterval(() => {
      if (bytes > 0) socket.read(bytes);
      if (socket.writable) socket.write('X');
    }, 500);
    socket.once('close', () => clearInterval(dripping));
    afterTest(t, () => socket.destroy());
  }
}

/** Starts the service in a container, where the machine permits one. */
async function start(t: TestContext) {
  const limit = openMemoryLimit(t, CONTAINER_MB);
  const timeouts = { clientTimeoutMs: CLIENT_TIMEOUT_MS, keepAliveMs: KEEP_ALIVE_MS };
  const { child, listening } = serveShop(t, await newShop(t, files), timeouts);
  const pid = child.pid ?? assert.fail('there is no process');
  limit(child);
  return { pid, port: Number(new URL(await listening()).port) };
}

/**
 * Asks for the news every 10 ms, since each new connection takes a port for a minute, until `signal` aborts, and asserts that
 * each is answered.
 */
async function visit(port: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const { statusCode, body } = await request(`http://127.0.0.1:${port}/api/news?limit=1`, { reset: true });
    await body.dump();
    assert.equal(statusCode, 200);
    await delay(10);
  }
}

/** How many files and sockets a process has open. */
const openFiles = async (pid: number) => (await readdir(`/proc/${pid}/fd`)).length;

for (const attackers of attacks)
  test(`${ATTACKERS} clients ${attackers[0]} are disconnected, and everybody else is answered in ${CONTAINER_MB} MB`, {
    timeout: TEST_MS,
  }, async t => {
    const { pid, port } = await start(t);
    assert.ok((await (await fetch(`http://127.0.0.1:${port}${LIST}`)).text()).length > 8e6);
    const [before, memory] = [await openFiles(pid), residentMemory(pid)];
    const from = performance.now();
    attack(t, port, attackers);
    const leave = new AbortController();
    const visits = visit(port, leave.signal);
    let [open, most, growth] = [0, 0, 0];
    // Until only the visitor and a probe are left.
    do {
      await delay(200, undefined, { signal: t.signal });
      open = (await openFiles(pid)) - before;
      most = Math.max(most, open);
      growth = Math.max(growth, residentMemory(pid) - memory);
    } while (open > 2 || performance.now() - from < CONNECTING_MS);
    leave.abort();
    await visits;
    t.diagnostic(`at most ${most} at a time and ${Math.round(growth / 1024)} MB more`);
    assert.ok(growth < MAX_GROWTH_KB, `${growth} kB`);
  });
