import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startService } from '../service.ts';

const preflight = {
  method: 'OPTIONS',
  headers: {
    origin: 'https://shop.test',
    'access-control-request-method': 'GET',
    'access-control-request-headers': 'x-trace',
  },
} as const;

test('by default pages of any origin may read the answers, errors too', async t => {
  const { ask } = await startService(t);
  for (const url of ['/api/news', '/api/news/1', '/api/news/abc', '/nowhere']) {
    const { headers } = await ask(url, { headers: { origin: 'https://shop.test' } });
    assert.equal(headers['access-control-allow-origin'], '*', url);
    assert.equal(headers['access-control-expose-headers'], 'ETag, Catalog-Version, Retry-After', url);
    assert.equal(headers.vary, undefined, url);
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

test('without an origin it is no preflight', async t => {
  const { ask } = await startService(t);
  const headers = { 'access-control-request-method': 'GET' };
  assert.equal((await ask('/api/news', { method: 'OPTIONS', headers })).status, 405);
});

test('with a list of origins only pages of these may read the answers', async t => {
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
    assert.equal(headers.vary, 'Origin', origin);
  }
});

test('with CORS_ORIGIN off there are no such headers, and a preflight is a wrong method', async t => {
  const { ask } = await startService(t, undefined, { corsOrigin: [] });
  const { headers } = await ask('/api/news', { headers: { origin: 'https://shop.test' } });
  assert.equal(headers['access-control-allow-origin'], undefined);
  assert.equal(headers.vary, undefined);
  assert.equal((await ask('/api/news', preflight)).status, 405);
});
