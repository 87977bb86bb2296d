import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shopWith } from '../catalogs.ts';
import { startService } from '../service.ts';
import { countWork } from '../work.ts';

const ROWS = 500;
const news = Array.from({ length: ROWS }, (_, index) => ({
  id: index + 1,
  title: `通知 ${index}`,
  content: '香港节点维护'.repeat(10),
  create_time: index,
}));
const PRICE = '/api/recommend-config/price?product_id=1&recommend_config_id=11&duration_id=1';
const LIST = '/api/recommend-config?product_id=1&include_durations=true';

/** Asks twice and tells the work of the second time, and how many bytes its body has. */
async function workOf(t: Parameters<typeof startService>[0], url: string, isFresh = false) {
  const { dispatch } = await startService(t, shopWith({ 'news.json': news }));
  const first = await dispatch(url);
  const headers = isFresh ? { 'if-none-match': String(first.headers.etag) } : {};
  const { result, ...work } = await countWork(() => dispatch({ url, headers }));
  assert.equal(result.statusCode, isFresh ? 304 : 200);
  return { ...work, bytes: result.rawPayload.length };
}

for (const url of [
  PRICE,
  LIST,
  '/api/news?limit=100',
  '/api/news?limit=10&page=7&type_id=',
  '/api/news/77',
]) {
  test(`the second ${url} is sent as the first was, and no byte of it is copied`, async t => {
    const { stringified, copied } = await workOf(t, url);
    assert.deepEqual({ stringified, copied }, { stringified: 0, copied: 0 });
  });
}

test('a list whose counts have changed is assembled anew, without JSON, each byte once', async t => {
  const { dispatch } = await startService(t, shopWith({ 'news.json': news }));
  for (const url of ['/api/news?limit=100', '/api/news/450']) await dispatch(url);
  const { result, stringified, copied } = await countWork(() => dispatch('/api/news?limit=100'));
  assert.equal(stringified, 0);
  assert.ok(copied > 0 && copied <= result.rawPayload.length, `${copied} bytes were copied`);
});

test('a detail is cut out when it is read for the first time, without JSON, each byte once', async t => {
  const { dispatch } = await startService(t, shopWith({ 'news.json': news }));
  await dispatch('/api/news/78');
  const { result, stringified, copied } = await countWork(() => dispatch('/api/news/77'));
  assert.equal(stringified, 0);
  const bytes = result.rawPayload.length;
  assert.ok(copied > 0 && copied <= bytes, `${copied} bytes were copied for ${bytes}`);
});

for (const url of [LIST, PRICE, '/api/news?limit=100']) {
  test(`where the client has ${url} already, no byte of it is assembled`, async t => {
    const { stringified, copied, bytes } = await workOf(t, url, true);
    assert.deepEqual({ stringified, copied, bytes }, { stringified: 0, copied: 0, bytes: 0 });
  });
}

test('the first list after a start makes no JSON of news, which the worker has done', async t => {
  const { dispatch } = await startService(t, shopWith({ 'news.json': news }));
  await dispatch('/health/live');
  const { stringified } = await countWork(() => dispatch('/api/news?limit=100'));
  assert.equal(stringified, 0);
});
