import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cachingHeaders } from '../../src/answer/cache-control.ts';
import { shop, shopWith } from '../support/catalogs.ts';
import { feeds, newsUrl } from '../support/http/feeds.ts';
import { NOW, startService } from '../support/service.ts';

const LIST = '/api/recommend-config?product_id=1&include_durations=1';
const PRICE = '/api/recommend-config/price?product_id=1&recommend_config_id=11&duration_id=1';
const NEWS = '/api/news';
const files = { ...shop, 'launch.png': Buffer.from('png') };
const options = { newsUrl, cacheMaxAge: 60, previewToken: 'a-token-of-the-tests' };
const authorization = `Bearer ${options.previewToken}`;

/** Answers that shared caches keep, and their tags. */
const kept: Record<string, string> = {
  '/api/products': 'products',
  '/api/recommend-config?product_id=1': 'configurations,product-1',
  '/api/recommend-config?product_id=1&include_durations=true&page=2': 'configurations,product-1',
  '/api/recommend-config?product_id=99': 'configurations,product-99',
  [PRICE]: 'prices,product-1',
  '/api/news-types': 'news-types',
  '/api/news': 'news,news-all',
  '/api/news?type_id=2': 'news,news-type-2',
  '/api/news?keyword=open&page=2': 'news,news-all',
  '/feeds/news.atom': 'feeds,news,news-all',
  '/feeds/news.rss?type_id=77': 'feeds,news,news-type-77',
  '/feeds/news.json?type_id=1': 'feeds,news,news-type-1',
  '/images/launch.png': 'images',
};
const revalidated = ['/changes', '/overview', '/overview/prices?product_id=1', '/overview/rows?catalog=news'];
const never = [
  ...['/api/news/1', '/api/news/99', '/api/news?limit=0', PRICE.replace('=11', '=99'), '/images/none.png'],
  ...['/nowhere', '/history', '/health', '/metrics'],
  ...['/api/news', '/api/products', '/feeds/news.rss', '/images/launch.png'].map(
    url => `/preview/2035-01-01${url}`,
  ),
];

test('with CACHE_MAX_AGE, shared caches keep answers with tags, browsers ask each time, and the rest is kept by none', async t => {
  const { dispatch } = await startService(t, files, options);
  for (const [url, tags] of Object.entries(kept)) {
    for (const request of [{}, { method: 'HEAD' }, { headers: { 'if-none-match': '*' } }]) {
      const { headers } = await dispatch({ url, ...request });
      assert.equal(headers['cache-control'], 'public, max-age=0, s-maxage=60, stale-while-revalidate=0', url);
      assert.equal(headers['cdn-cache-control'], 'max-age=54, stale-while-revalidate=6', url);
      const named = [headers['cache-tag'], headers['surrogate-key']];
      assert.deepEqual(named, [tags, tags.replaceAll(',', ' ')], url);
    }
  }
  for (const [control, urls] of Object.entries({ 'no-cache': revalidated, 'no-store': never }))
    for (const url of urls) assertUntold(await dispatch({ url, headers: { authorization } }), control, url);
});

test('without CACHE_MAX_AGE, every cache asks each time, and no answer has tags', async t => {
  const { dispatch } = await startService(t, files, { newsUrl });
  for (const url of [...Object.keys(kept), ...revalidated])
    assertUntold(await dispatch(url), 'no-cache', url);
});

function assertUntold({ headers }: { headers: Record<string, unknown> }, control: string, url: string) {
  const shared = ['cdn-cache-control', 'cache-tag', 'surrogate-key'].filter(name => name in headers);
  assert.deepEqual([headers['cache-control'], shared], [control, []], url);
}

test('a client that has the response gets 304 without a body or a length, and HEAD the headers of GET', async t => {
  const { dispatch } = await startService(t, files, { newsUrl });
  for (const url of [...Object.keys(kept), ...revalidated, '/page/style.css']) {
    const { date: _, ...headers } = (await dispatch(url)).headers;
    const tag = String(headers.etag);
    assert.match(tag, /^(W\/)?"[\w-]+"$/);
    const head = await dispatch({ url, method: 'HEAD' });
    assert.deepEqual([head.body, { ...head.headers, date: '' }], ['', { ...headers, date: '' }], url);
    const opaque = tag.replace('W/', '');
    for (const known of [tag, opaque, `W/${opaque}`, '*', `"a", ${tag}`, `W/"a",${opaque} , "b"`]) {
      for (const method of ['GET', 'HEAD']) {
        const answer = await dispatch({ url, method, headers: { 'if-none-match': known } });
        const { statusCode, body, headers: seen } = answer;
        assert.deepEqual([statusCode, body, seen.etag], [304, '', tag], `${method} ${url} ${known}`);
        assert.deepEqual([seen['content-length'], seen['content-type']], [undefined, undefined], url);
        assert.equal(seen['catalog-version'], headers['catalog-version'], url);
      }
    }
    for (const known of ['"other"', 'W/"other"', opaque.slice(1), '']) {
      const { statusCode } = await dispatch({ url, headers: { 'if-none-match': known } });
      assert.equal(statusCode, 200, `${url} ${known}`);
    }
  }
});

