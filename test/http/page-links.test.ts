import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import Fastify from 'fastify';
import { vitrine } from '../../src/index.ts';
import { afterTest } from '../support/after-test.ts';
import { shop, writeFiles } from '../support/catalogs.ts';
import { startService } from '../support/service.ts';

/** The targets of a Link header by their relations (RFC 8288). */
function linksIn(header: unknown): Record<string, string> {
  if (header === undefined) return {};
  const links = String(header)
    .split(', ')
    .map(link => /^<([^<>\s]*)>; rel="(next|prev)"$/.exec(link) ?? assert.fail(link));
  return Object.fromEntries(links.map(([, target = '', relation = '']) => [relation, target]));
}

test('a page has links to the next and the previous one, and a single page has none', async t => {
  const { ask } = await startService(t);
  const cases: [url: string, next: string | undefined, prev: string | undefined][] = [
    ['/api/news', undefined, undefined],
    ['/api/news?limit=4', undefined, undefined],
    ['/api/news?limit=3', '?page=2&limit=3', undefined],
    ['/api/news?limit=2&page=2', undefined, '?page=1&limit=2'],
    ['/api/news?limit=1&page=2', '?page=3&limit=1', '?page=1&limit=1'],
    ['/api/news?page=9', undefined, '?page=1'],
    ['/api/news?limit=1&page=9007199254740991', undefined, '?page=4&limit=1'],
    ['/api/news?type_id=99&page=2', undefined, '?page=1&type_id=99'],
    ['/api/news?limit=1&utm_source=x', '?page=2&limit=1', undefined],
    ['/api/products?limit=2', '?page=2&limit=2', undefined],
    ['/api/news-types?limit=1&page=2', undefined, '?page=1&limit=1'],
    ['/overview/news?limit=3&type_id=', '?page=2&limit=3', undefined],
    ['/api/recommend-config?limit=2&product_id=1', '?page=2&product_id=1&limit=2', undefined],
  ];
  for (const [url, next, prev] of cases) {
    const links = linksIn((await ask(url)).headers.link);
    assert.deepEqual([links.next, links.prev], [next, prev], url);
  }
});

test('following the links leads through the whole list, and back', async t => {
  const { ask } = await startService(t, shop, { basePath: '/shop', timeZone: 'Asia/Shanghai' });
  const query =
    'keyword=%20&limit=1&since=2024-01-01&until=2024-03-01&ids=4,3,1&sort=read&include=type_id,img';
  for (const list of [
    `/shop/api/news?${query}`,
    '/shop/api/news?limit=1&keyword=E+%26%23%3E',
    '/shop/api/recommend-config?product_id=1&include_durations=1&limit=1',
  ]) {
    const whole = (await ask(list.replace('limit=1', 'limit=100'))).data.list;
    const seen = [];
    let url: string | undefined = list;
    let back: string | undefined;
    while (url !== undefined) {
      const { data, headers } = await ask(url);
      seen.push(...data.list);
      const { next, prev } = linksIn(headers.link);
      assert.equal(prev !== undefined, seen.length > 1);
      if (prev) back = new URL(prev, `http://a${url}`).pathname + new URL(prev, `http://a${url}`).search;
      url = next && new URL(next, `http://a${url}`).pathname + new URL(next, `http://a${url}`).search;
    }
    assert.deepEqual(seen, whole);
    if (back) assert.deepEqual((await ask(back)).data.list, whole.slice(-2, -1));
  }
});

test('HEAD and 304 have the same links as GET, also below a prefix', async t => {
  const { dispatch } = await startService(t);
  const url = '/api/news?limit=1&page=2';
  const { headers } = await dispatch(url);
  for (const request of [
    { method: 'HEAD', url },
    { url, headers: { 'if-none-match': String(headers.etag) } },
    { method: 'HEAD', url, headers: { 'if-none-match': String(headers.etag) } },
  ] as const) {
    const answer = await dispatch(request);
    assert.deepEqual([answer.headers.link, answer.body], [headers.link, '']);
  }
  const host = Fastify({ pluginTimeout: 0 });
  const dir = await writeFiles(t, shop);
  afterTest(t, () => host.close());
  host.register(vitrine, { prefix: '/a/b', catalogDir: dir, imagesDir: dir, stateDir: join(dir, 'state') });
  assert.equal((await host.inject(`/a/b${url}`)).headers.link, headers.link);
});

test('details, prices and errors have no links', async t => {
  const { ask } = await startService(t);
  for (const url of ['/api/news/1', '/api/news?page=0', '/health', '/api/recommend-config?page=2']) {
    assert.equal((await ask(url)).headers.link, undefined, url);
  }
});
