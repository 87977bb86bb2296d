import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { afterTest } from '../support/after-test.ts';
import { shopWith, writeFiles } from '../support/catalogs.ts';
import { openMemoryLimit } from '../support/memory-limit.ts';
import { flagsOf, startProcess } from '../support/process.ts';
import { skipWithout } from '../support/skipping.ts';
import { skipUnlessLong } from '../support/soak.ts';
import { openFiles, residentMemory, visit } from '../support/visitor.ts';

const ATTACKERS = 500;
/** How long it takes until all of them are connected, at the latest. */
const CONNECTING_MS = 4000;
/** An attack goes on until the service ends it: longer than the test may take. */
const ATTACK_SECONDS = 600;
const TEST_MS = 300_000;
const CLIENT_TIMEOUT_MS = 3000;
/** The kernel may buffer a whole answer, so that its connection looks idle. */
const KEEP_ALIVE_MS = 1000;
const CONTAINER_MB = 512;
const MAX_GROWTH_KB = 100 * 1024;
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

/** Begins an attack on a port, which ends with the test at the latest. */
type Attack = (t: TestContext, port: number) => void;

/** An attack by slowhttptest. */
const slowhttptest =
  (flags: string, path: string): Attack =>
  (t, port) => {
    const common = `-c ${ATTACKERS} -r ${ATTACKERS} -l ${ATTACK_SECONDS} -p 3`.split(' ');
    const address = `http://127.0.0.1:${port}${path}`;
    const attack = spawn('slowhttptest', [...flags.split(' '), ...common, '-u', address]);
    afterTest(t, () => attack.kill('SIGKILL'));
    attack.stdout.resume();
  };

/** An attack by clients that send some bytes and then one every half second, and read the answers or not. */
const drip =
  (bytesOf: (client: number) => string, doesRead: boolean): Attack =>
  (t, port) => {
    for (let client = 0; client < ATTACKERS; client += 1) {
      const socket = connect(port, '127.0.0.1').on('error', () => {});
      if (doesRead) socket.resume();
      else socket.pause();
      socket.write(bytesOf(client));
      const dripping = setInterval(() => socket.writable && socket.write('X'), 500);
      socket.once('close', () => clearInterval(dripping));
      afterTest(t, () => socket.destroy());
    }
  };

/** Clients that send two requests and the head of a third one, and read nothing. Half of them do not take the fast path. */
const neverRead = (pathOf: (client: number) => string) =>
  drip(client => {
    const connection = client % 2 === 0 ? 'keep-alive' : 'close';
    const asked = `GET ${pathOf(client)} HTTP/1.1\r\nHost: a\r\nConnection: ${connection}\r\n\r\n`;
    return `${asked}${asked}GET / HTTP/1.1\r\nX: `;
  }, false);

const noTool = skipWithout('slowhttptest');
const attacks: [what: string, skip: string | false, attack: Attack][] = [
  ['headers that never end', noTool, slowhttptest('-H -i 3 -x 24', '/api/news')],
  ['bodies that never end', noTool, slowhttptest('-B -i 3 -x 24 -s 8192', '/api/news')],
  // slowhttptest asks for `Connection: close`.
  [
    'bodies that never end after their answer',
    false,
    drip(() => 'POST /api/news HTTP/1.1\r\nHost: a\r\nContent-Length: 8192\r\n\r\n', true),
  ],
  ['answers that are read byte by byte', noTool, slowhttptest('-X -w 10 -y 20 -n 2 -z 32 -k 3', LIST)],
  // It takes the most memory of those that are not read.
  ['unread lists of their own', false, neverRead(client => `${LIST}&until=${1_800_000_000 + client}`)],
  ['an unread list', skipUnlessLong, neverRead(() => LIST)],
  ['an unread news item', skipUnlessLong, neverRead(() => '/api/news/101')],
  ['an unread file', skipUnlessLong, neverRead(() => '/documentation/static/swagger-ui-bundle.js')],
];

/** Starts the service in a container, where the machine permits one. */
async function start(t: TestContext) {
  const limit = openMemoryLimit(t, CONTAINER_MB);
  const dir = await writeFiles(t, files);
  const dirs = { catalogDir: dir, imagesDir: dir, stateDir: join(dir, 'state') };
  const timeouts = { clientTimeoutMs: CLIENT_TIMEOUT_MS, keepAliveMs: KEEP_ALIVE_MS };
  const { child, listening } = startProcess(t, flagsOf({ port: 0, ...timeouts, ...dirs }));
  const pid = child.pid ?? assert.fail('there is no process');
  limit(child);
  return { pid, port: Number(new URL(await listening()).port) };
}

for (const [what, skip, attack] of attacks)
  test(`${ATTACKERS} connections with ${what} are closed, and everybody else is answered in ${CONTAINER_MB} MB`, {
    skip,
    timeout: TEST_MS,
  }, async t => {
    const { pid, port } = await start(t);
    assert.ok((await (await fetch(`http://127.0.0.1:${port}${LIST}`)).text()).length > 8e6);
    const [before, memory] = [await openFiles(pid), residentMemory(pid)];
    const from = performance.now();
    attack(t, port);
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

// A busy machine pauses the client for longer than the test does, and it is reset rightly.
test('a client that reads 40 kB a second is not reset, even when it pauses for longer than CLIENT_TIMEOUT_MS', {
  skip: skipUnlessLong,
}, async t => {
  const { port } = await start(t);
  const socket = connect(port, '127.0.0.1').pause();
  afterTest(t, () => socket.destroy());
  socket.on('error', () => {}).write(`GET ${LIST} HTTP/1.1\r\nHost: a\r\n\r\n`);
  for (const size of [4000, 0, 4000])
    for (let time = 0; time < 1.5 * CLIENT_TIMEOUT_MS; time += 100) {
      if (size > 0) socket.read(size);
      await delay(100);
      assert.ok(!socket.closed, `reset after ${socket.bytesRead} bytes`);
    }
});
