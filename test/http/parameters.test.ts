import assert from 'node:assert/strict';
import { test } from 'node:test';
import { catalogNames } from '../../src/contract/columns.ts';
import { newsUrl, shop } from '../support/catalogs.ts';
import { startService } from '../support/service.ts';

const wrongIds =
  '1e2 0x10 1.0 %201 1%20 -1 +1 0 00 9007199254740992 99999999999999999999 abc %EF%BC%91 NaN 1,2 true null [] 1%00';
const wrongTimes =
  'abc -1 1.5 1e9 253402300800 2024-02-30 2023-02-29 2024-13-01 24-01-01 01.03.2024 03/01/2024 2024-03-01T24:00:00 2024-03-01T10:60:00 2024-03-01T10:00:00+15:00 2024-03-01++10:00:00 20240301T000000';
const tooMany = Array.from({ length: 101 }, (_, index) => index + 1).join();

const ID = 'a whole number from 1 to 9007199254740991';
const CATALOG = catalogNames.join(' or ');
const TIME = 'must be Unix seconds, or a time such as 2026-03-31 or 2026-03-31 18:00:00';
const ONCE = 'must be given only once';
const LIST = '/api/recommend-config?product_id=1';
const PRICE = '/api/recommend-config/price?product_id=1&recommend_config_id=11';

const LIMIT = 'must be a whole number from 1 to 100';
const INCLUDE = 'must be img or type_id or extra, or several of these separated by commas';
const KEYWORD = 'must be a text of at most 64 characters';
const IDS = `must be up to 100 values separated by commas, each ${ID}`;
const wrongFlags = 'yes no on 2 -1 truee %20true constructor __proto__ null';
const wrongIncludes = 'nothing img, ,img img,content IMG img%20,type_id img;type_id * img&include=read';
const wrongLists = `a 1, ,1 1,,2 0 -1 1.0 1;2 1,+2 9007199254740992 ${tooMany} 1&ids=a 1&ids=${tooMany.slice(2)}`;
const tooLong = ['x', '%E9%A6%99', '%F0%9F%98%80'].map(character => character.repeat(65)).join(' ');
const wrongOrder =
  'since=2&until=1 since=2024-03-02&until=2024-03-01 until=2024-03-01+11:59:59&since=2024-03-01T12:00:00&keyword=e';

/** A parameter, what is wrong with it, and addresses in which it is: with each of some values, or these. */
const cases: [parameter: string, message: string, start: string, values: string][] = [
  ['product_id', `must be ${ID}`, '/api/recommend-config?product_id=', wrongIds],
  ['duration_id', `must be ${ID}`, `${PRICE}&duration_id=`, wrongIds],
  ['type_id', `must be ${ID}`, '/api/news?type_id=', wrongIds],
  ['type_id', `must be ${ID}`, '/feeds/news.', 'atom?type_id=x rss?type_id=0 json?type_id=1.0'],
  ['page', `must be ${ID}`, '/api/news?page=', wrongIds],
  ['id', `must be ${ID}`, '/api/news/', wrongIds],
  ['limit', LIMIT, `${LIST}&limit=`, `${wrongIds} 101 1000`],
  ['limit', LIMIT, '/', 'api/products?limit=101 changes?limit=101 overview/prices?product_id=1&limit=101'],
  ['include_durations', 'must be true, false, 1 or 0', `${LIST}&include_durations=`, wrongFlags],
  ['product_id', `is required: ${ID}`, '/api/recommend-config', '? ?product_id= ?Product_Id=1'],
  ['product_id', `is required: ${ID}`, '/overview/prices', '? ?product_id='],
  ['catalog', `is required: ${CATALOG}`, '/overview/rows', '? ?catalog='],
  ['catalog', `must be ${CATALOG}`, '/overview/rows?catalog=', 'orders Prices prices,news'],
  ['only', 'must be changed or problems', '/overview/rows?catalog=news&only=', 'new'],
  ['keyword', KEYWORD, '/api/news?keyword=', tooLong],
  ['page', ONCE, '/api/', 'news?page=1&page=1 products?page=1&page=2'],
  ['keyword', ONCE, '/api/news?', 'keyword=&keyword=a'],
  ['type_id', ONCE, '/feeds/news.', 'atom?type_id=1&type_id=2'],
  ['sort', ONCE, '/api/news?', 'sort=read&sort=read'],
  ['since', ONCE, '/api/news?', 'since=1&since=1'],
  ['include', INCLUDE, '/api/news?include=', wrongIncludes],
  ['include', 'must be extra', '/api/', `products?include=x news-types?include=img news/1?include=,extra`],
  [
    'include',
    'must be extra',
    '/api/recommend-config',
    `?product_id=1&include=img ${PRICE.slice(21)}&duration_id=4&include=x`,
  ],
  ['sort', 'must be read', '/api/news?sort=', 'time READ read,read -read'],
  ['ids', IDS, '/api/news?ids=', wrongLists],
  ['since', TIME, '/api/news?since=', wrongTimes],
  ['until', TIME, '/api/news?until=', wrongTimes],
  ['since', 'must not be after until', '/api/news?', wrongOrder],
  ['around', `must be ${ID}`, '/api/news?around=', wrongIds],
  ['page', 'must not be given with around', '/api/news?', 'around=1&page=1 page=2&around=99'],
  ['ids', 'must not be given with around', '/api/news?around=1&ids=', '1 1,2 &ids=1'],
  ['sort', 'must not be given with around', '/api/news?around=1&sort=', 'read'],
  ['keyword', 'must not be given with around', '/api/news?around=1&keyword=', 'a'],
  ['limit', 'must not be given with around', '/api/news?around=1&limit=', '20'],
];

test('a malformed, missing or repeated parameter is 400, naming it and what was expected', async t => {
  const { ask } = await startService(t, shop, { newsUrl });
  for (const [parameter, message, start, values] of cases)
    for (const value of values.split(' ')) {
      const { status, body } = await ask(start + value);
      assert.deepEqual([status, body.message], [400, `${parameter} ${message}`], start + value);
      assert.deepEqual(body.data, { error: 'INVALID_PARAMETER', details: [{ parameter, message }] });
    }
});

test('all wrong parameters are reported at once, unknown ones are ignored, and a keyword may have 64 characters', async t => {
  const { ask } = await startService(t);
  const { body } = await ask('/api/recommend-config/price?product_id=x&duration_id=0');
  assert.equal(body.message, `product_id must be ${ID}`);
  const named = body.data.details.map(({ parameter }: { parameter: string }) => parameter);
  assert.deepEqual(named, ['product_id', 'recommend_config_id', 'duration_id']);
  for (const url of ['/api/products?', '/api/recommend-config?product_id=1'])
    assert.equal((await ask(`${url}&around=x&sort=x&ids=x&since=x`)).text, (await ask(url)).text);
  for (const character of ['x', '%E9%A6%99', '%F0%9F%98%80'])
    assert.equal((await ask(`/api/news?keyword=${character.repeat(64)}`)).status, 200);
  const totalOf = async (query: string) => (await ask(`/api/news?${query}`)).data.pagination.total;
  for (const name of ['__proto__', 'constructor', 'toString', '__proto__[limit]', 'hasOwnProperty']) {
    assert.equal(await totalOf(`${name}=1&${name}=2`), 4, name);
    assert.equal(await totalOf(`keyword=${name}`), 0, name);
  }
});
