import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { sample, writeFiles } from '../support/catalogs.ts';
import { flagsOf, startProcess } from '../support/process.ts';
import { rounds } from '../support/soak.ts';
import { residentMemory } from '../support/visitor.ts';

const INVENTED = rounds(8_000, 1_000_000);
/** An unknown parameter, long enough that remembering a URL for each request takes more than the cache may. */
const LONG = `y=${'y'.repeat(rounds(14_000, 1_000))}`;

/** Garbage is collected early, so that what stays is what is held. */
const SMALL_HEAP = { NODE_OPTIONS: '--max-old-space-size=64' };
/** MB above the start that all caches together may take. */
const HELD_MB = 90;

/** The sample catalogs in a real process. */
async function startSample(t: TestContext) {
  const stateDir = join(await writeFiles(t, {}), 'state');
  const { child, listening } = startProcess(t, flagsOf({ port: 0, ...sample, stateDir }), SMALL_HEAP);
  const { port } = new URL(await listening());
  return { pid: child.pid ?? assert.fail('there is no process'), port: Number(port) };
}

/** Requests that a client can vary without end: path and headers of each. */
const inventions: Record<string, (number: number) => [path: string, headers?: string]> = {
  keywords: number => [`/api/news?keyword=${scrambled(number)}`],
  'unknown parameters': number => [`${LIST}&x=${number}`],
  'values of If-None-Match': number => [`${LIST}&x=${number}`, `If-None-Match: *, "${number}"\r\n`],
  'values of Accept-Encoding': number => [`${LIST}&x=${number}`, `Accept-Encoding: gzip, a${number}\r\n`],
  'compressed answers': number => [
    `/api/news?page=${1 + (number & 7)}&limit=${5 + (number % 90)}`,
    'Accept-Encoding: br\r\n',
  ],
  'orders of parameters': number => [`/api/recommend-config?${shuffled(number)}`],
  'pages and limits': number => [`${LIST}&page=${1 + (number >> 6)}&limit=${37 + (number & 63)}`],
};
const LIST = '/api/recommend-config?product_id=1&include_durations=true';

for (const [kind, inventionOf] of Object.entries(inventions)) {
  test(`${INVENTED} different ${kind} leave the memory within ${HELD_MB} MB of the start`, async t => {
    const { pid, port } = await startSample(t);
    await askFor(port, 0, 1_000, () => ['/api/news?limit=1']);
    const start = residentMemory(pid);
    const peaks: number[] = [];
    for (let tenth = 0; tenth < 10; tenth += 1) {
      await askFor(port, (tenth * INVENTED) / 10, ((tenth + 1) * INVENTED) / 10, inventionOf);
      peaks.push(Math.round((residentMemory(pid) - start) / 1024));
    }
    t.diagnostic(`MB more than at the start, after each tenth: ${peaks.join(' ')}`);
    assert.ok(Math.max(...peaks) < HELD_MB);
  });
}

/** A different text for each number: multiplying by an odd number permutes the numbers of 32 bits. */
function scrambled(number: number): string {
  return (Math.imul(number, 2_654_435_761) >>> 0).toString(36);
}

/** The parameters of a list and an unknown one, in an order for each number. */
function shuffled(number: number): string {
  const rest = ['product_id=1', 'include_durations=true', 'page=1', 'limit=20', `x=${number}`];
  return [0, 1, 2, 3, 4].map(index => rest.splice((number >> index) % rest.length, 1)).join('&');
}

/** Sends a request for each number, 50 at a time over one connection; asserts that each is answered with 200 or 304. */
async function askFor(
  port: number,
  from: number,
  to: number,
  inventionOf: (number: number) => [path: string, headers?: string],
): Promise<void> {
  const BATCH = 50;
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  let next = from;
  let answers = 0;
  const ask = () => {
    const requests = Array.from({ length: BATCH }, (_, index) => {
      const [path, headers = ''] = inventionOf(next + index);
      return `GET ${path}&${LONG} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`;
    });
    next += BATCH;
    socket.write(requests.join(''));
  };
  let tail = ''; // A status line may be split between two chunks.
  socket.on('data', (text: string) => {
    const seen = tail + text;
    answers += seen.match(/HTTP\/1\.1 (200|304)/g)?.length ?? 0;
    tail = seen.slice(1 - 'HTTP/1.1 200'.length);
    if (answers === to - from) socket.end();
    else if (answers === next - from) ask();
  });
  ask();
  await once(socket, 'close');
  assert.equal(answers, to - from);
}
