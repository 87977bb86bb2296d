import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startService } from '../support/service.ts';

const ID = 'a whole number from 1 to 9007199254740991';
const IDS = `must be up to 100 values separated by commas, each ${ID}`;
const TIME = 'must be Unix seconds, or a time such as 2026-03-31 or 2026-03-31 18:00:00';
const INCLUDE = 'must be img or type_id, or several of these separated by commas';
const tooMany = Array.from({ length: 101 }, (_, index) => index + 1).join();

test('a wrong parameter of the news list is reported with what was expected', async t => {
  const { ask } = await startService(t);
  const cases: [query: string, parameter: string, message: string][] = [
    ...['nothing', 'img,', ',img', 'img,content', 'IMG', 'img%20,type_id', 'img;type_id', '*'].map(
      (value): [string, string, string] => [`include=${value}`, 'include', INCLUDE],
    ),
    ...['time', 'READ', 'read,read', '-read'].map((value): [string, string, string] => [
      `sort=${value}`,
      'sort',
      'must be read',
    ]),
    ...['a', '1,', ',1', '1,,2', '0', '-1', '1.0', '1;2', '1,+2', '9007199254740992', tooMany].map(
      (value): [string, string, string] => [`ids=${value}`, 'ids', IDS],
    ),
    ...['since', 'until'].flatMap(name =>
      [
        'abc',
        '-1',
        '1.5',
        '1e9',
        '253402300800',
        '2024-02-30',
        '2024-1-1',
        '01.03.2024',
        '2024-03-01T00:00',
        '2024-03-01T25:00:00',
        '2024-03-01T00:00:00Z',
        '20240301T000000',
      ].map((value): [string, string, string] => [`${name}=${value}`, name, TIME]),
    ),
    ['since=2&until=1', 'since', 'must not be after until'],
    ['since=2024-03-02&until=2024-03-01', 'since', 'must not be after until'],
    ['until=2024-03-01+11:59:59&since=2024-03-01T12:00:00&keyword=e', 'since', 'must not be after until'],
    ['include=img&include=read', 'include', INCLUDE],
    ['ids=1&ids=a', 'ids', IDS],
    [`ids=1&ids=${tooMany.slice(2)}`, 'ids', IDS],
    ...['sort=read', 'since=1', 'until=1'].map((given): [string, string, string] => [
      `${given}&${given}`,
      String(given.split('=')[0]),
      'must be given only once',
    ]),
  ];
  for (const [query, parameter, message] of cases) {
    const { status, data, body } = await ask(`/api/news?${query}`);
    assert.deepEqual(
      [status, data.error, data.details],
      [400, 'INVALID_PARAMETER', [{ parameter, message }]],
      query,
    );
    assert.equal(body.message, `${parameter} ${message}`);
  }
});

test('other lists ignore these parameters, like all unknown ones', async t => {
  const { ask } = await startService(t);
  for (const url of ['/overview/news', '/api/products', '/api/recommend-config?product_id=1']) {
    const query = `${url.includes('?') ? '&' : '?'}include=x&sort=x&ids=x&since=x`;
    assert.equal((await ask(url + query)).text, (await ask(url)).text);
  }
});
