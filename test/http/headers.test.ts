import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cachingHeaders, matches } from '../../src/answer/representation.ts';
import type { Settings } from '../../src/settings/settings.ts';
import { type Files, newsUrl, shop, shopWith } from '../support/catalogs.ts';
import { NOW, startService } from '../support/service.ts';
import { addresses, feeds, LIST, PRICE } from './addresses.ts';

const origin = 'https://shop.test';

const ofDocuments = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
};
/** Files of pages, and images, have headers of their own. */
const isFile = (url: string) => /^\/($|page|doc|favicon|images\/launch)/.test(url);
const asked = { 'access-control-request-method': 'GET', 'access-control-request-headers': 'x-trace' };

for (const [where, options] of [
  ['by default', {}],
  ['below a path, with CACHE_MAX_AGE', { basePath: '/shop', cacheMaxAge: 60 }],
  ['with a list of origins', { corsOrigin: [origin, 'https://www.shop.test:8443'] }],
  ['below a path, with other origins shut out', { basePath: '/shop', corsOrigin: [] }],
] as [string, Partial<Settings>][]) {
  test(`each answer says who may read it, and for how long it may be kept, ${where}`, async t => {
    const files = { ...shop, 'launch.png': 'an image' };
    const { dispatch, settings } = await startService(t, files, { newsUrl, ...options });
    const { basePath, corsOrigin, cacheMaxAge } = settings;
    const ask = (url: string, headers = {}, method = 'GET') =>
      dispatch({ url: basePath + url, method, headers: { origin, ...headers } });
    const grantTo = (one: string) => (corsOrigin === '*' ? '*' : corsOrigin.find(listed => listed === one));
    for (const { url, tags, isShared, control } of addresses) {
      const isApi = /^(\/preview\/[^/]+)?\/api\//.test(url);
      const allowed = isShared ? grantTo(origin) : undefined;
      const isKept = tags !== undefined && cacheMaxAge > 0;
      const expected = {
        'access-control-allow-origin': allowed,
        'access-control-allow-credentials': undefined,
        'access-control-expose-headers': allowed && 'ETag, Catalog-Version, Retry-After, Link',
        'cache-control': isKept ? 'public, max-age=0, s-maxage=60, stale-while-revalidate=0' : control,
        'cdn-cache-control': isKept ? 'max-age=54, stale-while-revalidate=6' : undefined,
        'cache-tag': isKept ? tags : undefined,
        'surrogate-key': isKept ? tags.replaceAll(',', ' ') : undefined,
        'x-content-type-options': 'nosniff',
        'x-robots-tag': isApi ? 'noindex' : undefined,
        ...(isApi && { 'content-security-policy': undefined }),
        ...(!isApi && !isFile(url) && ofDocuments),
      };
      const { statusCode, headers } = await ask(url);
      const seen = Object.keys(expected).map(name => [name, headers[name]]);
      assert.deepEqual(Object.fromEntries(seen), expected, url);
      assert.equal(String(headers.vary).split(', ').includes('Origin'), allowed === origin, url);
      assert.match(String(headers['catalog-version']), /^[0-9a-f]{12}$/, url);
      const preflight = await ask(url, asked, 'OPTIONS');
      const methods = preflight.headers['access-control-allow-methods'];
      assert.equal(methods, allowed && 'GET, HEAD', url);
      if (allowed) assert.equal(preflight.headers['access-control-allow-headers'], 'x-trace', url);
      assert.match(String(preflight.statusCode), allowed ? /204/ : /404|405/, url);

      const hasTag = control === 'no-cache' && statusCode === 200 && url !== '/robots.txt';
      assert.equal(/^(W\/)?"[\w-]+"$/.test(headers.etag ?? ''), hasTag, url);
      if (!hasTag) continue;
      const rest = { ...headers, date: undefined };
      const head = await ask(url, {}, 'HEAD');
      assert.deepEqual([head.body, { ...head.headers, date: undefined }], ['', rest], url);
      const known = await ask(url, { 'if-none-match': headers.etag });
      const { 'content-length': _, 'content-type': __, ...others } = rest;
      const answer = [known.statusCode, known.body, { ...known.headers, date: undefined }];
      assert.deepEqual(answer, [304, '', others], url);
    }
    const originOf = async (url: string, method = 'GET') =>
      (await dispatch({ url, method, headers: { origin } })).headers['access-control-allow-origin'];
    const allowed = grantTo(origin);
    for (const other of ['https://www.shop.test:8443', 'https://evil.test', `${origin}.evil.test`, 'null']) {
      const { headers } = await ask('/api/news', { origin: other });
      assert.equal(headers['access-control-allow-origin'], grantTo(other), other);
      assert.equal(headers.vary, allowed === origin ? 'Origin, Accept-Encoding' : 'Accept-Encoding');
    }
    assert.equal(await originOf(`${basePath}/api/news`, 'POST'), allowed);
    assert.equal(await originOf(`${basePath}/api/%zz`), allowed);
    const noOrigin = { url: `${basePath}/api/news`, method: 'OPTIONS', headers: asked };
    assert.equal((await dispatch(noOrigin)).statusCode, 405);
    // The path counts as Fastify's router reads it, however the target is written.
    const news =
      '/api/news#top /%61pi/new%73?a /api/%zz http://a/api/news?b HTTPS://user@a:1/%61pi/news http://[::1]:80/api/news';
    for (const url of news.split(' ')) assert.equal(await originOf(url), basePath ? undefined : allowed, url);
    const others = '* /api%2Fnews //api/news /%2561pi/news ftp://a/api/news /nope/api/news';
    for (const url of others.split(' ')) assert.equal(await originOf(url), undefined, url);
  });
}

