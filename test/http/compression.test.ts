import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { codingFor } from '../../src/answer/compression.ts';
import { newsUrl, shopWith } from '../support/catalogs.ts';
import { bearer, previewToken, startService } from '../support/service.ts';
import { skipWithoutBuild } from '../support/skipping.ts';
import { until } from '../support/until.ts';

const TEXT = 'Größe 香港: the same again and again. '.repeat(40);
const numbers = Array.from({ length: 40 }, (_, index) => index + 1);
const create_time = '2025-01-01';

const files = shopWith({
  'products.json': numbers.map(id => ({ id, name: `Product ${id}` })),
  'configurations.csv': null,
  'configurations.json': numbers
    .filter(id => id > 10)
    .map(id => ({ id, product_id: id === 21 ? 2 : 1, name: `Configuration ${id}`, cpu: 1, memory: 4096 })),
  'news.json': [
    ...[1, 2, 3].map(id => ({ id, title: `Item ${id}`, content: TEXT, read: 100, create_time })),
    { id: 5, title: 'Long', content: TEXT.repeat(8), create_time },
    { id: 9, title: 'Short', content: 'Short.', img: 'long.svg', create_time },
  ],
  'long.svg': `<svg>${' '.repeat(2_000)}</svg>`,
});

/** Answers with much content, which clients may keep. */
const long = [
  ...['/api/news', '/api/news?limit=2&page=2', '/api/news?keyword=again', '/api/news?include=img,type_id'],
  ...['/api/products?limit=100', '/api/recommend-config?product_id=1&include_durations=true', '/overview'],
  ...['/overview/prices?product_id=1', '/feeds/news.atom', '/feeds/news.json'],
];
const short = [
  '/api/recommend-config/price?product_id=1&recommend_config_id=11&duration_id=1',
  ...['/api/news-types', '/api/news/9', '/api/news/99'],
];
/** Answers with more that are sent as they are. */
const plain = ['/api/news/1', '/health', '/metrics', '/images/long.svg', '/preview/2026-01-01/api/news'];

/** All codings that this Node.js must have. */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const hasZstd = major > 22 || (major === 22 && minor >= 15);
const codings = ['br', 'gzip', ...(hasZstd ? ['zstd'] : [])];

type Service = Awaited<ReturnType<typeof startService>>;

function asking({ dispatch }: Service, coding: string) {
  return (url: string, more: { method?: string; headers?: Record<string, string> } = {}) =>
    dispatch({ url, ...more, headers: { 'accept-encoding': coding, ...more.headers } });
}

async function warm(t: TestContext, ask: ReturnType<typeof asking>, urls: readonly string[]) {
  for (const url of urls)
    await until(t, async () => (await ask(url, { method: 'HEAD' })).headers['content-encoding']);
}

