import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { between, type Random, seededRandom } from '../../../scripts/bench/catalog/random.ts';
import { requestText } from '../http/random-requests.ts';
import { cases } from '../http/wire-cases.ts';
import { converse, envelopeCode, takeApart, type WireAnswer } from '../wire.ts';
import { namedCases, type Target } from './fuzz.ts';
import { mutate, pick, words } from './mutate.ts';

const get = (target: string, headers = '') => `GET ${target} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`;
const hundred = (target: (n: number) => string, headers?: string) =>
  Array.from({ length: 100 }, (_, index) => get(target(index + 1), headers)).join('');
const keyword = (text: string) => get(`/api/news?keyword=${encodeURIComponent(text)}`);

/** Cases that are too long for a file of the corpus. */
const longRequests: [name: string, request: string][] = [
  ['a keyword of 32 one-letter terms', keyword([...'etaoinshrdlcumwfgypbvkjxqz012345'].join(' '))],
  ['a keyword of 32 equal terms', keyword(Array(32).fill('e').join(' '))],
  ['a keyword of 64 ligatures', keyword('\uFDFA'.repeat(64))],
  ['a keyword of 64 combining marks', keyword('\u0301\u0323'.repeat(32))],
  ['a list of tags', get('/api/news', `If-None-Match: ${'"a", '.repeat(2_500)}"b"\r\n`)],
  [
    'a list that is unchanged, at 100 addresses',
    hundred(n => `/api/recommend-config?product_id=1&x=${n}`, 'If-None-Match: *\r\n'),
  ],
  ['a list of ranges', get('/images/launch.png', `Range: bytes=${'0-0,'.repeat(3_000)}1-1\r\n`)],
  ['100 lists of 100 news items', hundred(n => `/api/news?limit=100&page=${n}`)],
];

/** The requests of the corpus, and those that are too long for it. */
export const corpusRequests = [
  ...namedCases('requests').map(([name, { request = '' }]) => [name, request] as const),
  ...longRequests,
];

const tokens = words(String.raw`
  GET\u0020 HEAD\u0020 POST\u0020 OPTIONS\u0020 \u0020HTTP/1.1\r\n \u0020HTTP/1.0\r\n
  /api/news /api/news/1 /api/recommend-config /price /images/ /overview /health /metrics /documentation/
  /documentation/json /documentation/static/index.html /feed.json /rss.xml /atom.xml /page/main.js
  ? & keyword= page= limit=100 type_id= product_id=1 include_durations=true a+
  %20 %E9%A6%99 %EF%B7%BA %CC%81 %00 %ff % ../ // * # ; : \r\n \n \r \u0000 \t \u0020 \u0080 \u00ff
  Host:a\r\n Connection:close\r\n If-None-Match:*\r\n If-None-Match:\"a\",W/\"b\"\r\n Range:bytes=0- Upgrade:h2c\r\n
  Transfer-Encoding:chunked\r\n Content-Length:5\r\n Expect:100-continue\r\n Origin:http://a\r\n
  X-Forwarded-For:1.2.3.4\r\n 0\r\n\r\n 5\r\nabcde\r\n GET\u0020/api/news?limit=2\u0020HTTP/1.1\r\nHost:a\r\n\r\n
`);

/** One request each, or a few in one go. */
const seeds = [
  ...cases.map(([, bytes]) => bytes.toString('latin1')),
  ...fc.sample(requestText, { numRuns: 300, seed: 1 }),
  ...corpusRequests.map(([, request]) => request),
].filter(text => text.length < 100_000);
/** The targets of those that ask for anything with GET. */
const targets = seeds.flatMap(text => /^GET (\/\S*) HTTP\/1\.1\r\n/.exec(text)?.[1] ?? []);
const material = { others: seeds, tokens, maxLength: 2 ** 20 };
/** How many cases are run between two requests on a new connection. */
const PROBE_EVERY = 50;

/** Requests to a service. */
export function openRequests(port: number): Target {
  let sent = 0;
  return {
    name: 'requests',
    draw: random => ({
      request: random() < 0.5 ? wellFormed(random) : mutate(pick(seeds, random), random, material),
    }),
    async run({ request = '' }) {
      const outcomes = await exchange(port, request);
      sent += 1;
      if (sent % PROBE_EVERY === 0) await probe(port);
      return outcomes;
    },
  };
}

