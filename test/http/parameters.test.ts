import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startService } from '../support/service.ts';

const wrongIds = [
  ...[
    '1e2',
    '0x10',
    '1.0',
    '%201',
    '1%20',
    '-1',
    '+1',
    '0',
    '00',
    '9007199254740992',
    '99999999999999999999',
  ],
  ...['abc', '%EF%BC%91', 'NaN', 'Infinity', '1,2', 'true', 'null', '[]', '1%00'],
];
const wrongFlags = ['yes', 'no', 'on', '2', '-1', 'truee', '%20true', 'constructor', '__proto__', 'null'];
const tooMany = Array.from({ length: 101 }, (_, index) => index + 1).join();
const wrongTimes = [
  ...['abc', '-1', '1.5', '1e9', '253402300800', '2024-02-30', '2024-1-1', '01.03.2024', '2024-03-01T00:00'],
  ...['2024-03-01T25:00:00', '2024-03-01T00:00:00Z', '20240301T000000'],
];

const ID = 'a whole number from 1 to 9007199254740991';
const INCLUDE = 'must be img or type_id, or several of these separated by commas';
const IDS = `must be up to 100 values separated by commas, each ${ID}`;
const TIME = 'must be Unix seconds, or a time such as 2026-03-31 or 2026-03-31 18:00:00';
const ONCE = 'must be given only once';
const ORDER = 'must not be after until';
const LIST = '/api/recommend-config?product_id=1';
const PRICE = '/api/recommend-config/price?product_id=1&recommend_config_id=11';

/** What is wrong with each of these addresses. */
const cases: [parameter: string, message: string, addresses: string[]][] = [
  ['product_id', `must be ${ID}`, wrongIds.map(id => `/api/recommend-config?product_id=${id}`)],
  ['duration_id', `must be ${ID}`, wrongIds.map(id => `${PRICE}&duration_id=${id}`)],
  ['type_id', `must be ${ID}`, wrongIds.map(id => `/api/news?type_id=${id}`)],
  ['page', `must be ${ID}`, wrongIds.map(id => `/api/news?page=${id}`)],
  ['id', `must be ${ID}`, wrongIds.map(id => `/api/news/${id}`)],
  [
    'limit',
    'must be a whole number from 1 to 100',
    [
      ...[...wrongIds, '101', '1000'].map(limit => `${LIST}&limit=${limit}`),
      ...['/api/products?limit=101', '/api/news-types?limit=101', '/changes?limit=101'],
    ],
  ],
  [
    'include_durations',
    'must be true, false, 1 or 0',
    wrongFlags.map(flag => `${LIST}&include_durations=${flag}`),
  ],
  [
    'product_id',
    `is required: ${ID}`,
    ['/api/recommend-config', '/api/recommend-config?product_id=', '/api/recommend-config?Product_Id=1'],
  ],
  [
    'keyword',
    'must be a text of at most 64 characters',
    ['x', '%E9%A6%99', '%F0%9F%98%80'].map(character => `/api/news?keyword=${character.repeat(65)}`),
  ],
  ['page', ONCE, ['/api/news?page=1&page=1', '/api/products?page=1&page=2']],
  ['keyword', ONCE, ['/api/news?keyword=&keyword=a']],
  ...['sort=read', 'since=1', 'until=1'].map(
    (given): [string, string, string[]] =>
      [...[given.split('=')[0] ?? '', ONCE], [`/api/news?${given}&${given}`]] as [string, string, string[]],
  ),
  [
    'include',
    INCLUDE,
    [
      ...['nothing', 'img,', ',img', 'img,content', 'IMG', 'img%20,type_id', 'img;type_id', '*'],
      'img&include=read',
    ].map(value => `/api/news?include=${value}`),
  ],
  ['sort', 'must be read', ['time', 'READ', 'read,read', '-read'].map(value => `/api/news?sort=${value}`)],
  [
    'ids',
    IDS,
    [
      ...['a', '1,', ',1', '1,,2', '0', '-1', '1.0', '1;2', '1,+2', '9007199254740992', tooMany, '1&ids=a'],
      `1&ids=${tooMany.slice(2)}`,
    ].map(value => `/api/news?ids=${value}`),
  ],
  ['since', TIME, wrongTimes.map(value => `/api/news?since=${value}`)],
  ['until', TIME, wrongTimes.map(value => `/api/news?until=${value}`)],
  [
    'since',
    ORDER,
    [
      ...['since=2&until=1', 'since=2024-03-02&until=2024-03-01'],
      'until=2024-03-01+11:59:59&since=2024-03-01T12:00:00&keyword=e',
    ].map(query => `/api/news?${query}`),
  ],
];

test('a malformed, missing or repeated parameter is 400, naming it and what was expected', async t => {
  const { ask } = await startService(t);
  for (const [parameter, message, addresses] of cases) {
    for (const address of addresses) {
      const { status, body } = await ask(address);
      assert.deepEqual([status, body.message], [400, `${parameter} ${message}`], address);
      assert.deepEqual(body.data, { error: 'INVALID_PARAMETER', details: [{ parameter, message }] }, address);
    }
  }
});

test('all wrong parameters of a request are reported at once, and unknown ones are ignored', async t => {
  const { ask } = await startService(t);
  const { body } = await ask('/api/recommend-config/price?product_id=x&duration_id=0');
  assert.equal(body.message, `product_id must be ${ID}`);
  assert.deepEqual(
    body.data.details.map(({ parameter }: { parameter: string }) => parameter),
    ['product_id', 'recommend_config_id', 'duration_id'],
  );
  for (const url of ['/api/products?', '/api/recommend-config?product_id=1'])
    assert.equal((await ask(`${url}&include=x&sort=x&ids=x&since=x`)).text, (await ask(url)).text);
});

test('a keyword may have 64 characters, of any width', async t => {
  const { ask } = await startService(t);
  for (const character of ['x', '%E9%A6%99', '%F0%9F%98%80'])
    assert.equal((await ask(`/api/news?keyword=${character.repeat(64)}`)).status, 200);
});
