import assert from 'node:assert/strict';
import { isUtf8 } from 'node:buffer';
import { once } from 'node:events';
import { connect } from 'node:net';
import { basename, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { Client } from 'undici';
import { generateCatalog } from '../../scripts/bench/catalog.ts';
import { catalogFiles } from '../../src/contract/catalog-files.ts';
import type { SourceLocation } from '../../src/contract/problems.ts';
import type { CatalogSource } from '../../src/reader/read-set.ts';
import { formatProblem } from '../../src/set/collect-problems.ts';
import { settingsFrom } from '../../src/settings/read.ts';
import { cases } from '../http/wire-cases.ts';
import { faults } from '../set/faults/faults.ts';
import { type Files, newsUrl, sample, shop, shopWith, writeFiles } from '../support/catalogs.ts';
import { serveShop } from '../support/process.ts';
import { residentMemory } from '../support/programs.ts';
import { readSource } from '../support/read-source.ts';
import { soakRounds } from '../support/skipping.ts';
import { envelopeCode, takeApart } from '../support/wire.ts';
import { bombs } from './bombs.ts';

/** For an hour: `FUZZ_SECONDS=3600 FUZZ_SEED=7 node --import tsx --test test/soak/fuzz.soak.ts`. */
const { FUZZ_SECONDS = soakRounds(5, 75), FUZZ_SEED = '20260201' } = process.env;
const seconds = Number(FUZZ_SECONDS);
const seed = Number(FUZZ_SEED);

/** Answers, details and searches take 35 MB and 1.4 times the news, which are at most 50 MB. */
const MAX_GROWTH_MB = 200;
const BATCH = 50;

/** Bytes, one per character (latin1). */
type Bytes = string;

/** Words that are divided by white space, and escaped as in JSON. */
const words = (text: string): Bytes[] =>
  Array.from(text.matchAll(/\S+/g), ([word]) => Buffer.from(JSON.parse(`"${word}"`)).toString('latin1'));

/** Seeds in which one to four parts are cut out, repeated, or replaced by a word, a number or a part of another seed. */
function mutated(seeds: readonly Bytes[], tokens: readonly Bytes[], maxLength: number): fc.Arbitrary<Bytes> {
  const place = fc.double({ min: 0, max: 1, noNaN: true });
  const other = fc.tuple(fc.constantFrom(...seeds), place, fc.nat(200));
  const edit = fc.record({
    place,
    cut: fc.oneof(fc.constant(0), fc.nat(40), fc.constant(maxLength)),
    insert: fc.oneof(
      fc.constantFrom('', ...tokens),
      fc.constantFrom(...words('0 -1 01 1.0 .5 1e999 0x10 1,5 NaN 9007199254740993 253402300800')),
      fc.nat(255).map(unit => String.fromCharCode(unit)),
      other.map(([text, part, length]) => text.slice(part * text.length).slice(0, length)),
    ),
    times: fc.oneof({ weight: 9, arbitrary: fc.constant(1) }, fc.integer({ min: 2, max: 2 ** 17 })),
  });
  return fc
    .tuple(fc.constantFrom(...seeds), fc.array(edit, { minLength: 1, maxLength: 4 }))
    .map(([seed, edits]) =>
      edits.reduce((text, { place, cut, insert, times }) => {
        const at = Math.floor(place * text.length);
        const most = Math.ceil(maxLength / Math.max(1, insert.length));
        const edited = text.slice(0, at) + insert.repeat(Math.min(times, most)) + text.slice(at + cut);
        return edited.slice(0, maxLength);
      }, seed),
    );
}

/** Runs cases for so many seconds. A failure shows the seed and the smallest case. */
async function fuzz<Case>(
  t: TestContext,
  cases: fc.Arbitrary<Case>,
  run: (item: Case) => Promise<readonly string[]>,
  time = seconds,
): Promise<void> {
  const outcomes: Record<string, number> = {};
  const property = fc.asyncProperty(cases, async item => {
    for (const outcome of await run(item)) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  });
  await fc.assert(property, { seed, numRuns: 1e9, interruptAfterTimeLimit: time * 1000 });
  t.diagnostic(`seed ${seed}: ${JSON.stringify(outcomes)}`);
}

const requestWords = words(String.raw`
  GET\u0020 HEAD\u0020 POST\u0020 \u0020HTTP/1.1\r\n /api/news /api/recommend-config /images/ /health /documentation/
  /feed.json ? & keyword= limit=100 %20 %E9%A6%99 %CC%81 %00 %ff ../ // * # : \r\n \n \r \u0000 \u0080 Host:a\r\n
  Connection:close\r\n If-None-Match:*\r\n Range:bytes=0- Upgrade:h2c\r\n Transfer-Encoding:chunked\r\n
  Content-Length:5\r\n Expect:100-continue\r\n 0\r\n\r\n GET\u0020/api/news?limit=2\u0020HTTP/1.1\r\nHost:a\r\n\r\n
`);
/** Answers that are documented to be no envelope. */
const otherTypes =
  /^(image\/|text\/(html|css|javascript|plain|yaml)|application\/(x-yaml|yaml|feed\+json|rss\+xml|atom\+xml))/;

/** Sends mutated requests to a service, each of which is answered as documented, and so is the next connection. */
async function fuzzRequests(t: TestContext, port: number, time?: number): Promise<void> {
  const seeds = cases.map(([, bytes]) => bytes.toString('latin1')).filter(text => text.length < 1e5);
  const run = async (request: Bytes) => {
    const answers = await answersTo(port, request);
    const [probe] = await answersTo(port, 'GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n');
    assert.equal(probe?.status, 200, 'a new connection is not answered');
    return answers.map(answer => {
      const { status, headers, body } = answer;
      assert.notEqual(status, 500, body);
      const isOther = otherTypes.test(headers['content-type'] ?? '') || body.startsWith('{"openapi":');
      return body === '' || (status < 400 && isOther) ? String(status) : envelopeCode(answer);
    });
  };
  await fuzz(t, mutated(seeds, requestWords, 2 ** 14), run, time);
}

/** The answers on a connection of its own, which may be reset after an answer that closes it. */
async function answersTo(port: number, request: Bytes) {
  const chunks: Buffer[] = [];
  const socket = connect(port, '127.0.0.1').on('data', chunk => chunks.push(chunk));
  socket.on('error', () => {}).end(Buffer.from(request, 'latin1'));
  if (!socket.destroyed) await once(socket, 'close');
  return takeApart(Buffer.concat(chunks));
}

const LIST = '/api/recommend-config?product_id=1&include_durations=true';
const page = (index: number, limit: number) => `/api/news?page=${1 + index}&limit=${limit}`;
/** Requests that a client can vary without end: path and headers of each. */
const inventions: Record<string, (number: number) => [path: string, headers?: Record<string, string>]> = {
  // Multiplying by an odd number permutes the numbers of 32 bits.
  keywords: number => [`/api/news?keyword=${(Math.imul(number, 2_654_435_761) >>> 0).toString(36)}`],
  'unknown parameters': number => [`${LIST}&x=${number}`],
  'values of If-None-Match': number => [`${LIST}&x=${number}`, { 'If-None-Match': `*, "${number}"` }],
  'values of Accept-Encoding': number => [`${LIST}&x=${number}`, { 'Accept-Encoding': `gzip, a${number}` }],
  'compressed answers': number => [page(number & 7, 5 + (number % 90)), { 'Accept-Encoding': 'br' }],
  'pages and limits': number => [`${LIST}&page=${1 + (number >> 6)}&limit=${37 + (number & 63)}`],
};

/** Sends requests of a kind, each with an unknown parameter that is too long for all addresses to be remembered. */
async function invent(port: number, kind: string): Promise<void> {
  const client = new Client(`http://127.0.0.1:${port}`, { pipelining: BATCH });
  const long = `y=${'y'.repeat(soakRounds(14_000, 1_000))}`;
  for (let first = 0; first < soakRounds(8_000, 1_000_000); first += BATCH) {
    const batch = Array.from({ length: BATCH }, async (_, index) => {
      const [path, headers = {}] = inventions[kind]?.(first + index) ?? assert.fail(kind);
      const { statusCode, body } = await client.request({ method: 'GET', path: `${path}&${long}`, headers });
      await body.text();
      assert.ok(statusCode === 200 || statusCode === 304, `${statusCode} for ${path}`);
    });
    await Promise.all(batch);
  }
  await client.close();
}

const catalogWords = words(String.raw`
  \" \"\" ' , ; \t | \n \r \r\n \u0000 \u001b[2J \u0020 [ ] { } : [{ }, \"id\": \"img\":\" null true yes \\u0000 \\ud800
  sep=;\r\n __proto__ id price product_id create_time publish_time hidden rel_type unit month 0,5 2024-02-30
  9999-12-31T23:59:59 <p> <!-- & &#x110000; #REF! ---\n # * _ ~~ ![ ]( ]: > - 1. <script> javascript: title:\u0020
  <!DOCTYPE\u0020html> <<<<<<<\u0020HEAD\n PK\u0003\u0004 \uFEFF \uFFFD \uFDFA \u0301\u0323 \u202E \u2028 \u009B 香港 😀 İ
`).concat('\xff', '\xfe\xff', '\xed\xa0\x80');

const textsOf = (files: Files): [name: string, text: Bytes][] =>
  Object.entries(files).flatMap(([name, content]) => {
    if (content === null) return [];
    const text = typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content);
    return [[name, Buffer.from(text).toString('latin1')]];
  });

