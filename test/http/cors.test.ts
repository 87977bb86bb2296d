import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify from 'fastify';
import { isShared, routedPath } from '../../src/http/plugins/headers.ts';
import { shopWith } from '../support/catalogs.ts';
import { startService } from '../support/service.ts';

const origin = 'https://shop.test';
const asked = { 'access-control-request-method': 'GET', 'access-control-request-headers': 'x-trace' };
const preflight = { method: 'OPTIONS', headers: { origin, ...asked } };

const ofApi =
  '/api/news /api/news/1 /api/products /api/recommend-config?product_id=1 /api/news/abc /api/nothing /api/%zz';
/** What is for pages of other sites, errors too, and what is not. */
const shared = `${ofApi} /images/none.png /feeds/news.atom /feeds/news.json?type_id=x /changes /documentation/json /documentation/yaml?`;
const operational =
  '/health /health/live /health/ready /metrics /overview /overview/rows?catalog=prices /overview/prices?product_id=1 / /page/main.js /favicon.ico /documentation /documentation/ /documentation/x /docs /robots.txt /api /apia /nowhere /nowhere/api/news';

const documentHeaders = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
};

for (const basePath of ['', '/shop']) {
  test(`pages of other origins may read the API, images, feeds and the document below "${basePath}", and nothing else`, async t => {
    const newsUrl = 'https://shop.test/{id}';
    for (const corsOrigin of ['*' as const, [origin]]) {
      const { dispatch } = await startService(t, undefined, { basePath, newsUrl, corsOrigin });
      const originOf = async (url: string, method = 'GET') => {
        const { headers } = await dispatch({ url, method, headers: { origin } });
        const allowed = headers['access-control-allow-origin'];
        const exposed = allowed && 'ETag, Catalog-Version, Retry-After, Link';
        assert.equal(headers['access-control-expose-headers'], exposed, url);
        assert.equal(String(headers.vary).split(', ').includes('Origin'), allowed === origin, url);
        return allowed;
      };
      for (const url of shared.split(' ')) {
        assert.equal(await originOf(basePath + url), String(corsOrigin), url);
        if (url.includes('%zz')) continue;
        const { statusCode, headers } = await dispatch({ url: basePath + url, ...preflight });
        const allowed = ['methods', 'headers'].map(what => headers[`access-control-allow-${what}`]);
        assert.deepEqual([statusCode, ...allowed], [204, 'GET, HEAD', 'x-trace'], url);
      }
      for (const url of operational.split(' ')) {
        assert.equal(await originOf(basePath + url), undefined, url);
        const { statusCode, headers } = await dispatch({ url: basePath + url, ...preflight });
        assert.ok(statusCode === 405 || statusCode === 404, url);
        assert.equal(headers['access-control-allow-methods'], undefined, url);
      }
      assert.equal(await originOf(`${basePath}/api/news`, 'POST'), String(corsOrigin));
      const noOrigin = { url: `${basePath}/api/news`, method: 'OPTIONS', headers: asked };
      assert.equal((await dispatch(noOrigin)).statusCode, 405);
      if (basePath)
        for (const url of ['/api/news', '/nope/api/news']) assert.equal(await originOf(url), undefined, url);
    }
  });

  test(`search engines are kept from the API below "${basePath}", documents run nothing, and all types are to be trusted`, async t => {
    const { dispatch } = await startService(t, shopWith({ 'launch.png': 'an image' }), { basePath });
    const ofOperators = '/health /health/live /overview /changes /nothing /apia /images/none.png';
    const [api, operators, people] = [ofApi, ofOperators, '/images/launch.png /'].map(urls =>
      urls.split(' '),
    );
    for (const url of [...(api ?? []), ...(operators ?? []), ...(people ?? [])]) {
      const { headers } = await dispatch(basePath + url);
      const isApi = api?.includes(url);
      assert.equal(headers['x-content-type-options'], 'nosniff', url);
      assert.equal(headers['x-robots-tag'], isApi ? 'noindex' : undefined, url);
      assert.equal(/^[0-9a-f]{12}$/.test(String(headers['catalog-version'])), url !== '/api/%zz', url);
      if (people?.includes(url)) continue;
      for (const [name, value] of Object.entries(documentHeaders))
        assert.equal(headers[name], isApi ? undefined : value, `${name} of ${url}`);
    }
  });
}

test('with a list of origins, only their pages may read responses; with an empty one, none', async t => {
  const listed = await startService(t, undefined, { corsOrigin: [origin, 'https://www.shop.test:8443'] });
  const off = await startService(t, undefined, { corsOrigin: [] });
  const strangers = ['https://evil.test', 'https://shop.test.evil.test', 'null'];
  for (const one of [origin, 'https://www.shop.test:8443', ...strangers]) {
    const [seen, none] = await Promise.all(
      [listed, off].map(async ({ ask }) => (await ask('/api/news', { headers: { origin: one } })).headers),
    );
    const allowed = strangers.includes(one) ? undefined : one;
    assert.equal(seen?.['access-control-allow-origin'], allowed, one);
    assert.match(seen?.vary ?? '', /^Origin\b/, one);
    assert.equal(none?.['access-control-allow-origin'], undefined);
    assert.doesNotMatch(none?.vary ?? '', /Origin/);
  }
  assert.equal((await off.ask('/api/news', preflight)).status, 405);
});

test("the path of a request is the one that Fastify's router matches, however the target is written", () => {
  const app = Fastify();
  app.get('/', () => {});
  app.get('/api/news', () => {});
  const routeOf = (url: string) => app.findRoute({ method: 'GET', url })?.handler ?? assert.fail(url);
  for (const [target, path] of [
    ['/api/news', '/api/news'],
    ['/api/news?a=/b', '/api/news'],
    ['/api/news#top', '/api/news'],
    ['/%61pi/new%73?a', '/api/news'],
    ['http://a/api/news?b', '/api/news'],
    ['HTTPS://user@a:1/%61pi/news', '/api/news'],
    ['http://[::1]:80/api/news', '/api/news'],
    ['http://a', '/'],
    ['http://a?b=/c', '/'],
  ] as const) {
    assert.equal(routedPath(target), path, target);
    assert.equal(routeOf(target), routeOf(path), target);
  }
  const other = Fastify();
  other.get('/api/news', () => {});
  for (const target of ['*', '/api%2Fnews', '//api/news', '/%2561pi/news', 'ftp://a/api/news']) {
    assert.equal(other.findRoute({ method: 'GET', url: target }), null, target);
    assert.equal(isShared(routedPath(target), ''), false, target);
  }
});
