import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PriceMatrix } from '../../src/contract/page.ts';
import { type Files, shop, shopWith } from '../support/catalogs.ts';
import { startEdited } from '../support/edited.ts';
import { bearer, previewToken } from '../support/http/previews.ts';
import { startService } from '../support/service.ts';

const prices = String(shop['prices.csv']);
const configurations = String(shop['configurations.csv']);

const hourly = { duration_id: 2, name: 'Hourly', num: 1, unit: 'hour' };
const monthly = { duration_id: 4, name: 'Monthly', num: 1, unit: 'month' };
const quarterly = { duration_id: 3, name: 'Quarterly', num: 3, unit: 'month' };
const yearly = { duration_id: 1, name: 'Yearly', num: 1, unit: 'year' };

/** The prices of each configuration, and whether it changed itself. */
function cellsOf({ list }: PriceMatrix) {
  return list.map(({ id, prices, change }) => [id, ...prices, ...(change ? [change] : [])]);
}

test('has configurations down and durations across, with null where there is no price', async t => {
  const { ask } = await startService(t);
  assert.deepEqual((await ask('/overview/prices?product_id=1')).data, {
    list: [
      { id: 12, name: 'Tiny', cpu: 0.5, memory: 512, prices: [null, { price: 9.9 }, null, null] },
      {
        ...{ id: 11, name: 'Small', cpu: 1, memory: 4096 },
        prices: [{ price: 0.1 }, { price: 19.99 }, { price: 99999999.9999 }, { price: 455.47 }],
      },
      { id: 13, name: 'Large', cpu: 8, memory: 32768, prices: [{ price: 0.00595 }, null, null, null] },
    ],
    pagination: { current_page: 1, total: 3 },
    durations: [hourly, monthly, quarterly, yearly],
  });
  const { durations } = (await ask('/overview/prices?product_id=2')).data;
  assert.deepEqual(durations, [monthly], 'only those of the product');
  const none = { list: [], durations: [], pagination: { current_page: 1, total: 0 } };
  for (const id of [3, 99]) assert.deepEqual((await ask(`/overview/prices?product_id=${id}`)).data, none);
});

test('pages and filters by terms in the name, with the same durations', async t => {
  const { ask } = await startService(t);
  for (const [query, ids] of [
    ['limit=1&page=2', [11]],
    ['limit=2&page=9', []],
    ['keyword=L', [11, 13]],
    ['keyword=%EF%BC%AC%20a', [11, 13]],
    ['keyword=all%20sm', [11]],
    ['keyword=secret', []],
    ['keyword=', [12, 11, 13]],
  ] as const) {
    const { data } = await ask(`/overview/prices?product_id=1&${query}`);
    assert.deepEqual(
      data.list.map(({ id }: { id: number }) => id),
      ids,
      query,
    );
    assert.equal(data.durations.length, 4, query);
  }
  const { headers, data } = await ask('/overview/prices?product_id=1&keyword=%C3%A5&limit=1');
  assert.equal(headers.link, '<?page=2&product_id=1&keyword=%C3%A5&limit=1>; rel="next"');
  assert.equal(data.pagination.total, 2);
});

test('marks what the last change did to prices and configurations', async t => {
  const { ask, save } = await startEdited(t);
  await save({
    'configurations.csv': `${configurations.replace('11,1,Small,1,4096', '11,1,Small,2,4096').replace('12,1,Tiny,0.5,512,10', '12,1,Tiny,0.5,512,15')}15,1,New,1,1,30,\n`,
    'prices.csv': prices
      .replace('19.99', '24.99') // changed
      .replace('103,1,11,3', '203,1,11,3') // only numbered anew
      .replace('105,1,12,4,9.90\n', '') // removed
      .replace('106,1,13,2,0.00595', '106,1,13,2,0.00595\n109,1,13,4,0\n110,1,15,2,5'), // added
  });
  const { data } = await ask('/overview/prices?product_id=1');
  assert.deepEqual(data.durations, [hourly, monthly, quarterly, yearly]);
  assert.deepEqual(cellsOf(data), [
    [12, null, { price: null }, null, null],
    [
      11,
      { price: 0.1 },
      { price: 24.99, was: 19.99, percent: 25.01 },
      { price: 99999999.9999 },
      { price: 455.47 },
      'changed',
    ],
    [13, { price: 0.00595 }, { price: 0, was: null }, null, null],
    [15, { price: 5, was: null }, null, null, null, 'added'],
  ]);
  await save({ 'prices.csv': prices.replace('24.99', '25') });
  const [tiny] = cellsOf((await ask('/overview/prices?product_id=1&limit=1')).data);
  assert.deepEqual(
    tiny,
    [12, null, { price: 9.9, was: null }, null, null],
    'compared with the last set only',
  );
});

