import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ErrorCode, errors } from '../../src/errors.ts';
import { NOW, startService, type TestRequest } from '../support/service.ts';
import { converse, envelopeCode } from '../support/wire.ts';
import { cases } from './wire-cases.ts';

interface Exit extends TestRequest {
  error: ErrorCode;
  allow?: string;
  message?: string;
}

const body = { payload: '{bad', headers: { 'content-type': 'application/json' } };
const PRICE = '/api/recommend-config/price';
const priceOf = (product: number, configuration: number, duration: number) =>
  `${PRICE}?product_id=${product}&recommend_config_id=${configuration}&duration_id=${duration}`;
const noPrice = 'no price for this product, configuration and duration';
const unknown =
  '/index.html /page /page/ /page/index.html /page/main.tsx /page/nothing.js /page/constructor /documentation/toString /page/..%2f..%2fpackage.json /page/../../package.json /documentation/x /documentation/static/index.html /documentation/static/nothing.js /documentation/static/%2e%2e%2fpackage.json /api /api/ /api/news/ /api/news/1/ /api/news/1/2 /API/news /api/recommend-config/ /nowhere?product_id=1 /feeds/news.atom /feeds/news.rss?type_id=x /feeds/news.json';
const noHost = 'malformed request: the URL has no valid host';
const badEscape = 'malformed request: the URL has an invalid percent-encoding; write a percent sign as %25';
const exits: Exit[] = [
  { url: 'http:///api/news', error: 'BAD_REQUEST', message: noHost },
  { url: 'http://a:99999/api/news', error: 'BAD_REQUEST', message: noHost },
  { url: 'http://a/api/%zz', error: 'BAD_REQUEST', message: badEscape },
  { url: priceOf(9, 99, 999), error: 'PRODUCT_NOT_FOUND', message: 'product 9 not found' },
  { url: priceOf(1, 99, 999), error: 'CONFIGURATION_NOT_FOUND', message: 'configuration 99 not found' },
  { url: priceOf(1, 14, 2), error: 'CONFIGURATION_NOT_FOUND', message: 'configuration 14 not found' },
  { url: priceOf(1, 11, 999), error: 'DURATION_NOT_FOUND', message: 'duration 999 not found' },
  { url: priceOf(1, 12, 1), error: 'PRICE_NOT_FOUND', message: noPrice },
  { url: priceOf(2, 11, 1), error: 'PRICE_NOT_FOUND', message: noPrice },
  { url: '/api/news/5', error: 'NEWS_NOT_FOUND', message: 'news item 5 not found' },
  { url: '/api/news/6', error: 'NEWS_NOT_FOUND' },
  { url: '/api/news/9007199254740991', error: 'NEWS_NOT_FOUND' },
  ...unknown.split(' ').map((url): Exit => ({ url, error: 'ROUTE_NOT_FOUND' })),
  { url: '/nowhere', method: 'POST', ...body, error: 'ROUTE_NOT_FOUND' },
  { url: '/api/news/', method: 'POST', ...body, error: 'ROUTE_NOT_FOUND' },
  // Without a token, the history and checks are unknown.
  ...['/history', '/history/unpin', '/check'].flatMap(url =>
    ['GET', 'HEAD', 'POST', 'OPTIONS', 'DELETE', 'PROPFIND'].map(
      (method): Exit => ({ url, method, error: 'ROUTE_NOT_FOUND' }),
    ),
  ),
  ...['OPTIONS', 'PROPFIND', 'POST', 'PUT', 'PATCH', 'DELETE'].flatMap(method =>
    ['/api/news', '/api/news/1', '/api/news?limit=0', PRICE, '/', '/page/main.js'].map(
      (url): Exit => ({ url, method, ...body, error: 'METHOD_NOT_ALLOWED', allow: 'GET, HEAD' }),
    ),
  ),
];

test('every error response is an envelope with the status of its error', async t => {
  const { ask } = await startService(t);
  for (const { error, allow, message, url, ...options } of exits) {
    const { status, headers, data, body } = await ask(url, options);
    const what = `${options.method ?? 'GET'} ${url}`;
    if (options.method !== 'HEAD') assert.equal(data.error, error, what);
    if (message) assert.deepEqual([body.message, data.details], [message, []], what);
    const seen = [status, headers.allow, headers['cache-control']];
    assert.deepEqual(seen, [errors[error].status, allow, 'no-store'], what);
  }
});

test('an internal error is 500 with the id of the request, and discloses nothing else', async t => {
  let broken = true;
  const { ask } = await startService(t, undefined, {}, () => {
    if (broken) throw new Error('the clock stands still at /etc/secret');
    return NOW;
  });
  const { status, body: envelope, text } = await ask('/api/news');
  assert.equal(status, 500);
  assert.match(envelope.message, /^internal error; see request req-\w+ in the log$/);
  assert.deepEqual(envelope.data, { error: 'INTERNAL_ERROR', details: [] });
  assert.doesNotMatch(text, /clock|secret|\.ts/);
  broken = false;
  assert.equal((await ask('/api/news')).status, 200);
});

test('any bytes from a client get envelopes, and the connection is kept or closed as HTTP says', async t => {
  const { listen } = await startService(t);
  const port = await listen();
  for (const [what, sent, expected, after] of cases) {
    await t.test(what, async () => {
      const bytes = typeof sent === 'string' ? Buffer.from(sent, 'latin1') : sent;
      const { answers, closed } = await converse(port, bytes);
      assert.deepEqual(answers.map(envelopeCode), expected);
      const statuses = expected.map(code => (code === 'ok' ? 200 : errors[code].status));
      for (const [index, { status }] of answers.entries()) assert.equal(status, statuses[index]);
      assert.equal(closed, after !== 'keeps');
      assert.equal(answers.at(-1)?.headers.connection === 'close', after === 'closes');
    });
  }
});
