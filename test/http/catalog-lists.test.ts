import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shop, shopWith } from '../support/catalogs.ts';
import { startService } from '../support/service.ts';

const products = [
  { id: 1, name: 'Cloud server', description: 'Small & quick' },
  { id: 2, name: '香港云服务器' },
  { id: 3, name: 'Sold out' },
];

test('lists the products by id, with their descriptions if any, and the news categories', async t => {
  const reversed = shopWith({ 'products.json': products.toReversed() });
  for (const files of [shop, reversed]) {
    const { ask } = await startService(t, files);
    const answer = await ask('/api/products');
    assert.deepEqual(answer.data, { list: products, pagination: { current_page: 1, total: 3 } });
    assert.deepEqual(Object.keys(answer.data.list[0] ?? {}), ['id', 'name', 'description']);
    assert.match(String(answer.headers.etag), /^"/);
    assert.equal(answer.headers['cache-control'], 'no-cache');
  }
  const { ask } = await startService(t);
  assert.deepEqual((await ask('/api/news-types')).data, {
    list: [
      { id: 1, name: 'Announcements' },
      { id: 2, name: 'Maintenance' },
    ],
    pagination: { current_page: 1, total: 2 },
  });
});

test('pages them, and reports a wrong page', async t => {
  const { ask } = await startService(t);
  const { data, headers } = await ask('/api/products?page=2&limit=2');
  assert.deepEqual(data, { list: products.slice(2), pagination: { current_page: 2, total: 3 } });
  const again = await ask('/api/products?page=2&limit=2', {
    headers: { 'if-none-match': String(headers.etag) },
  });
  assert.deepEqual([again.status, again.text], [304, '']);
  assert.deepEqual((await ask('/api/news-types?page=9')).data, {
    list: [],
    pagination: { current_page: 9, total: 2 },
  });
  for (const path of ['/api/products', '/api/news-types']) {
    assert.equal((await ask(`${path}?limit=101`)).data.details[0].parameter, 'limit');
    assert.equal((await ask(`${path}?page=1&page=2`)).data.details[0].parameter, 'page');
  }
});

test('a site without categories has an empty list of them, and one without catalogs is not ready', async t => {
  const news = [{ id: 1, title: 'A', content: 'B', create_time: 1_700_000_001 }];
  const { ask } = await startService(t, shopWith({ 'news_types.json': null, 'news.json': news }));
  assert.deepEqual((await ask('/api/news-types')).data.list, []);
  const empty = await startService(t, {});
  assert.equal((await empty.ask('/api/products')).data.error, 'NOT_READY');
});
