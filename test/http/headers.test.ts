import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shopWith } from '../support/catalogs.ts';
import { startService } from '../support/service.ts';

const documentHeaders = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
};

test('every response tells browsers to trust its type, and one that they may show to run nothing', async t => {
  const { ask } = await startService(t);
  for (const [urls, isShown] of [
    [
      ['/api/news', '/api/news/1', '/api/recommend-config?product_id=1', '/api/news/abc', '/api/news/%zz'],
      false,
    ],
    [['/health', '/health/live', '/overview', '/changes', '/nothing', '/images/none.png'], true],
  ] as const) {
    for (const url of urls) {
      const { headers } = await ask(url);
      assert.equal(headers['x-content-type-options'], 'nosniff', url);
      for (const [name, value] of Object.entries(documentHeaders)) {
        assert.equal(headers[name], isShown ? value : undefined, `${name} of ${url}`);
      }
    }
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
