import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shopWith } from '../support/catalogs.ts';
import { startService } from '../support/service.ts';

test('every response tells browsers to trust its type and to run nothing', async t => {
  const { ask } = await startService(t);
  for (const url of [
    ...[
      '/api/news',
      '/api/news/1',
      '/api/recommend-config?product_id=1',
      '/health',
      '/health/live',
      '/overview',
    ],
    ...['/api/news/abc', '/api/news/%zz', '/nothing', '/images/none.png'],
  ]) {
    const { headers } = await ask(url);
    assert.equal(headers['x-content-type-options'], 'nosniff', url);
    assert.equal(headers['content-security-policy'], "default-src 'none'; frame-ancestors 'none'", url);
    assert.equal(headers['referrer-policy'], 'no-referrer', url);
    assert.equal(headers['cross-origin-resource-policy'], 'same-origin', url);
  }
});

test('search engines are kept from the API and its errors, but not from images and pages', async t => {
  for (const basePath of ['', '/shop']) {
    const { dispatch } = await startService(t, shopWith({ 'launch.png': 'an image' }), { basePath });
    for (const [urls, tag] of [
      [['/api/news', '/api/news/1', '/api/products', '/api/news/abc', '/api/nothing', '/api/%zz'], 'noindex'],
      [['/images/launch.png', '/', '/health', '/overview', '/nothing', '/apia'], undefined],
    ] as const) {
      for (const url of urls) {
        assert.equal((await dispatch(basePath + url)).headers['x-robots-tag'], tag, url);
      }
    }
  }
});