/** A GET of a mutated target, which gets past the parser. */
function wellFormed(random: Random): string {
  const target = mutate(pick(targets, random), random, { ...material, others: targets, maxLength: 16_000 });
  const hex = (character: string) => character.charCodeAt(0).toString(16).padStart(2, '0');
  return get(`/${target.replace(/[^!-~]/g, character => `%${hex(character)}`).replace(/^\//, '')}`);
}

/** Much longer than any timeout of the service. */
const PATIENCE_MS = 120_000;
/** A client that sends this much may be reset before it reads that it was refused. */
const LARGE = 32_000;
/** Has the service close a connection. Pipelines end with it, since node:http cuts their answers when the client ends first. */
const LAST = Buffer.from(get('/health/live', 'Connection: close\r\n'));

/** Answers that are documented to be no envelope. */
const otherTypes =
  /^(image\/|text\/(html|css|javascript|plain|yaml)|application\/(x-yaml|yaml|feed\+json|rss\+xml|atom\+xml))/;

/**
 * Sends bytes over a connection of their own, in up to four parts, and returns the outcome of each answer: the code of
 * its envelope, or its status where it is none.
 * @throws where a request has no answer, or one that is neither an envelope nor documented otherwise, or 500.
 */
export async function exchange(port: number, text: string): Promise<string[]> {
  const bytes = Buffer.from(text, 'latin1');
  const requests = text.split(/ HTTP\/1\.[01]\r\n/).length - 1;
  const { received, isReset } = await (requests > 1
    ? send(port, Buffer.concat([bytes, LAST]), false)
    : send(port, bytes));
  // So may one that sends on after a request whose answer closes: node:http does not hear it out.
  if (isReset && (bytes.length > LARGE || requests > 1)) return ['reset'];
  let answers = takeApart(received);
  assert.ok(!isReset || answers.at(-1)?.headers.connection === 'close', 'the connection was reset');
  // node:http drops an answer that is not ready at once, such as an image, once its client has ended the connection.
  if (answers.length === 0 && /[^\r\n]/.test(text)) {
    ({ answers } = await converse(port, bytes));
    assert.ok(answers.length > 0, 'there is no answer');
  }
  for (const { status, headers, body } of answers)
    if (!text.includes('HEAD ') && status !== 304)
      assert.equal(Buffer.byteLength(body), Number(headers['content-length'] ?? 0));
  const [, target = ''] = /^[\r\n]*\S+ (\S+)/.exec(text) ?? [];
  const [answer, ...others] = answers;
  const isRedirect = answer && answer.status >= 300 && answer.status < 400 && answer.status !== 304;
  if (isRedirect && others.length === 0) {
    const { location = assert.fail('a redirect has no Location') } = answer.headers;
    const { pathname, search } = new URL(location, new URL(target, 'http://a'));
    const followed = await send(port, Buffer.from(get(pathname + search)));
    assert.equal(takeApart(followed.received)[0]?.status, 200, 'a redirect leads nowhere');
  }
  return answers.map(outcomeOf);
}

/** @throws where a new connection is not answered. */
export async function probe(port: number): Promise<void> {
  const { received } = await send(port, Buffer.from(get('/health/live')));
  assert.equal(takeApart(received)[0]?.status, 200, 'a new connection is not answered');
}

/** Sends bytes in parts and, where it `ends`, says that there are no more; resolves to what comes until the connection is closed. */
async function send(port: number, bytes: Buffer, ends = true) {
  const chunks: Buffer[] = [];
  let isReset = false;
  const socket = connect(port, '127.0.0.1');
  const late = setTimeout(() => socket.destroy(new Error('the connection does not end')), PATIENCE_MS);
  socket.on('data', chunk => chunks.push(chunk));
  socket.on('error', () => (isReset = true));
  const closed = new Promise(resolve => socket.once('close', resolve));
  await Promise.race([once(socket, 'connect'), closed]);
  // The same bytes are divided in the same way.
  const random = seededRandom(bytes.length);
  for (let left = between(random, 1, 4), start = 0; left > 0; left -= 1) {
    const end = left === 1 ? bytes.length : between(random, start, bytes.length);
    socket.write(bytes.subarray(start, end));
    start = end;
    await nextTurn();
  }
  if (ends) socket.end();
  await closed;
  clearTimeout(late);
  return { received: Buffer.concat(chunks), isReset };
}

function outcomeOf(answer: WireAnswer): string {
  const { status, body, headers } = answer;
  const type = headers['content-type'] ?? '';
  const isOther = status < 400 && (otherTypes.test(type) || body.startsWith('{"openapi":'));
  const outcome = body === '' || isOther ? String(status) : envelopeCode(answer);
  assert.notEqual(status, 500, outcome);
  return outcome;
}
