import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shopWith } from '../support/catalogs.ts';
import { startService } from '../support/service.ts';

const documentHeaders = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
};
const ofApi = [
  ...['/api/news', '/api/news/1', '/api/products', '/api/recommend-config?product_id=1', '/api/news/abc'],
  ...['/api/nothing', '/api/%zz'],
];
const ofOperators = [
  '/health',
  '/health/live',
  '/overview',
  '/changes',
  '/nothing',
  '/apia',
  '/images/none.png',
];
const ofPeople = ['/images/launch.png', '/'];

test('search engines are kept from the API, documents run nothing, and all types are to be trusted', async t => {
  for (const basePath of ['', '/shop']) {
    const { dispatch } = await startService(t, shopWith({ 'launch.png': 'an image' }), { basePath });
    for (const url of [...ofApi, ...ofOperators, ...ofPeople]) {
      const { headers } = await dispatch(basePath + url);
      assert.equal(headers['x-content-type-options'], 'nosniff', url);
      assert.equal(headers['x-robots-tag'], ofApi.includes(url) ? 'noindex' : undefined, url);
      const version = url === '/api/%zz' ? /^undefined$/ : /^[0-9a-f]{12}$/;
      assert.match(String(headers['catalog-version']), version, url);
      if (ofPeople.includes(url)) continue;
      for (const [name, value] of Object.entries(documentHeaders))
        assert.equal(headers[name], ofApi.includes(url) ? undefined : value, `${name} of ${url}`);
    }
  }
});
