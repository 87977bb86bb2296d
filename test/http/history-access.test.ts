import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import Fastify from 'fastify';
import { vitrine } from '../../src/index.ts';
import { afterTest } from '../support/after-test.ts';
import { shop, writeFiles } from '../support/catalogs.ts';
import { priced, startHistory } from '../support/http/histories.ts';
import { bearer, previewToken } from '../support/http/previews.ts';
import { startService } from '../support/service.ts';
import { converse, envelopeCode } from '../support/wire.ts';

const cookie = `vitrine_preview=${previewToken}`;
const origin = 'https://a.test';

test('a cookie with the token shows the history, and changes nothing', async t => {
  const { dispatch, controlFile, versions } = await startHistory(t, [priced('24.99')]);
  const [one] = versions;
  const statusOf = async (method: 'GET' | 'POST' | 'DELETE', url: string) =>
    (await dispatch({ method, url, headers: { cookie } })).statusCode;
  assert.equal(await statusOf('GET', '/history'), 200);
  for (const url of [`/history/${one}/pin`, `/history/${one}/publish`, '/history/unpin'])
    assert.equal(await statusOf('POST', url), 404, url);
  assert.equal(await statusOf('DELETE', '/history'), 404);
  assert.equal(await controlFile('pin'), undefined);
});

test('each path has its methods, and any other is 405 with Allow', async t => {
  const { ask } = await startHistory(t, []);
  for (const [url, allow] of [
    ['/history', 'GET, HEAD'],
    ['/history/790948ef4deb/pin', 'POST'],
    ['/history/unpin', 'POST'],
    ['/history/790948ef4deb/publish', 'POST'],
    ['/api/news', 'GET, HEAD'],
    ['/health', 'GET, HEAD'],
  ] as const) {
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PROPFIND']) {
      if (allow.includes(method)) continue;
      const { status, headers, body } = await ask(url, { method: method as 'GET' });
      assert.deepEqual([status, headers.allow], [405, allow], `${method} ${url}`);
      if (body) assert.equal(body.message, `method not allowed; use ${allow.replace(', ', ' or ')}`);
    }
  }
  assert.equal((await ask('/history/')).status, 404);
  assert.equal((await ask('/history//pin', { method: 'POST' })).status, 404);
});

for (const corsOrigin of ['*' as const, [origin]]) {
  test(`pages of other origins cannot use the history, with CORS_ORIGIN=${corsOrigin}`, async t => {
    const { dispatch, ask, versions } = await startHistory(t, [], { corsOrigin });
    for (const [method, url] of [
      ['GET', '/history'],
      ['POST', `/history/${versions[0]}/pin`],
      ['POST', '/history/unpin'],
      ['POST', '/history/abcdef/publish'],
    ] as const) {
      // What a browser asks before it sends the header of the token.
      const preflight = await dispatch({
        ...{ method: 'OPTIONS', url },
        headers: {
          origin,
          'access-control-request-method': method,
          'access-control-request-headers': 'authorization',
        },
      });
      const answer = await ask(url, { method, headers: { origin } });
      assert.equal(preflight.statusCode, 404, url);
      for (const { headers } of [preflight, answer])
        assert.deepEqual(
          Object.keys(headers).filter(name => name.startsWith('access-control-')),
          [],
          url,
        );
    }
  });
}

test('below a path, the history is there and hidden', async t => {
  const { ask } = await startService(t, undefined, { previewToken, basePath: '/shop', rateLimit: 5 });
  assert.equal((await ask('/shop/history', { headers: bearer })).status, 200);
  assert.equal((await ask('/shop/history', { method: 'DELETE', headers: bearer })).status, 405);
  for (const [url, status] of [
    ['/shop/history', 404],
    ['/history', 404],
    ['/shop/history', 404],
    ['/shop/history', 429],
  ] as const)
    assert.equal((await ask(url, { method: 'DELETE' })).status, status, url);
});

test('a whole address discloses no more than a path', async t => {
  const { listen } = await startService(t, undefined, { previewToken });
  const port = await listen();
  for (const address of ['http://a/history', 'HTTPS://a:80/history/unpin?x', 'http://a/%68istory']) {
    const { answers } = await converse(port, Buffer.from(`DELETE ${address} HTTP/1.1\r\nHost: a\r\n\r\n`));
    assert.deepEqual(answers.map(envelopeCode), ['ROUTE_NOT_FOUND'], address);
  }
});

test('in a host, the history is hidden below any prefix', async t => {
  const dir = await writeFiles(t, shop);
  const host = Fastify({ pluginTimeout: 0 });
  afterTest(t, () => host.close());
  const options = { catalogDir: dir, imagesDir: dir, stateDir: join(dir, 'state'), previewToken };
  host.register(vitrine, { prefix: '/:shop', ...options });
  host.post('/one/contact', () => 'thanks');
  const statusOf = async (method: 'GET' | 'POST', url: string, headers = {}) =>
    (await host.inject({ method, url, headers })).statusCode;
  assert.equal(await statusOf('GET', '/one/history', bearer), 200);
  assert.equal(await statusOf('GET', '/one/history'), 404);
  assert.equal(await statusOf('POST', '/one/history/unpin', { cookie }), 404);
  assert.equal(await statusOf('POST', '/one/history/unpin', bearer), 200);
  // Bodies are ignored there alone.
  assert.equal(await statusOf('POST', '/one/contact'), 200);
});
