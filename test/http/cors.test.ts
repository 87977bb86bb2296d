import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import Fastify from 'fastify';
import { vitrine } from '../../src/index.ts';
import { afterTest } from '../support/after-test.ts';
import { shop, writeFiles } from '../support/catalogs.ts';
import { startService } from '../support/service.ts';

const preflight = {
  method: 'OPTIONS',
  headers: {
    origin: 'https://shop.test',
    'access-control-request-method': 'GET',
    'access-control-request-headers': 'x-trace',
  },
} as const;

/** What is for pages of other sites, errors too, and what is not. */
const shared = [
  ...['/api/news', '/api/news/1', '/api/news/abc', '/api/news/%zz', '/api/nothing', '/images/none.png'],
  ...['/feeds/news.atom', '/feeds/news.json?type_id=x', '/documentation/json', '/documentation/yaml?'],
  '/openapi.json',
];
const operational = [
  ...['/health', '/health/live', '/health/ready', '/metrics', '/overview', '/overview/news'],
  ...['/overview/prices?product_id=1', '/overview/rows?catalog=prices'],
  ...['/', '/page/main.js', '/favicon.ico', '/documentation', '/documentation/', '/documentation/x'],
  ...['/docs', '/robots.txt'],
  ...['/documentation/static/swagger-ui.css', '/api', '/nowhere', '/nowhere/api/news'],
];

for (const basePath of ['', '/shop']) {
  test(`pages of other origins may read the API, images, feeds and the document below "${basePath}", and nothing else`, async t => {
    const newsUrl = 'https://shop.test/{id}';
    for (const corsOrigin of ['*' as const, ['https://shop.test']]) {
      const { dispatch } = await startService(t, undefined, { basePath, newsUrl, corsOrigin });
      const originOf = async (url: string, method: 'GET' | 'POST' = 'GET') => {
        const { headers } = await dispatch({ url, method, headers: { origin: 'https://shop.test' } });
        const origin = headers['access-control-allow-origin'];
        assert.equal(headers['access-control-expose-headers'] !== undefined, origin !== undefined, url);
        const varies = String(headers.vary).split(', ').includes('Origin');
        assert.equal(varies, origin === 'https://shop.test', url);
        return origin;
      };
      for (const url of shared) assert.equal(await originOf(basePath + url), String(corsOrigin), url);
      for (const url of operational) assert.equal(await originOf(basePath + url), undefined, url);
      assert.equal(await originOf(`${basePath}/api/news`, 'POST'), String(corsOrigin));
      if (basePath) assert.equal(await originOf('/api/news'), undefined);
    }
  });
}

test('preflights work for shared paths; elsewhere OPTIONS is a wrong method', async t => {
  const { ask } = await startService(t);
  for (const url of ['/api/news', '/api/nothing', '/images/a.png', '/documentation/json'])
    assert.equal((await ask(url, preflight)).status, 204, url);
  for (const url of ['/health', '/metrics', '/overview', '/', '/documentation/']) {
    const { status, headers } = await ask(url, preflight);
    assert.deepEqual([status, headers['access-control-allow-methods']], [405, undefined], url);
  }
});

test('the plugin shares the paths below its prefix', async t => {
  const host = Fastify({ pluginTimeout: 0 });
  const dir = await writeFiles(t, shop);
  afterTest(t, () => host.close());
  const options = { catalogDir: dir, imagesDir: dir };
  // Below a prefix that is itself like one of the shared paths, too.
  host.register(vitrine, { prefix: '/api', ...options, stateDir: join(dir, 'one') });
  host.register(vitrine, { prefix: '/two/', ...options, stateDir: join(dir, 'two') });
  const originOf = async (url: string) => (await host.inject(url)).headers['access-control-allow-origin'];
  for (const prefix of ['/api', '/two']) {
    assert.equal(await originOf(`${prefix}/api/news`), '*', prefix);
    assert.equal(await originOf(`${prefix}/health`), undefined, prefix);
  }
});

test('by default, pages of any origin may read responses, errors too', async t => {
  const { ask } = await startService(t);
  for (const url of ['/api/news', '/api/news/1', '/api/news/abc']) {
    const { headers } = await ask(url, { headers: { origin: 'https://shop.test' } });
    assert.equal(headers['access-control-allow-origin'], '*', url);
    assert.equal(headers['access-control-expose-headers'], 'ETag, Catalog-Version, Retry-After, Link', url);
    assert.doesNotMatch(headers.vary ?? '', /Origin/, url);
  }
});

test('OPTIONS answers a preflight with 204', async t => {
  const { ask } = await startService(t);
  const { status, headers, text } = await ask('/api/news', preflight);
  assert.equal(status, 204);
  assert.equal(text, '');
  assert.equal(headers['access-control-allow-methods'], 'GET, HEAD');
  assert.equal(headers['access-control-allow-headers'], 'x-trace');
});

test('without an Origin header, it is not a preflight', async t => {
  const { ask } = await startService(t);
  const headers = { 'access-control-request-method': 'GET' };
  assert.equal((await ask('/api/news', { method: 'OPTIONS', headers })).status, 405);
});

test('with a list of origins, only their pages may read responses', async t => {
  const { ask } = await startService(t, undefined, {
    corsOrigin: ['https://shop.test', 'https://www.shop.test:8443'],
  });
  for (const [origin, allowed] of [
    ['https://shop.test', 'https://shop.test'],
    ['https://www.shop.test:8443', 'https://www.shop.test:8443'],
    ['https://evil.test', undefined],
    ['https://shop.test.evil.test', undefined],
    ['null', undefined],
  ] as const) {
    const { headers } = await ask('/api/news', { headers: { origin } });
    assert.equal(headers['access-control-allow-origin'], allowed, origin);
    assert.match(headers.vary ?? '', /^Origin\b/, origin);
  }
});

test('with CORS_ORIGIN off there are no such headers, and a preflight is a wrong method', async t => {
  const { ask } = await startService(t, undefined, { corsOrigin: [] });
  const { headers } = await ask('/api/news', { headers: { origin: 'https://shop.test' } });
  assert.equal(headers['access-control-allow-origin'], undefined);
  assert.doesNotMatch(headers.vary ?? '', /Origin/);
  assert.equal((await ask('/api/news', preflight)).status, 405);
});
