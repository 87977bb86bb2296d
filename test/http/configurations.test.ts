import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shopWith } from '../support/catalogs.ts';
import { startService } from '../support/service.ts';

const LIST = '/api/recommend-config';

test('lists the configurations of a product by order, then id, without the hidden ones', async t => {
  const { ask } = await startService(t);
  const { status, body } = await ask(`${LIST}?product_id=1`);
  assert.equal(status, 200);
  assert.deepEqual(body, {
    success: true,
    code: 200,
    message: 'query succeeded',
    data: {
      list: [
        { id: 12, product_id: 1, name: 'Tiny', cpu: 0.5, memory: 512 },
        { id: 11, product_id: 1, name: 'Small', cpu: 1, memory: 4096 },
        { id: 13, product_id: 1, name: 'Large', cpu: 8, memory: 32768 },
      ],
      pagination: { current_page: 1, total: 3 },
    },
  });
});

test('gives durations by unit, num and id if include_durations is true; an empty list without prices', async t => {
  const { ask } = await startService(
    t,
    shopWith({
      'prices.csv':
        'id,product_id,rel_id,duration_id,price\n1,1,11,1,9\n2,1,11,2,1\n3,1,11,3,3\n4,1,11,4,2\n',
    }),
  );
  for (const flag of ['true', '1', 'TRUE', 'True']) {
    const { data } = await ask(`${LIST}?product_id=1&include_durations=${flag}`);
    assert.deepEqual(
      data.list.map((item: { durations: unknown }) => item.durations),
      [
        [],
        [
          { duration_id: 2, name: 'Hourly', num: 1, unit: 'hour', price: 1 },
          { duration_id: 4, name: 'Monthly', num: 1, unit: 'month', price: 2 },
          { duration_id: 3, name: 'Quarterly', num: 3, unit: 'month', price: 3 },
          { duration_id: 1, name: 'Yearly', num: 1, unit: 'year', price: 9 },
        ],
        [],
      ],
    );
  }
});

test('leaves out the key durations if include_durations is false, empty or absent', async t => {
  const { ask } = await startService(t);
  for (const query of [
    '',
    '&include_durations=false',
    '&include_durations=0',
    '&include_durations=False',
    '&include_durations=',
  ]) {
    const { data } = await ask(`${LIST}?product_id=1${query}`);
    assert.ok(
      data.list.every((item: object) => !('durations' in item)),
      query,
    );
  }
});

test('gives durations as id and price, by id, without a durations catalog', async t => {
  const { ask } = await startService(t, shopWith({ 'durations.json': null }));
  const { data } = await ask(`${LIST}?product_id=1&include_durations=true&limit=2`);
  assert.deepEqual(data.list[1].durations, [
    { duration_id: 1, price: 455.47 },
    { duration_id: 2, price: 0.1 },
    { duration_id: 3, price: 99999999.9999 },
    { duration_id: 4, price: 19.99 },
  ]);
});

test('pages with a default of 20 and a maximum of 100', async t => {
  const rows = Array.from({ length: 130 }, (_, index) => ({
    id: index + 1,
    product_id: 1,
    name: `C${index}`,
    cpu: 1,
    memory: 1,
  }));
  const { ask } = await startService(t, shopWith({ 'configurations.json': rows, 'prices.json': [] }));
  const cases: [query: string, page: number, first: number | undefined, count: number][] = [
    ['', 1, 1, 20],
    ['&page=2', 2, 21, 20],
    ['&limit=100', 1, 1, 100],
    ['&limit=100&page=2', 2, 101, 30],
    ['&limit=100&page=3', 3, undefined, 0],
    ['&page=9007199254740991&limit=100', 9007199254740991, undefined, 0],
    ['&page=&limit=', 1, 1, 20],
  ];
  for (const [query, page, first, count] of cases) {
    const { data } = await ask(`${LIST}?product_id=1${query}`);
    assert.deepEqual(data.pagination, { current_page: page, total: 130 }, query);
    assert.equal(data.list.length, count, query);
    assert.equal(data.list[0]?.id, first, query);
  }
});

test('answers an empty list for a product that does not exist or has no configurations', async t => {
  const { ask } = await startService(t);
  for (const product of [3, 999]) {
    const { status, data } = await ask(`${LIST}?product_id=${product}&page=2`);
    assert.equal(status, 200);
    assert.deepEqual(data, { list: [], pagination: { current_page: 2, total: 0 } });
  }
});
