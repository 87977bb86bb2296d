import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import type { Settings } from '../../src/settings/settings.ts';
import { shop, shopWith } from '../support/catalogs.ts';
import { startEdited } from '../support/edited.ts';
import { NOW, startService } from '../support/service.ts';

const PRICE = '/api/recommend-config/price?product_id=1&recommend_config_id=11&duration_id=1';
const LIST = '/api/recommend-config?product_id=1';

type Service = Awaited<ReturnType<typeof startService>>;

/** All of a response but the time. */
async function seen({ dispatch }: Service, request: Parameters<Service['dispatch']>[0]) {
  const { statusCode, rawHeaders, body } = await dispatch(request);
  const date = 1 + rawHeaders.indexOf('Date');
  assert.match(rawHeaders[date] ?? '', /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/);
  return { statusCode, headers: rawHeaders.toSpliced(date, 1), body };
}

/** The service with and without its fast path. */
async function startBoth(t: TestContext, files = shop, options: Partial<Settings> = {}, now = () => NOW) {
  return [
    await startService(t, files, options, now),
    await startService(t, files, { ...options, logLevel: 'debug' }, now),
  ] as const;
}

const successes = [
  ...[PRICE, `${PRICE}&unknown=1`, PRICE.replaceAll('=', '=0'), LIST, `${LIST}&include_durations=true`],
  ...[`${LIST}&include_durations=&page=`, `${LIST}&limit=1&page=2`, '/api/recommend-config?product_id=999'],
  ...['/api/products', '/api/products?limit=1', '/api/news-types?page=2&limit=1', '/api/news/1', '/api/news'],
  ...[
    ...['', 'limit=1', 'page=7', 'keyword=%E9%A6%99%E6%B8%AF', 'keyword=open+same&type_id=1'],
    ...['keyword=a%2Bb%25', 'limit=1&page=2', 'keyword=e&limit=1&page=2', 'ids=2,1'],
    ...['include=type_id,img&sort=read&limit=3', 'since=2024-02-01&until=1706754600'],
  ].map(query => `/api/news?${query}`),
];
const others = [
  ...[PRICE.replace('duration_id=1', 'duration_id=999'), `${PRICE}&duration_id=1`],
  ...[PRICE.replace('/price', '/price/'), '/api/recommend-config', '/api/product', '/api/', '/API/news'],
  ...['?page=0', '?include=x', '?since=2&until=1', '?keyword=%E9%A6', '/', '/999', '/1/', '/%31', '/1;a'].map(
    rest => `/api/news${rest}`,
  ),
  ...['//api/news', '/health/live', '/'],
];

for (const corsOrigin of ['*' as const, []]) {
  test(`with CORS_ORIGIN ${corsOrigin || 'empty'}, successful requests alone take the fast path, which sends the same bytes as Fastify`, async t => {
    const [short, long] = await startBoth(t, shop, { corsOrigin });
    for (const url of [...successes, ...others]) {
      for (const headers of [{}, { origin: 'https://b.example' }, { 'if-none-match': '*' }]) {
        const before = short.routedRequests();
        const one = await seen(short, { url, headers });
        assert.equal(short.routedRequests() === before, successes.includes(url), url);
        assert.deepEqual(one, await seen(long, { url, headers }), `${url} ${JSON.stringify(headers)}`);
      }
    }
  });
}

const places = ['/api/news', '/api/news/1', '/api/news/7', '/api/products', '/api/news-types', LIST, PRICE];

const words = (list: string) => fc.constantFrom(...list.split(' '));
const escaped = fc.string({ maxLength: 80 }).map(encodeURIComponent);
const name = fc.oneof(
  words('page limit keyword type_id product_id recommend_config_id duration_id include sort since until ids'),
  words('include_durations __proto__ constructor toString'),
  escaped,
);
const value = fc.oneof(
  fc.integer({ min: -2, max: 120 }).map(String),
  words('true img,type_id read 2024-02-01 1,2,3 1e2 0x10 9007199254740991 %00'),
  fc.constantFrom(...['', '%E9%A6%99', '%zz', '%ED%A0%80', '&', '=', '+', '[]']),
  escaped,
);
/** Parameters as a query with its question mark, or nothing. */
const query = fc
  .array(fc.tuple(name, value), { maxLength: 5 })
  .map(pairs => (pairs.length === 0 ? '' : `?${pairs.map(pair => pair.join('=')).join('&')}`));

