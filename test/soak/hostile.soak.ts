import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Client } from 'undici';
import { sample, writeFiles } from '../support/catalogs.ts';
import { flagsOf, startProcess } from '../support/process.ts';
import { soakRounds } from '../support/skipping.ts';
import { residentMemory } from '../support/visitor.ts';

const BATCH = 50;
const INVENTED = soakRounds(8_000, 1_000_000);
/** An unknown parameter, long enough that remembering a URL for each request takes more than the cache may. */
const LONG = `y=${'y'.repeat(soakRounds(14_000, 1_000))}`;

/** Garbage is collected early, so that what stays is what is held. */
const SMALL_HEAP = { NODE_OPTIONS: '--max-old-space-size=64' };
/** MB above the start that all caches together may take. */
const HELD_MB = 90;

/** The sample catalogs in a real process. */
async function startSample(t: TestContext) {
  const stateDir = join(await writeFiles(t, {}), 'state');
  const { child, listening } = startProcess(t, flagsOf({ port: 0, ...sample, stateDir }), SMALL_HEAP);
  return { pid: child.pid ?? assert.fail('there is no process'), origin: await listening() };
}

/** Requests that a client can vary without end: path and headers of each. */
const inventions: Record<string, (number: number) => [path: string, headers?: Record<string, string>]> = {
  keywords: number => [`/api/news?keyword=${scrambled(number)}`],
  'unknown parameters': number => [`${LIST}&x=${number}`],
  'values of If-None-Match': number => [`${LIST}&x=${number}`, { 'If-None-Match': `*, "${number}"` }],
  'values of Accept-Encoding': number => [`${LIST}&x=${number}`, { 'Accept-Encoding': `gzip, a${number}` }],
  'compressed answers': number => [
    `/api/news?page=${1 + (number & 7)}&limit=${5 + (number % 90)}`,
    { 'Accept-Encoding': 'br' },
  ],
  'orders of parameters': number => [`/api/recommend-config?${shuffled(number)}`],
  'pages and limits': number => [`${LIST}&page=${1 + (number >> 6)}&limit=${37 + (number & 63)}`],
};
const LIST = '/api/recommend-config?product_id=1&include_durations=true';

for (const [kind, inventionOf] of Object.entries(inventions)) {
  test(`${INVENTED} different ${kind} leave the memory within ${HELD_MB} MB of the start`, async t => {
    const { pid, origin } = await startSample(t);
    await askFor(origin, 0, 1_000, () => ['/api/news?limit=1']);
    const start = residentMemory(pid);
    const peaks: number[] = [];
    for (let tenth = 0; tenth < 10; tenth += 1) {
      await askFor(origin, (tenth * INVENTED) / 10, ((tenth + 1) * INVENTED) / 10, inventionOf);
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
  origin: string,
  from: number,
  to: number,
  inventionOf: (number: number) => [path: string, headers?: Record<string, string>],
): Promise<void> {
  const client = new Client(origin, { pipelining: BATCH });
  for (let first = from; first < to; first += BATCH) {
    const batch = Array.from({ length: BATCH }, async (_, index) => {
      const [path, headers = {}] = inventionOf(first + index);
      const { statusCode, body } = await client.request({ method: 'GET', path: `${path}&${LONG}`, headers });
      await body.text();
      assert.ok(statusCode === 200 || statusCode === 304, `${statusCode} for ${path}`);
    });
    await Promise.all(batch);
  }
  await client.close();
}
