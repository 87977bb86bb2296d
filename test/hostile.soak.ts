import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { request } from 'undici';
import { sample, shopWith, writeFiles } from './catalogs.ts';
import { sendRandomRequests } from './http/random-requests.ts';
import { flagsOf, startProcess } from './process.ts';
import { startService } from './service.ts';
import { skipWithout } from './skipping.ts';

/** The sample catalogs in a real process. */
async function startSample(t: TestContext) {
  const stateDir = join(await writeFiles(t, {}), 'state');
  const { child, listening } = startProcess(t, flagsOf({ port: 0, ...sample, stateDir }));
  const { port } = new URL(await listening());
  return { pid: child.pid ?? assert.fail('there is no process'), port: Number(port) };
}

test('100,000 random requests are answered in the envelope, and never with a fault', async t => {
  const { listen } = await startService(t, shopWith({ 'launch.png': 'an image' }));
  const outcomes = await sendRandomRequests(await listen(), 100_000);
  t.diagnostic(JSON.stringify(Object.fromEntries([...outcomes].sort(([, a], [, b]) => b - a))));
});

test('pages without end are not remembered without end, and tags are right all the while', async t => {
  const { ask } = await startService(t);
  const page = (number: number) => `/api/recommend-config?product_id=1&page=${number}`;
  const etag = String((await ask(page(1))).headers.etag);
  for (let number = 2; number < 25_000; number += 1) assert.equal((await ask(page(number))).status, 200);
  assert.equal((await ask(page(1), { headers: { 'if-none-match': etag } })).status, 304);
  assert.equal((await ask(page(2), { headers: { 'if-none-match': etag } })).status, 200);
});

test('a million keywords, all different, leave the memory as it was after the first tenth', async t => {
  const { pid, port } = await startSample(t);
  const tenths: number[] = [];
  for (let tenth = 0; tenth < 10; tenth += 1) {
    await searchFor(port, tenth * 100_000, (tenth + 1) * 100_000);
    tenths.push(residentMemory(pid));
  }
  t.diagnostic(
    `resident memory after each 100,000, in MB: ${tenths.map(kb => Math.round(kb / 1024)).join(' ')}`,
  );
  const [first = 0] = tenths;
  assert.ok((tenths.at(-1) ?? 0) < first * 1.05, tenths.join(' '));
});

/** Searches for keywords that are different for different numbers, 50 requests at a time over one connection. */
async function searchFor(port: number, from: number, to: number): Promise<void> {
  const BATCH = 50;
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  let next = from;
  let answers = 0;
  const ask = () => {
    const requests = Array.from({ length: BATCH }, (_, index) => {
      // Multiplying by an odd number gives each number another one of 32 bits.
      const keyword = (Math.imul(next + index, 2_654_435_761) >>> 0).toString(36);
      return `GET /api/news?keyword=${keyword} HTTP/1.1\r\nHost: a\r\n\r\n`;
    });
    next += BATCH;
    socket.write(requests.join(''));
  };
  socket.on('data', (text: string) => {
    answers += text.split('HTTP/1.1 200 OK').length - 1;
    if (answers === to - from) socket.end();
    else if (answers === next - from) ask();
  });
  ask();
  await once(socket, 'close');
  assert.equal(answers, to - from);
}

/** In kB. */
function residentMemory(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}

const SLOWHTTPTEST = 'slowhttptest';
const ATTACKERS = 1000;
/** How many of them come in a second, and in which time they have all come. */
const ATTACKERS_PER_SECOND = 250;
const CONNECTING_MS = 6000;
/** How long an attack goes on where it is not cut, in seconds. */
const ATTACK_SECONDS = 25;

/** Lets slowhttptest be slow in one of its ways. */
const slowhttptest =
  (flags: string[], path: string) =>
  (t: TestContext, port: number): void => {
    const attack = spawn(SLOWHTTPTEST, [
      ...flags,
      ...[
        '-c',
        String(ATTACKERS),
        '-r',
        String(ATTACKERS_PER_SECOND),
        '-l',
        String(ATTACK_SECONDS),
        '-p',
        '3',
      ],
      ...['-u', `http://127.0.0.1:${port}${path}`],
    ]);
    t.after(() => attack.kill('SIGKILL'));
    attack.stdout.resume();
  };

/** Sends bodies byte by byte, over connections that are to be kept: slowhttptest has its closed with the answer. */
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
  t.after(() => {
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
  { what: 'bodies that never end, though they are answered,', skip: false, begin: dripBodies },
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
  test(`${ATTACKERS} connections with ${what} are cut within 12 s, and nobody else feels them`, {
    skip,
  }, async t => {
    const { pid, port } = await startSample(t);
    const before = await openFiles(pid);
    begin(t, port);

    const leave = new AbortController();
    const visits = visit(port, leave.signal);
    // From when on there were no more of them, until there are none; the visitor and a probe may be there.
    const start = performance.now();
    let [most, since, now] = [0, start, 0];
    do {
      await delay(200, undefined, { signal: t.signal });
      now = (await openFiles(pid)) - before;
      if (now > most && most < ATTACKERS) [most, since] = [now, performance.now()];
    } while (now > 2 || performance.now() - start < CONNECTING_MS);
    const seconds = (performance.now() - since) / 1000;
    leave.abort();
    const times = (await visits).sort((a, b) => a - b);
    const p99 = times[Math.floor(times.length * 0.99)] ?? assert.fail('nobody was answered');
    t.diagnostic(
      `at most ${most} at a time, the last cut after ${seconds.toFixed(1)} s; ${times.length} visits, p99 ${p99.toFixed(1)} ms`,
    );
    assert.ok(seconds < 12, `${seconds} s`);
    assert.ok(p99 < 50, `${p99} ms`);
  });
}

/** Asks again 10 ms after each answer, over a new connection; resolves to how long each answer took, in ms. */
async function visit(port: number, signal: AbortSignal): Promise<number[]> {
  const times: number[] = [];
  while (!signal.aborted) {
    const from = performance.now();
    const { statusCode, body } = await request(`http://127.0.0.1:${port}/api/news`, { reset: true });
    await body.dump();
    times.push(performance.now() - from);
    assert.equal(statusCode, 200);
    await delay(10);
  }
  return times;
}

/** How many files and sockets a process has open. */
async function openFiles(pid: number): Promise<number> {
  return (await readdir(`/proc/${pid}/fd`)).length;
}