/** How long a set of at most a megabyte may take, in ms of the processor: a hundred times what it does take. */
const MAX_MS = 20_000;
/** What a terminal, a log or a page may not be given: controls, line ends, changes of direction, halves of characters. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

/** Reads the shop with another file, and checks what holds of any report. Returns its outcome and its codes. */
async function readSet(
  t: TestContext,
  file: string,
  content: Bytes | Buffer,
  csvEncoding: CatalogSource['csvEncoding'] = 'utf-8',
): Promise<string[]> {
  const bytes = typeof content === 'string' ? Buffer.from(content, 'latin1') : content;
  const files = shopWith({ [file]: bytes });
  const catalogDir = await writeFiles(t, files);
  const before = process.cpuUsage();
  const source = settingsFrom({ catalogDir, imagesDir: catalogDir, maxFileMb: 1, csvEncoding });
  const { report } = await readSource(source);
  const { user, system } = process.cpuUsage(before);
  assert.ok(user + system < MAX_MS * 1000, 'a set takes long');
  const isRefused = report.version === undefined;
  assert.equal(report.errors > 0, isRefused, 'a set has both a version and an error, or neither');
  const hasError = report.problems.some(({ severity }) => severity === 'error');
  assert.equal(hasError, isRefused, 'no error is reported');
  const known = catalogFiles.map(({ file }): string => file);
  const names = new Set([basename(catalogDir), ...known, ...Object.keys(files)]);
  for (const problem of report.problems) {
    const line = formatProblem(problem);
    for (const place of [problem, ...(problem.also ? [problem.also] : [])]) {
      assert.ok(names.has(place.file), `a problem is in no file: ${line}`);
      const isInside = place.file !== file || isWithin(place, bytes, csvEncoding);
      assert.ok(isInside, `a place is outside its text: ${line}`);
    }
    assert.doesNotMatch(line, UNPRINTABLE, 'a message cannot be printed');
    assert.ok(problem.message.length <= 500, `a message is long: ${line.slice(0, 100)}`);
  }
  return [isRefused ? 'refused' : 'loaded', ...new Set(report.problems.map(({ code }) => code))];
}

