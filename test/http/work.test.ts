import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newsItems, shopWith } from '../support/catalogs.ts';
import { startService } from '../support/service.ts';
import { countWork } from '../support/work.ts';
import { PRICE } from './addresses.ts';

const ROWS = 500;
const news = newsItems(ROWS, index => ({ title: `通知 ${index}`, content: '香港节点维护'.repeat(10) }));
const LIST = '/api/recommend-config?product_id=1&include_durations=true';

test('the second response to what means the same is the cached first one, and copies nothing; a 304 builds no body', async t => {
  const { dispatch } = await startService(t, shopWith({ 'news.json': news }));
  const synonyms = {
    [PRICE]: PRICE.replaceAll('=', '=0'),
    [LIST]: '/api/recommend-config?include_durations=1&product_id=01&keyword=&limit=20&page=1',
    '/api/news?limit=100': '/api/news?limit=100&x=1',
    '/api/news?limit=10&page=7&type_id=': '/api/news?page=7&limit=10',
  };
  for (const urls of Object.entries(synonyms)) {
    const { etag } = (await dispatch(urls[0])).headers;
    for (const url of urls)
      for (const headers of [{}, { 'if-none-match': String(etag) }]) {
        const { result, stringified, copied } = await countWork(() => dispatch({ url, headers }));
        assert.deepEqual({ stringified, copied }, { stringified: 0, copied: 0 }, url);
        assert.equal(result.statusCode, 'if-none-match' in headers ? 304 : 200, url);
      }
  }
  await dispatch('/api/news/1');
  const { copied } = await countWork(() => dispatch('/api/news?limit=100'));
  assert.equal(copied, 0, 'a read of an item of another page changes nothing');
});

test('a list with new counts, a read of an item and the first list copy each byte once, and make no JSON', async t => {
  for (const [before, url] of [
    [['/api/news?limit=100', '/api/news/450'], '/api/news?limit=100'],
    [['/api/news/78'], '/api/news/77'],
    [['/health/live'], '/api/news?limit=100'],
  ] as const) {
    const { dispatch } = await startService(t, shopWith({ 'news.json': news }));
    for (const url of before) await dispatch(url);
    const { result, stringified, copied } = await countWork(() => dispatch(url));
    assert.equal(stringified, 0);
    assert.ok(copied > 0 && copied <= result.rawPayload.length, `${copied} bytes were copied`);
  }
});

test('a keyword is searched once for all pages, read counts and spellings', async t => {
  const { dispatch } = await startService(t, shopWith({ 'news.json': news }));
  const search = (query: string) => countWork(() => dispatch(`/api/news?keyword=${query}`));
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
