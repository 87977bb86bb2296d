import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import type { Settings } from '../../src/settings/settings.ts';
import { shop, shopWith } from '../support/catalogs.ts';
import { NOW, startService } from '../support/service.ts';
import { addresses, LIST, PRICE } from './addresses.ts';

type Service = Awaited<ReturnType<typeof startService>>;

/** All of a response but the time. */
async function seen({ dispatch }: Service, request: Parameters<Service['dispatch']>[0]) {
  const { statusCode, rawHeaders, body } = await dispatch(request);
  const date = 1 + rawHeaders.indexOf('Date');
  assert.match(rawHeaders[date] ?? '', /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/);
  return { statusCode, headers: rawHeaders.toSpliced(date, 1), body };
}

async function startBoth(t: TestContext, files = shop, options: Partial<Settings> = {}, now = () => NOW) {
  return [
    await startService(t, files, options, now),
    await startService(t, files, { ...options, logLevel: 'debug' }, now),
  ] as const;
}

/** Addresses that are asked first; all that follow are random. */
const first = [
  ...addresses.map(({ url }) => url).filter(url => url.startsWith('/api')),
  `${PRICE}&unknown=1`,
  PRICE.replaceAll('=', '=0'),
  `${PRICE}&duration_id=1`,
  PRICE.replace('/price', '/price/'),
  `${LIST}&include_durations=&page=`,
  ...'/api/products?limit=1 /api/product /api/ /API/news //api/news'.split(' '),
  ...['/api/recommend-config', '/health/live', '/'],
  ...['?keyword=%E9%A6%99%E6%B8%AF', '?keyword=text+item&type_id=1', '?keyword=a%2Bb%25', '?keyword=%E9%A6']
    .concat(['?limit=1&page=2', '?page=7', '?include=x', '?since=2&until=1', '/999', '/1/', '/%31', '/1;a'])
    .map(rest => `/api/news${rest}`),
];

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
const address = fc
  .tuple(fc.constantFrom(...places), fc.array(fc.tuple(name, value), { maxLength: 5 }))
  .map(([place, pairs]) => [place, ...pairs.map(pair => pair.join('='))].join('&'))
  .map(url => (url.includes('?') ? url : url.replace('&', '?')));

/** What a client does next: whether it sends the tag that it has of the address, and seconds since what it did before. */
const step = fc.record({ url: address, isKnown: fc.boolean(), later: fc.constantFrom(0, 0, 0, 1, 60) });
for (const options of [{}, { cacheMaxAge: 60 }, { corsOrigin: [] }]) {
  test(`with ${JSON.stringify(options)}, successful requests take the fast path, which sends the same bytes as Fastify`, async t => {
    const items = Array.from({ length: 60 }, (_, index) => ({
      ...{ id: index + 1, title: `Item ${index % 7}`, content: 'A text', img: 'launch.png' },
      ...{ create_time: NOW - index * 60, publish_time: NOW + (index - 20) * 60, type_id: (index % 2) + 1 },
      ...(index % 3 === 0 && { unpublish_time: NOW + index * 60 }),
    }));
    let now = NOW;
    const [short, long] = await startBoth(t, shopWith({ 'news.json': items }), options, () => now);
    const tags = new Map<string, string>();
    const contents = new Map<string, string>();
    const property = fc.asyncProperty(step, async ({ url, isKnown, later }) => {
      now += later;
      const headers = { origin: 'https://b.test', ...(isKnown && { 'if-none-match': tags.get(url) ?? '*' }) };
      const before = short.routedRequests();
      const one = await seen(short, { url, headers });
      const isShort = one.statusCode < 400 && /^\/api\/[^%?]*($|\?)/.test(url);
      assert.equal(short.routedRequests() - before, isShort ? 0 : 1, url);
      assert.deepEqual(one, await seen(long, { url, headers }), url);
      const tag = one.headers[1 + one.headers.indexOf('etag')];
      if (one.statusCode !== 200 || !tag) return;
      tags.set(url, tag);
      // A tag stands for one content of an address, and the other way round.
      for (const [key, other] of [
        [`${url} ${tag}`, one.body],
        [`${url} ${one.body}`, tag],
      ] as const) {
        assert.equal(contents.get(key) ?? other, other, url);
        contents.set(key, other);
      }
    });
    const firstSteps = first.flatMap(url =>
      [false, true].map(isKnown => ({ url, isKnown, later: 0 as const })),
    );
    const examples = firstSteps.map((one): [typeof one] => [one]);
    await fc.assert(property, { numRuns: 500, examples, seed: 20_260_201, endOnFailure: true });
  });
}

test('unusual requests take no fast path, nor does any with a rate limit or listed origins; those below a base path do', async t => {
  const { dispatch, routedRequests } = await startService(t);
  for (const method of ['HEAD', 'POST']) await dispatch({ url: PRICE, method });
  for (const [name, value] of Object.entries({ host: 'a b', expect: 'something', connection: 'close' }))
    await dispatch({ url: PRICE, headers: { [name]: value } });
  assert.equal(routedRequests(), 5);
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