test('a duration that lost all of its prices stays until the next change', async t => {
  const { ask, save } = await startEdited(t);
  await save({
    'prices.csv': prices.replace(/^.*,\d+,\d+,(1|3),.*\n/gm, ''),
    'durations.json': [yearly, hourly, monthly].map(({ duration_id: id, ...row }) => ({ id, ...row })),
  });
  const { data } = await ask('/overview/prices?product_id=1&keyword=small');
  assert.deepEqual(data.durations, [hourly, monthly, yearly, { duration_id: 3 }]);
  assert.deepEqual(cellsOf(data), [[11, { price: 0.1 }, { price: 19.99 }, { price: null }, { price: null }]]);
  await save({ 'prices.csv': `${prices.replace(/^.*,\d+,\d+,(1|3),.*\n/gm, '')}109,1,12,2,1\n` });
  assert.deepEqual((await ask('/overview/prices?product_id=1')).data.durations, [hourly, monthly]);
});

test('shows nothing of hidden configurations, nor that they were hidden', async t => {
  const { ask, save } = await startEdited(t);
  await save({
    'configurations.csv': configurations.replace('32768,20,no', '32768,20,yes').replace('Secret', 'Secret 2'),
    'prices.csv': prices.replace('107,1,14,2,1\n', '107,1,14,2,77777\n109,1,14,3,77777\n'),
  });
  const { data, text } = await ask('/overview/prices?product_id=1&limit=100');
  assert.deepEqual(
    cellsOf(data).map(([id]) => id),
    [12, 11],
  );
  assert.doesNotMatch(text, /Secret|77777|Large/);
  assert.deepEqual(data.durations, [hourly, monthly, quarterly, yearly]);
});

test('without a durations catalog, durations have ids alone', async t => {
  const { ask } = await startService(t, { ...shop, 'durations.json': null });
  const { durations } = (await ask('/overview/prices?product_id=1')).data;
  assert.deepEqual(
    durations,
    [1, 2, 3, 4].map(duration_id => ({ duration_id })),
  );
});

test('is revalidated with 304, and previewed with the token', async t => {
  const { ask } = await startService(t, shop, { previewToken });
  const url = '/overview/prices?product_id=1';
  const { headers, text } = await ask(url);
  assert.equal(headers['cache-control'], 'no-cache');
  assert.equal((await ask(url, { headers: { 'if-none-match': String(headers.etag) } })).status, 304);
  assert.equal((await ask(`/preview/2030-01-01${url}`, { headers: bearer })).text, text);
  assert.equal((await ask(`/preview/2030-01-01${url}`)).status, 404);
  for (const query of ['', '?product_id=', '?product_id=0', '?product_id=1&limit=101'])
    assert.equal((await ask(`/overview/prices${query}`)).data.error, 'INVALID_PARAMETER', query);
});

test('a large product is listed in steps, and each step yields to the event loop', async t => {
  const ids = Array.from({ length: 3000 }, (_, index) => index + 1);
  const large: Files = shopWith({
    'configurations.csv': `id,product_id,name,cpu,memory\n${ids.map(id => `${id},1,Größe ${id},1,1\n`).join('')}`,
    'prices.csv': `id,product_id,rel_id,duration_id,price\n${ids.map(id => `${id},1,${id},1,${id}\n`).join('')}`,
  });
  const { ask, save } = await startEdited(t, large);
  await save({ 'prices.csv': String(large['prices.csv']).replace(/,(\d+)\n/g, ',1$1\n') });
  let rounds = 0;
  let isOver = false;
  const goRound = () => {
    rounds += 1;
    if (!isOver) setImmediate(goRound);
  };
  goRound();
  const { list, pagination } = (await ask('/overview/prices?product_id=1&keyword=gr%C3%B6sse&limit=100'))
    .data;
  isOver = true;
  assert.equal(pagination.total, ids.length);
  assert.deepEqual(list.at(-1).prices, [{ price: 1100, was: 100, percent: 1000 }]);
  assert.ok(rounds >= 20, `${rounds} rounds`);
});
