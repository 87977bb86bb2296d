import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startService } from '../support/service.ts';
import { skipWithoutBuild } from '../support/skipping.ts';
import { countWork } from '../support/work.ts';

/** The docs that are served are those of the last build. */
const skip = skipWithoutBuild();

test('the docs page loads nothing from other origins', { skip }, async t => {
  const { dispatch } = await startService(t, undefined, { basePath: '/shop' });
  const { statusCode, headers } = await dispatch('/shop/documentation');
  assert.deepEqual([statusCode, headers.location], [308, './documentation/']);
  const page = await dispatch('/shop/documentation/');
  assert.match(page.body, /<title>Vitrine<\/title>/);
  const linked = Array.from(page.body.matchAll(/(?:src|href)="([^"]+)"/g), ([, url = '']) => url);
  assert.ok(linked.length > 3);
  for (const url of linked) {
    assert.match(url, /^\.\/static\/[\w.-]+$/);
    const { pathname } = new URL(url, 'http://a.test/shop/documentation/');
    assert.equal((await dispatch(pathname)).statusCode, 200, url);
  }
  assert.match(String(page.headers['content-security-policy']), /^default-src 'none'; script-src 'self';/);
});

test('a file of the docs is revalidated with 304, and a missing one is an error envelope', {
  skip,
}, async t => {
  const { ask, dispatch } = await startService(t);
  const url = '/documentation/static/swagger-ui.css';
  const { headers } = await dispatch(url);
  const again = await dispatch({ url, headers: { 'if-none-match': String(headers.etag) } });
  assert.deepEqual([again.statusCode, again.body], [304, '']);
  const head = await dispatch({ url, method: 'HEAD' });
  assert.deepEqual([head.headers['content-length'], head.body], [headers['content-length'], '']);
  for (const missing of [
    '/documentation/static/nothing.js',
    '/documentation/static/%2e%2e%2fpackage.json',
    '/documentation/x',
  ]) {
    assert.equal((await ask(missing)).data.error, 'ROUTE_NOT_FOUND', missing);
  }
});

test('the docs are files: no request generates any part of them', {
  skip,
}, async t => {
  const { dispatch } = await startService(t);
  await dispatch('/health/live');
  for (const path of ['', 'json', 'yaml', 'static/swagger-initializer.js']) {
    const { result, stringified } = await countWork(() => dispatch(`/documentation/${path}`));
    // Fastify makes JSON of the id of each request, for the log.
    assert.deepEqual([result.statusCode, stringified], [200, 1], path);
  }
});