test('If-None-Match compares weakly, with one tag, a list or any', () => {
  for (const tag of ['"a-b_c"', 'W/"a-b_c"']) {
    for (const known of ['"a-b_c"', 'W/"a-b_c"', '*', '"a", "a-b_c"', 'W/"a",W/"a-b_c" , "b"'])
      assert.equal(matches(known, tag), true, known);
    for (const other of ['"other"', 'W/"other"', 'a-b_c"', 'a-b_c', '', undefined])
      assert.equal(matches(other, tag), false, other);
  }
});

test('tags are the same on every replica, and differ where the content does', async t => {
  const create_time = 1_700_000_000;
  const items = [1, 2].map(id => ({ id, title: 'A', content: 'B', create_time, type_id: id }));
  const set = shopWith({ 'news.json': items });
  const ofNews = ['/api/news', ...feeds.map(([path]) => path)];
  const tagsOf = async (files: Files, options: Partial<Settings> = {}, time = NOW, read = '/') => {
    const { dispatch, settings } = await startService(t, files, { newsUrl, ...options }, () => time);
    await dispatch(settings.basePath + read);
    const tagOf = async (url: string) => (await dispatch(settings.basePath + url)).headers.etag;
    return Promise.all([LIST, PRICE, ...ofNews].map(async url => [url, await tagOf(url)] as const));
  };
  const known = new Map(await tagsOf(set));
  const renamed = { 'products.json': [1, 2, 3].map(id => ({ id, name: 'A' })) };
  const retitled = { 'news.json': [...items.slice(1), { ...items[0], title: 'C' }] };
  for (const [tags, differing] of [
    [await tagsOf({ ...set, 'news.json': items.toReversed() }, { basePath: '/shop' }, NOW + 1000), []],
    [await tagsOf(set, {}, NOW, '/api/news/1'), ['/api/news']],
    [await tagsOf(set, { timeZone: 'Asia/Shanghai' }), ['/api/news']],
    [await tagsOf({ ...set, ...renamed }), ['/api/news']],
    [await tagsOf({ ...set, ...retitled }), ofNews],
  ] as const) {
    const others = tags.filter(([url, tag]) => tag !== known.get(url)).map(([url]) => url);
    assert.deepEqual(others, differing);
  }
});

const row = { title: 'A', content: 'text', create_time: 1_700_000_000 };
const scheduled: Files = {
  ...shopWith({
    'news.json': [
      { ...row, id: 1, publish_time: NOW + 20 },
      { ...row, id: 2, title: 'Goes', unpublish_time: NOW + 50, img: 'launch.png' },
    ],
  }),
  'launch.png': 'png',
};

test('a lifetime ends with the next scheduled change, where the clock can change the answer', async t => {
  let now = NOW;
  const { dispatch } = await startService(t, scheduled, { newsUrl, cacheMaxAge: 600 }, () => now);
  const lifetimeOf = async (url: string) =>
    Number(/s-maxage=(\d+)/.exec(String((await dispatch(url)).headers['cache-control']))?.[1]);
  for (const [after, expected] of [
    [0, 20],
    [0.9, 20],
    [19.999, 1],
    [20, 30],
    [50, 600],
  ] as const) {
    now = NOW + after;
    const ofNews = ['/api/news', '/api/news?type_id=1', '/api/news?keyword=goes', '/feeds/news.atom'];
    for (const url of [...ofNews, ...(after < 50 ? ['/images/launch.png'] : [])])
      assert.equal(await lifetimeOf(url), expected, `${url} after ${after} s`);
    for (const url of ['/api/products', LIST, PRICE, '/api/news-types'])
      assert.equal(await lifetimeOf(url), 600, `${url} after ${after} s`);
  }
});

test('a stale answer may be used for a tenth of the lifetime, and one that the clock has changed is not kept', () => {
  for (const [maxAge, until, expected] of [
    [1, Number.POSITIVE_INFINITY, 'max-age=1, stale-while-revalidate=0'],
    [9, Number.POSITIVE_INFINITY, 'max-age=9, stale-while-revalidate=0'],
    [10, Number.POSITIVE_INFINITY, 'max-age=9, stale-while-revalidate=1'],
    [604_800, NOW + 100, 'max-age=90, stale-while-revalidate=10'],
  ] as const)
    assert.equal(cachingHeaders({ tags: ['news'], until }, maxAge, NOW)['cdn-cache-control'], expected);
  assert.deepEqual(cachingHeaders({ tags: ['news'], until: NOW }, 60, NOW), { 'cache-control': 'no-cache' });
});
