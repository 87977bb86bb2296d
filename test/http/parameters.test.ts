import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startService } from '../support/service.ts';

const wrongIds = [
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
  'abc',
  '%EF%BC%91',
  'NaN',
  'Infinity',
  '1,2',
  'true',
  'null',
  '[]',
  '1%00',
];
const wrongFlags = ['yes', 'no', 'on', '2', '-1', 'truee', '%20true', 'constructor', '__proto__', 'null'];
const ID = 'must be a whole number from 1 to 9007199254740991';

interface Case {
  path: string;
  parameter: string;
  problem: string;
}

const cases: Case[] = [
  ...wrongIds.map(id => ({
    path: `/api/recommend-config?product_id=${id}`,
    parameter: 'product_id',
    problem: ID,
  })),
  ...wrongIds.map(id => ({ path: `/api/news?type_id=${id}`, parameter: 'type_id', problem: ID })),
  ...wrongIds.map(id => ({ path: `/api/news/${id}`, parameter: 'id', problem: ID })),
  ...wrongIds.map(id => ({ path: `/api/news?page=${id}`, parameter: 'page', problem: ID })),
  ...wrongIds.map(id => ({
    path: `/api/recommend-config/price?product_id=1&recommend_config_id=11&duration_id=${id}`,
    parameter: 'duration_id',
    problem: ID,
  })),
  ...[...wrongIds, '101', '1000'].map(limit => ({
    path: `/api/recommend-config?product_id=1&limit=${limit}`,
    parameter: 'limit',
    problem: 'must be a whole number from 1 to 100',
  })),
  ...wrongFlags.map(flag => ({
    path: `/api/recommend-config?product_id=1&include_durations=${flag}`,
    parameter: 'include_durations',
    problem: 'must be true, false, 1 or 0',
  })),
  { path: '/api/recommend-config', parameter: 'product_id', problem: `is required: ${ID.slice(8)}` },
  {
    path: '/api/recommend-config?product_id=',
    parameter: 'product_id',
    problem: `is required: ${ID.slice(8)}`,
  },
  {
    path: '/api/recommend-config?Product_Id=1',
    parameter: 'product_id',
    problem: `is required: ${ID.slice(8)}`,
  },
  { path: '/api/news?page=1&page=1', parameter: 'page', problem: 'must be given only once' },
  { path: '/api/news?keyword=&keyword=a', parameter: 'keyword', problem: 'must be given only once' },
  {
    path: `/api/news?keyword=${'x'.repeat(65)}`,
    parameter: 'keyword',
    problem: 'must be a text of at most 64 characters',
  },
];

test('a malformed, missing or repeated parameter is 400, naming it and what was expected', async t => {
  const { ask } = await startService(t);
  for (const { path, parameter, problem } of cases) {
    const { status, body } = await ask(path);
    assert.equal(status, 400, path);
    assert.equal(body.message, `${parameter} ${problem}`, path);
    assert.deepEqual(
      body.data,
      { error: 'INVALID_PARAMETER', details: [{ parameter, message: problem }] },
      path,
    );
  }
});

test('all wrong parameters of a request are reported at once', async t => {
  const { ask } = await startService(t);
  const { body } = await ask('/api/recommend-config/price?product_id=x&duration_id=0');
  assert.equal(body.message, `product_id ${ID}`);
  assert.deepEqual(
    body.data.details.map(({ parameter }: { parameter: string }) => parameter),
    ['product_id', 'recommend_config_id', 'duration_id'],
  );
});

test('a keyword may have 64 characters, of any width', async t => {
  const { ask } = await startService(t);
  for (const character of ['x', '%E9%A6%99', '%F0%9F%98%80']) {
    assert.equal((await ask(`/api/news?keyword=${character.repeat(64)}`)).status, 200);
    assert.equal((await ask(`/api/news?keyword=${character.repeat(65)}`)).status, 400);
  }
});

test('the largest id that a JSON number carries is a valid id', async t => {
  const { ask } = await startService(t);
  const { status, data } = await ask('/api/recommend-config?product_id=9007199254740991');
  assert.equal(status, 200);
  assert.equal(data.pagination.total, 0);
});