/** Whether a place has no line, or the text has this line, and up to its end this column. */
function isWithin({ file, line, column = 1 }: SourceLocation, bytes: Buffer, csvEncoding: string): boolean {
  if (line === undefined) return true;
  const mark = bytes.toString('hex', 0, 2);
  const utf16 = { fffe: 'utf-16le', feff: 'utf-16be' }[mark];
  const fallback = !isUtf8(bytes) && file.endsWith('.csv') ? [csvEncoding, 'utf-8'] : ['utf-8'];
  // A place in UTF-8 that is damaged counts in UTF-8, one in another encoding in that.
  return (utf16 ? [utf16] : fallback).some(encoding => {
    const found = new TextDecoder(encoding).decode(bytes).split(/\r\n|\n|\r/)[line - 1];
    return found !== undefined && column >= 1 && column <= [...found].length + 1;
  });
}

test('mutated and invented requests are answered as documented, and memory stays bounded', async t => {
  const catalogDir = await writeFiles(t, {});
  await generateCatalog(catalogDir, { news: soakRounds(10_000, 50_000), prices: 10_000, text: 'ascii' });
  const dirs = { catalogDir, stateDir: join(await writeFiles(t, {}), 'state') };
  // A request that never comes whole is given up soon, and there are feeds.
  const timeouts = { clientTimeoutMs: 1_000, keepAliveMs: 1_000 };
  const settings = { ...timeouts, imagesDir: sample.imagesDir, newsUrl };
  // Garbage is collected early, so that what stays is what is held.
  const env = { NODE_OPTIONS: `--max-old-space-size=${soakRounds(128, 384)}` };
  const { pid, listening } = serveShop(t, dirs, settings, env);
  const port = Number(new URL(await listening()).port);
  // All that is loaded and compiled on first use.
  await fuzzRequests(t, port, 2);
  const before = residentMemory(pid);
  await fuzzRequests(t, port);
  for (const kind of ['mutated requests', ...Object.keys(inventions)]) {
    if (kind in inventions) await invent(port, kind);
    const growth = Math.round((residentMemory(pid) - before) / 1024);
    t.diagnostic(`${kind}: ${growth} MB more than at the start`);
    assert.ok(growth <= MAX_GROWTH_MB, `memory grew by ${growth} MB with ${kind}`);
  }
});

test('a megabyte of one repeated thing is loaded, or refused in time', async t => {
  for (const [name, file, , content] of bombs)
    t.diagnostic(`${name}: ${(await readSet(t, file, Buffer.from(content(1_000_000)))).join()}`);
});

test('mutated catalog files are loaded, or refused with a position and a printable message', async t => {
  const seeds = [shop, ...faults.map(([files]) => files)]
    .flatMap(textsOf)
    .filter(([, text]) => text.length < 1e5);
  const text = mutated(
    seeds.map(([, text]) => text),
    catalogWords,
    2 ** 20,
  );
  const csvEncoding = fc.constantFrom<CatalogSource['csvEncoding']>('utf-8', 'windows-1252', 'gb18030');
  const item = fc.record({ file: fc.constantFrom(...seeds.map(([name]) => name)), text, csvEncoding });
  await fuzz(t, item, ({ file, text, csvEncoding }) => readSet(t, file, text, csvEncoding));
});