test('responses to different queries have different ETags, and lists of news have weak ones', async t => {
  const { ask, dispatch } = await startService(t, shop, { newsUrl });
  const urls = [
    ...[LIST, '/api/recommend-config?product_id=1', '/api/recommend-config?product_id=1&limit=1'],
    ...['/api/recommend-config?product_id=2', '/api/recommend-config?product_id=1&page=2'],
    ...[PRICE, PRICE.replace('duration_id=1', 'duration_id=2')],
    ...['', '?limit=1', '?type_id=1', '?limit=1&page=2', '?page=2', '?page=3'].map(query => NEWS + query),
    ...[`${NEWS}?keyword=same`, `${NEWS}?keyword=restart`],
  ];
  const tags = await Promise.all(urls.map(async url => String((await ask(url)).headers.etag)));
  assert.equal(new Set(tags).size, urls.length);
  for (const [index, tag] of tags.entries())
    assert.equal(tag.startsWith('W/'), urls[index]?.startsWith(NEWS));
  const feedTags = () => Promise.all(feeds.map(async ([url]) => (await dispatch(url)).headers.etag));
  const before = await feedTags();
  await ask('/api/news/1');
  assert.ok(
    !tags.includes(String((await ask(NEWS)).headers.etag)),
    'that of a news list changes with a count',
  );
  assert.deepEqual(await feedTags(), before, 'that of a feed does not');
  assert.equal((await ask('/api/news/1')).data.read, 102, 'feeds and lists count no reads');
});

test('the ETag is the same wherever the content is, whatever the mount point, the order of rows and the time, and differs where it differs', async t => {
  const [item] = shop['news.json'] as object[];
  const types = [1, 2].map(id => ({ id, name: 'A' }));
  const reversed = shopWith({ 'news.json': (shop['news.json'] as object[]).toReversed() });
  const replica = await startService(t, reversed, { newsUrl, basePath: '/shop' }, () => NOW + 1000);
  const edited = await startService(t, shopWith({ 'news.json': [{ ...item, title: 'Open as ever' }] }));
  const others = await startService(t, shopWith({ 'news_types.json': types }));
  const one = await startService(t, shop, { newsUrl });
  const tagOf = async ({ dispatch, settings }: typeof one, url: string) =>
    (await dispatch({ url: settings.basePath + url, headers: { host: `${settings.basePath.length}.test` } }))
      .headers.etag;
  const versionOf = ({ services }: typeof one) => services.catalog.snapshot()?.version;
  for (const url of [LIST, PRICE, NEWS, ...feeds.map(([path]) => path)])
    assert.equal(await tagOf(one, url), await tagOf(replica, url), url);
  assert.equal(await tagOf(one, PRICE), await tagOf(others, PRICE));
  assert.notEqual(await tagOf(one, NEWS), await tagOf(edited, NEWS));
  assert.deepEqual([versionOf(replica), versionOf(others) === versionOf(one)], [versionOf(one), false]);
  // In Unix seconds, the set is the same in any time zone.
  const inSeconds = shopWith({
    'news.json': [{ id: 1, title: 'A', content: 'B', create_time: 1_700_000_001 }],
  });
  const [here, there] = [
    await startService(t, inSeconds),
    await startService(t, inSeconds, { timeZone: 'Asia/Shanghai' }),
  ];
  assert.equal(versionOf(here), versionOf(there));
  assert.notEqual(await tagOf(here, NEWS), await tagOf(there, NEWS));
});

const row = { title: 'A', content: 'text', create_time: 1_700_000_000 };
const scheduled = shopWith({
  'news.json': [
    { ...row, id: 1, publish_time: NOW + 20 },
    { ...row, id: 2, title: 'Goes', unpublish_time: NOW + 50, img: 'launch.png' },
  ],
});

test('a lifetime ends with the next scheduled change, where the clock can change the answer', async t => {
  let now = NOW;
  const set = { ...scheduled, 'launch.png': 'png' };
  const { dispatch } = await startService(t, set, { ...options, cacheMaxAge: 600 }, () => now);
  const lifetimeOf = async (url: string) =>
    Number(/s-maxage=(\d+)/.exec(String((await dispatch(url)).headers['cache-control']))?.[1]);
  const lifetimes = new Map(
    Object.entries({ '0.0': 20, 0.9: 20, '1.0': 19, 19.999: 1, '20.0': 30, '49.0': 1, '50.0': 600 }),
  );
  for (const [seconds, expected] of lifetimes) {
    const after = Number(seconds);
    now = NOW + after;
    for (const url of [NEWS, '/api/news?type_id=1', '/api/news?keyword=goes', '/feeds/news.atom'])
      assert.equal(await lifetimeOf(url), expected, `${url} after ${after} s`);
    if (after < 50) assert.equal(await lifetimeOf('/images/launch.png'), expected);
    for (const url of ['/api/products', LIST, PRICE, '/api/news-types'])
      assert.equal(await lifetimeOf(url), 600, `${url} after ${after} s`);
  }
});

test('a stale answer may be used for a tenth of the lifetime, and one that the clock has changed is not kept', () => {
  const headersOf = (maxAge: number, until = Number.POSITIVE_INFINITY) =>
    cachingHeaders({ tags: ['news'], until }, maxAge, NOW);
  const cdn = (maxAge: number, until?: number) => headersOf(maxAge, until)['cdn-cache-control'];
  assert.equal(cdn(1), 'max-age=1, stale-while-revalidate=0');
  assert.equal(cdn(9), 'max-age=9, stale-while-revalidate=0');
  assert.equal(cdn(10), 'max-age=9, stale-while-revalidate=1');
  assert.equal(cdn(604_800, NOW + 100), 'max-age=90, stale-while-revalidate=10');
  assert.deepEqual(headersOf(60, NOW), { 'cache-control': 'no-cache' });
});
