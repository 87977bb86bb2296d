import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { afterTest } from '../support/after-test.ts';
import { sample, writeFiles } from '../support/catalogs.ts';
import { flagsOf, startProcess } from '../support/process.ts';
import { skipWithout } from '../support/skipping.ts';
import { openFiles, percentile, visit } from '../support/visitor.ts';

const SLOWHTTPTEST = 'slowhttptest';
const ATTACKERS = 1000;
const ATTACKERS_PER_SECOND = 500;
/** How long it takes until all of them are connected, at the latest. */
const CONNECTING_MS = 4000;
/** How long an attack goes on unless the service ends it: longer than the test may take. */
const ATTACK_SECONDS = 600;
const TEST_MS = 300_000;
const TIMEOUT_MS = 3000;
/** The kernel may buffer a whole answer, so that its connection looks idle. */
const KEEP_ALIVE_MS = 1000;

/** An attack by slowhttptest. */
const slowhttptest =
  (flags: string[], path: string) =>
  (t: TestContext, port: number): void => {
    const attack = spawn(SLOWHTTPTEST, [
      ...flags,
      ...['-c', String(ATTACKERS), '-r', String(ATTACKERS_PER_SECOND)],
      ...['-l', String(ATTACK_SECONDS), '-p', '3'],
      ...['-u', `http://127.0.0.1:${port}${path}`],
    ]);
    afterTest(t, () => attack.kill('SIGKILL'));
    attack.stdout.resume();
  };

/** Sends bodies byte by byte over keep-alive connections; slowhttptest asks for `Connection: close`. */
function dripBodies(t: TestContext, port: number): void {
  const sockets: Socket[] = [];
  const come = setInterval(() => {
    const socket = connect(port, '127.0.0.1');
    sockets.push(socket);
    socket.on('error', () => {}).resume();
    socket.write('POST /api/news HTTP/1.1\r\nHost: a\r\nContent-Length: 8192\r\n\r\n');
    if (sockets.length === ATTACKERS) clearInterval(come);
  }, 1000 / ATTACKERS_PER_SECOND);
  const drip = setInterval(() => {
    for (const socket of sockets) if (socket.writable) socket.write('a');
  }, 1000);
  const end = () => {
    clearInterval(come);
    clearInterval(drip);
    for (const socket of sockets) socket.destroy();
  };
  const timer = setTimeout(end, ATTACK_SECONDS * 1000);
  afterTest(t, () => {
    clearTimeout(timer);
    end();
  });
}

const attacks = [
  {
    what: 'headers that never end',
    skip: skipWithout(SLOWHTTPTEST),
    begin: slowhttptest(['-H', '-i', '3', '-x', '24'], '/api/news'),
  },
  {
    what: 'bodies that never end',
    skip: skipWithout(SLOWHTTPTEST),
    begin: slowhttptest(['-B', '-i', '3', '-x', '24', '-s', '8192'], '/api/news'),
  },
  { what: 'bodies that never end after their answer', skip: false, begin: dripBodies },
  {
    what: 'answers that are read byte by byte',
    skip: skipWithout(SLOWHTTPTEST),
    begin: slowhttptest(
      ['-X', '-w', '10', '-y', '20', '-n', '2', '-z', '32', '-k', '3'],
      '/api/news?limit=100',
    ),
  },
];

for (const { what, skip, begin } of attacks) {
  test(`${ATTACKERS} connections with ${what} are closed, and everybody else is answered`, {
    skip,
    timeout: TEST_MS,
  }, async t => {
    const stateDir = join(await writeFiles(t, {}), 'state');
    const timeouts = { clientTimeoutMs: TIMEOUT_MS, keepAliveMs: KEEP_ALIVE_MS };
    const { child, listening } = startProcess(t, flagsOf({ port: 0, ...sample, stateDir, ...timeouts }));
    const port = Number(new URL(await listening()).port);
    const pid = child.pid ?? assert.fail('there is no process');
    const before = await openFiles(pid);
    begin(t, port);

    const leave = new AbortController();
    const visits = visit(port, leave.signal);
    // From their peak until only the visitor and a probe are left.
    const start = performance.now();
    let [most, since, now] = [0, start, 0];
    do {
      await delay(200, undefined, { signal: t.signal });
      now = (await openFiles(pid)) - before;
      if (now > most && most < ATTACKERS) [most, since] = [now, performance.now()];
    } while (now > 2 || performance.now() - start < CONNECTING_MS);
    const seconds = (performance.now() - since) / 1000;
    leave.abort();
    const times = await visits;
    t.diagnostic(
      `at most ${most} at a time, the last closed after ${seconds.toFixed(1)} s; ${times.length} visits, p99 ${percentile(times, 99).toFixed(1)} ms`,
    );
  });
}