/** What a client does next. */
const step = fc.record({
  place: fc.constantFrom(...places),
  query,
  /** Whether it sends the tag that it has of this address. */
  isKnown: fc.boolean(),
  /** Seconds since what it did before. */
  later: fc.constantFrom(0, 0, 0, 1, 60),
});

for (const cacheMaxAge of [0, 60]) {
  test(`with CACHE_MAX_AGE ${cacheMaxAge}, whatever is asked in whatever order, the fast path sends the same bytes as Fastify`, async t => {
    const news = Array.from({ length: 60 }, (_, index) => ({
      ...{ id: index + 1, title: `Item ${index % 7}`, content: 'A text', img: 'launch.png' },
      ...{ create_time: NOW - index * 60, publish_time: NOW + (index - 20) * 60, type_id: (index % 2) + 1 },
      ...(index % 3 === 0 && { unpublish_time: NOW + index * 60 }),
    }));
    let now = NOW;
    const [short, long] = await startBoth(t, shopWith({ 'news.json': news }), { cacheMaxAge }, () => now);
    const tags = new Map<string, string>();
    const property = fc.asyncProperty(step, async ({ place, query, isKnown, later }) => {
      now += later;
      const url = place.includes('?') ? place + query.replace('?', '&') : place + query;
      const headers = { ...(isKnown && { 'if-none-match': tags.get(url) ?? '"a"' }) };
      const one = await seen(short, { url, headers });
      assert.deepEqual(one, await seen(long, { url, headers }));
      const tag = one.headers[1 + one.headers.indexOf('ETag')];
      if (tag) tags.set(url, tag);
    });
    await fc.assert(property, { numRuns: 400, seed: 20_260_201, endOnFailure: true });
    const routed = short.routedRequests();
    assert.ok(routed > 40 && routed < 360, `${routed} of 400 requests went through Fastify`);
    assert.equal(long.routedRequests(), 400);
  });
}

test('the fast path and Fastify send the same characters, also of large content, and Fastify its length to a HEAD', async t => {
  const content = `<p>😀${'香港 '.repeat(50_000)}</p>`;
  const news = [1, 2].map(id => ({ id, title: 'Größe', content, create_time: 1_700_000_001 }));
  const [short, long] = await startBoth(t, shopWith({ 'news.json': news }));
  for (const url of ['/api/news', '/api/news/1']) {
    const one = await seen(short, url);
    assert.deepEqual(one, await seen(long, url), url);
    assert.equal(short.routedRequests(), 0);
    assert.ok(one.body.includes(content), url);
    const length = String(Buffer.byteLength(one.body));
    for (const method of ['GET', 'HEAD'])
      assert.equal((await long.dispatch({ url, method })).headers['content-length'], length);
  }
});

test('unusual requests take no fast path, nor does any with a rate limit or listed origins; those below a base path do', async t => {
  const { dispatch, routedRequests } = await startService(t);
  const unusual = [
    { method: 'HEAD' },
    { method: 'POST' },
    { headers: { host: 'a b' } },
    { headers: { expect: 'something' } },
    { headers: { connection: 'close' } },
  ] as const;
  for (const request of unusual) await dispatch({ url: PRICE, ...request });
  assert.equal(routedRequests(), unusual.length);
  for (const [options, routed] of [
    [{ rateLimit: 9 }, 1],
    [{ corsOrigin: ['https://a.example'] }, 1],
    [{ basePath: '/shop' }, 0],
  ] as const) {
    const service = await startService(t, shop, options as Partial<Settings>);
    assert.equal((await service.ask(`${service.settings.basePath}${PRICE}`)).status, 200);
    assert.equal(service.routedRequests(), routed);
  }
});

test('after a reload, the fast path names the new version, also within the same second', async t => {
  const { ask, save, services, routedRequests } = await startEdited(t);
  for (const name of ['One', 'Another']) {
    await save({ 'products.json': [1, 2, 3].map(id => ({ id, name })) });
    const { data, headers } = await ask('/api/products');
    const seen = [data.list[0].name, headers['catalog-version']];
    assert.deepEqual(seen, [name, services.catalog.snapshot()?.version]);
  }
  assert.equal(routedRequests(), 0);
});
