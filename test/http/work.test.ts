import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { shopWith } from '../support/catalogs.ts';
import { startService } from '../support/service.ts';
import { countWork } from '../support/work.ts';

const ROWS = 500;
const news = Array.from({ length: ROWS }, (_, index) => ({
  id: index + 1,
  title: `通知 ${index}`,
  content: '香港节点维护'.repeat(10),
  create_time: 1_700_000_000 + index,
}));
const PRICE = '/api/recommend-config/price?product_id=1&recommend_config_id=11&duration_id=1';
const LIST = '/api/recommend-config?product_id=1&include_durations=true';

/** Asks twice and tells the work of the second time, and how many bytes its body has. */
async function workOf(t: TestContext, url: string, isFresh = false) {
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
  test(`the second response to ${url} is the cached first one, and copies nothing`, async t => {
    const { stringified, copied } = await workOf(t, url);
    assert.deepEqual({ stringified, copied }, { stringified: 0, copied: 0 });
  });
}

for (const [what, before, url] of [
  ['a list with new counts', ['/api/news?limit=100', '/api/news/450'], '/api/news?limit=100'],
  ['the first read of an item', ['/api/news/78'], '/api/news/77'],
  ['the first list after a start', ['/health/live'], '/api/news?limit=100'],
] as const) {
  test(`${what} copies each byte once and makes no JSON`, async t => {
    const { dispatch } = await startService(t, shopWith({ 'news.json': news }));
    for (const url of before) await dispatch(url);
    const { result, stringified, copied } = await countWork(() => dispatch(url));
    assert.equal(stringified, 0);
    assert.ok(copied > 0 && copied <= result.rawPayload.length, `${copied} bytes were copied`);
  });
}

for (const url of [LIST, PRICE, '/api/news?limit=100']) {
  test(`304 for ${url} builds no body`, async t => {
    const { stringified, copied, bytes } = await workOf(t, url, true);
    assert.deepEqual({ stringified, copied, bytes }, { stringified: 0, copied: 0, bytes: 0 });
  });
}

test('included fields make no JSON, and the second request of a list copies nothing', async t => {
  const { dispatch } = await startService(t);
  await dispatch('/api/news');
  const first = await countWork(() => dispatch('/api/news?include=img,type_id&sort=read'));
  assert.equal(first.stringified, 0);
  const again = await countWork(() => dispatch('/api/news?sort=read&include=type_id,img&x=1'));
  assert.equal(again.copied, 0);
  assert.equal(again.result.body, first.result.body);
});

test('a keyword is searched once for all pages, read counts and spellings', async t => {
  const { dispatch } = await startService(t, shopWith({ 'news.json': news }));
  const search = (query: string) => countWork(() => dispatch(`/api/news?keyword=${query}`));
  // Its parts are in the index only up to a length; beyond that, texts are looked into.
  const long = '香港节点维护'.repeat(5);
  const keyword = encodeURIComponent(`${long} 通知`);
  await dispatch('/health/live');
  assert.ok((await search(keyword)).verified >= ROWS);
  await dispatch('/api/news/77');
  for (const query of [
    ...[`${keyword}&limit=3&page=7`, keyword, `${keyword}&sort=read`],
    ...[`通知 ${long}`, `  通知　${long} 维护`].map(encodeURIComponent),
  ]) {
    const { verified, result } = await search(query);
    assert.ok(verified < ROWS / 10, `${query}: ${verified} texts`);
    assert.equal(result.json().data.pagination.total, ROWS, query);
  }
  for (const query of [`${keyword}&since=1700000400`, `${keyword}&ids=1,2,999`, `${keyword}&type_id=1`]) {
    const { total } = (await search(query)).result.json().data.pagination;
    assert.equal(total, { '1700000400': 100, '1,2,999': 2, '1': 0 }[String(query.split('=').at(-1))], query);
  }
});

test('URLs with the same meaning share one cached response', async t => {
  const { dispatch } = await startService(t);
  await dispatch(LIST);
  for (const url of [
    `${LIST}&x=1`,
    `${LIST}&limit=20&page=1`,
    '/api/recommend-config?include_durations=1&product_id=01&keyword=',
  ]) {
    const { stringified } = await countWork(() => dispatch(url));
    assert.equal(stringified, 0, url);
  }
});

test('a response that is only ever 304 takes its share of the cache', async t => {
  const LISTS = 100;
  const durations = Array.from({ length: 100 }, (_, index) => index + 1);
  const configurations = Array.from({ length: LISTS }, (_, index) => index + 11);
  const prices = configurations.flatMap(rel_id =>
    durations.map(duration_id => ({
      id: rel_id * 1000 + duration_id,
      product_id: 1,
      rel_id,
      duration_id,
      price: 9.9,
    })),
  );
  const files = {
    'configurations.json': configurations.map(id => ({ id, product_id: 1, name: 'C', cpu: 1, memory: 1 })),
    'durations.json': durations.map(num => ({ id: num, name: 'd'.repeat(50), num, unit: 'day' })),
    'prices.json': prices,
  };
  const { dispatch } = await startService(t, shopWith(files));
  const ask = (limit: number) =>
    countWork(() => dispatch({ url: `${LIST}&limit=${limit}`, headers: { 'if-none-match': '*' } }));
  await dispatch('/health/live');
  assert.equal((await ask(LISTS)).stringified, LISTS);
  assert.equal((await ask(LISTS)).stringified, 0);
  // About 10 kB for each item, 50 MB in all.
  for (let limit = 1; limit < LISTS; limit += 1) await ask(limit);
  assert.equal((await ask(LISTS)).stringified, LISTS);
});