test('long answers are sent in the coding that a client accepts, with the same content and tag; others as they are', async t => {
  const service = await startService(t, files, { newsUrl, previewToken });
  const asBrowser = (url: string) => asking(service, 'br, gzip')(url, { headers: bearer });
  for (const url of plain) await asBrowser(url);
  for (const coding of codings) {
    const ask = asking(service, coding);
    await warm(t, ask, long);
    for (const url of long) {
      const plain = await service.dispatch(url);
      const { etag, vary } = plain.headers;
      assert.deepEqual([plain.headers['content-encoding'], vary], [undefined, 'Accept-Encoding'], url);
      assert.match(String(etag), /^W\//, url);
      for (const method of ['GET', 'HEAD']) {
        const { statusCode, headers, body, rawPayload } = await ask(url, { method });
        const { date, 'content-length': length } = headers;
        const expected = { ...plain.headers, date, 'content-length': length, 'content-encoding': coding };
        assert.deepEqual([statusCode, headers], [200, expected], url);
        if (method === 'HEAD') continue;
        assert.deepEqual([body, length], [plain.body, String(rawPayload.length)], url);
        assert.ok(rawPayload.length < plain.rawPayload.length / 2, url);
      }
      const { statusCode, headers } = await ask(url, { headers: { 'if-none-match': String(etag) } });
      const seen = [statusCode, headers.etag, headers.vary, headers['content-encoding']];
      assert.deepEqual(seen, [304, etag, vary, undefined], url);
    }
  }
  for (const url of short) {
    const { headers } = await asBrowser(url);
    assert.deepEqual([headers['content-encoding'], headers.vary], [undefined, undefined], url);
    assert.doesNotMatch(headers.etag ?? '', /^W\//, url);
  }
  for (const url of plain) {
    const { headers, rawPayload } = await asBrowser(url);
    assert.deepEqual([headers['content-encoding'], rawPayload.length > 1024], [undefined, true], url);
  }
});

test('the detail of a news item is compressed from 10 kB on, and counts each read', async t => {
  for (const logLevel of ['silent', 'debug'] as const) {
    const service = await startService(t, files, { logLevel });
    let read = 0;
    for (const coding of codings)
      for (const method of ['GET', 'HEAD']) {
        const { headers, body, rawPayload } = await asking(service, coding)('/api/news/5', { method });
        const { vary, 'content-encoding': used, 'cache-control': caching } = headers;
        assert.deepEqual([used, vary, caching], [coding, 'Accept-Encoding', 'no-store'], logLevel);
        if (method === 'HEAD') continue;
        read += 1;
        assert.equal(JSON.parse(body).data.read, read);
        assert.equal(headers['content-length'], `${rawPayload.length}`);
        assert.ok(rawPayload.length < 1024);
      }
    const { headers } = await service.dispatch('/api/news/5');
    assert.deepEqual([headers['content-encoding'], headers.vary], [undefined, 'Accept-Encoding']);
  }
});

test('the coding is the smallest of those that the client likes best', () => {
  const zstd = hasZstd ? 'zstd' : 'gzip';
  const cases: Record<string, string[]> = {
    br: ['gzip, deflate, br, zstd', 'br;q=0.5,gzip ; q=0.500', '*'],
    gzip: [
      ...['GZIP', 'br;q=0.5, gzip', 'br;q=0, gzip;q=0.001', 'br;q=0, zstd;q=0, *;q=0.1', 'gzip, *;q=0'],
      ...['identity;q=0.5, gzip', 'identity;q=0, gzip'],
    ],
    none: ['', 'deflate', 'identity, gzip;q=0.5', 'identity;q=0', '*;q=0', 'br;q=x, gzip;q=1.2.3'],
  };
  for (const [coding, headers] of Object.entries(cases))
    for (const header of headers) assert.equal(codingFor(header) ?? 'none', coding, header);
  for (const header of ['zstd, gzip;q=0.5', 'br;q=0, *']) assert.equal(codingFor(header), zstd, header);
  assert.equal(codingFor(undefined), undefined);
});

test('each coding of a file of page and docs has its own tag', { skip: skipWithoutBuild() }, async t => {
  const service = await startService(t, undefined, { corsOrigin: ['https://shop.test'] });
  for (const [url, vary] of [
    ['/page/style.css', 'Accept-Encoding'],
    ['/documentation/json', 'Origin, Accept-Encoding'],
  ] as const) {
    const plain = await service.dispatch(url);
    assert.deepEqual([plain.headers['content-encoding'], plain.headers.vary], [undefined, vary]);
    const tags = [plain.headers.etag];
    for (const coding of codings) {
      const ask = asking(service, coding);
      const { headers, rawPayload, body } = await ask(url);
      const { etag, date } = headers;
      const own = { etag, date, 'content-length': String(rawPayload.length), 'content-encoding': coding };
      assert.deepEqual([headers, body], [{ ...plain.headers, ...own }, plain.body], url);
      assert.ok(rawPayload.length < plain.rawPayload.length / 2, url);
      assert.deepEqual({ ...(await ask(url, { method: 'HEAD' })).headers, date }, headers);
      const known = await ask(url, { headers: { 'if-none-match': String(etag) } });
      assert.deepEqual([known.statusCode, known.headers.vary, known.headers.etag], [304, vary, etag]);
      const others = await ask(url, { headers: { 'if-none-match': tags.join() } });
      assert.equal(others.statusCode, 200, 'it has another coding');
      tags.push(etag);
    }
  }
  for (const name of ['index.css', 'favicon-32x32.png']) {
    const small = await asking(service, 'br, gzip')(`/documentation/static/${name}`);
    assert.deepEqual([small.headers['content-encoding'], small.headers.vary], [undefined, undefined], name);
  }
});
