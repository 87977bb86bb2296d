import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cachingHeaders } from '../../src/answer/cache-control.ts';
import { shop, shopWith } from '../support/catalogs.ts';
import { newsUrl } from '../support/http/feeds.ts';
import { NOW, startService } from '../support/service.ts';

const PRICE = '/api/recommend-config/price?product_id=1&recommend_config_id=11&duration_id=1';
const files = { ...shop, 'launch.png': Buffer.from('png') };
const options = { newsUrl, cacheMaxAge: 60, previewToken: 'a-token-of-the-tests' };
const authorization = `Bearer ${options.previewToken}`;

/** Answers that shared caches keep, and their tags. */
const kept = {
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
  '/feeds/news.json?type_id=1': 'feeds,news,news-type-1',
  '/images/launch.png': 'images',
};

test('with CACHE_MAX_AGE, shared caches keep answers, browsers ask each time, and each answer has its tags', async t => {
  const { dispatch } = await startService(t, files, options);
  for (const [url, tags] of Object.entries(kept)) {
    for (const method of ['GET', 'GET', 'HEAD'] as const) {
      const { headers, statusCode } = await dispatch({ url, method });
      assert.equal(statusCode, 200, url);
      assert.equal(headers['cache-control'], 'public, max-age=0, s-maxage=60, stale-while-revalidate=0', url);
      assert.equal(headers['cdn-cache-control'], 'max-age=54, stale-while-revalidate=6', url);
      assert.equal(headers['cache-tag'], tags, url);
      assert.equal(headers['surrogate-key'], tags.replaceAll(',', ' '), url);
      const repeated = await dispatch({ url, headers: { 'if-none-match': String(headers.etag) } });
      assert.equal(repeated.statusCode, 304, url);
      assert.equal(repeated.headers['cache-control'], headers['cache-control'], url);
      assert.equal(repeated.headers['cache-tag'], tags, url);
    }
  }
});

test('no cache keeps the counted detail, errors, previews or what is for operators', async t => {
  const { dispatch } = await startService(t, files, options);
  for (const [url, expected] of [
    ['/api/news/1', 'no-store'],
    ['/api/news/99', 'no-store'],
    ['/api/news?limit=0', 'no-store'],
    [PRICE.replace('=11', '=99'), 'no-store'],
    ['/images/none.png', 'no-store'],
    ['/nowhere', 'no-store'],
    ['/preview/2035-01-01/api/news', 'no-store'],
    ['/preview/2035-01-01/api/products', 'no-store'],
    ['/preview/2035-01-01/feeds/news.rss', 'no-store'],
    ['/preview/2035-01-01/images/launch.png', 'no-store'],
    ['/history', 'no-store'],
    ['/health', 'no-store'],
    ['/metrics', 'no-store'],
    ['/changes', 'no-cache'],
    ['/overview', 'no-cache'],
    ['/overview/news', 'no-cache'],
    ['/overview/news/1', 'no-cache'],
    ['/overview/rows?catalog=news', 'no-cache'],
  ] as const) {
    const { headers } = await dispatch({ url, headers: { authorization } });
    assert.equal(headers['cache-control'], expected, url);
    assertUntold(headers, url);
  }
});

test('without CACHE_MAX_AGE, every cache asks each time, and no answer has tags', async t => {
  const { dispatch } = await startService(t, files, { newsUrl });
  for (const url of Object.keys(kept)) {
    const { headers } = await dispatch(url);
    assert.equal(headers['cache-control'], 'no-cache', url);
    assertUntold(headers, url);
  }
});

function assertUntold(headers: object, url: string) {
  for (const name of ['cdn-cache-control', 'cache-tag', 'surrogate-key'])
    assert.ok(!(name in headers), `${name} of ${url}`);
}

const scheduled = shopWith({
  'news.json': [
    { id: 1, title: 'Comes', content: 'text', create_time: 1_700_000_000, publish_time: NOW + 20 },
    {
      id: 2,
      title: 'Goes',
      content: 'text',
      create_time: 1_700_000_000,
      unpublish_time: NOW + 50,
      img: 'launch.png',
    },
  ],
});

test('a lifetime ends with the next scheduled change, where the clock can change the answer', async t => {
  let now = NOW;
  const { dispatch } = await startService(
    t,
    { ...scheduled, 'launch.png': 'png' },
    { ...options, cacheMaxAge: 600 },
    () => now,
  );
  const lifetimeOf = async (url: string) => {
    const { headers } = await dispatch(url);
    return Number(/s-maxage=(\d+)/.exec(String(headers['cache-control']))?.[1]);
  };
  for (const [after, expected] of [
    [0, 20],
    [0.9, 20],
    [1, 19],
    [19, 1],
    [19.999, 1],
    [20, 30],
    [49, 1],
    [50, 600],
  ] as const) {
    now = NOW + after;
    for (const url of ['/api/news', '/api/news?type_id=1', '/api/news?keyword=goes', '/feeds/news.atom'])
      assert.equal(await lifetimeOf(url), expected, `${url} after ${after} s`);
    if (after < 50) assert.equal(await lifetimeOf('/images/launch.png'), expected);
    for (const url of ['/api/products', '/api/recommend-config?product_id=1', PRICE, '/api/news-types'])
      assert.equal(await lifetimeOf(url), 600, `${url} after ${after} s`);
  }
});

test('the time for which a stale answer may be used is a part of the lifetime', () => {
  for (const [maxAge, until, headers] of [
    [1, Number.POSITIVE_INFINITY, 'max-age=1, stale-while-revalidate=0'],
    [9, Number.POSITIVE_INFINITY, 'max-age=9, stale-while-revalidate=0'],
    [10, Number.POSITIVE_INFINITY, 'max-age=9, stale-while-revalidate=1'],
    [604_800, NOW + 100, 'max-age=90, stale-while-revalidate=10'],
  ] as const) {
    assert.equal(cachingHeaders({ tags: ['news'], until }, maxAge, NOW)['cdn-cache-control'], headers);
  }
});

test('an answer that the clock has changed while it was made is not kept', () => {
  assert.deepEqual(cachingHeaders({ tags: ['news'], until: NOW }, 60, NOW), { 'cache-control': 'no-cache' });
});
