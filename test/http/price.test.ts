import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shopWith } from '../support/catalogs.ts';
import { startService } from '../support/service.ts';

const price = (product: unknown, configuration: unknown, duration: unknown) =>
  `/api/recommend-config/price?product_id=${product}&recommend_config_id=${configuration}&duration_id=${duration}`;

test('answers the price of a combination; rel_type is 1 if the catalog has none', async t => {
  const { ask } = await startService(t);
  const { data } = await ask(price(1, 11, 1));
  assert.deepEqual(data, { id: 101, product_id: 1, rel_id: 11, duration_id: 1, price: 455.47, rel_type: 1 });
});

test('serves every price with its digits in the file, in the shortest form', async t => {
  const written = [
    '0.1',
    '19.99',
    '455.47',
    '99999999.9999',
    '19.90',
    '0.00595',
    '0.00000001',
    '123456789012345',
    '1234567.12345678',
    '0',
    '0.10',
    '7.000',
  ];
  const served = [
    '0.1',
    '19.99',
    '455.47',
    '99999999.9999',
    '19.9',
    '0.00595',
    '1e-8',
    '123456789012345',
    '1234567.12345678',
    '0',
    '0.1',
    '7',
  ];
  const rows = written.map((digits, index) => ({ id: index + 1, duration_id: index + 1, digits }));
  const durations = rows.map(({ duration_id }) => ({
    id: duration_id,
    name: 'a',
    num: duration_id,
    unit: 'day',
  }));
  const csv = rows.map(({ id, digits }) => `${id},1,11,${id},${digits}`).join('\n');
  const json = rows.map(
    ({ id, digits }) =>
      `{"id": ${id}, "product_id": 1, "rel_id": 11, "duration_id": ${id}, "price": ${digits}}`,
  );
  for (const prices of [
    { 'prices.csv': `id,product_id,rel_id,duration_id,price\n${csv}` },
    { 'prices.json': `[${json}]` },
  ]) {
    const { ask } = await startService(t, shopWith({ ...prices, 'durations.json': durations }));
    for (const [index, digits] of served.entries()) {
      const { text } = await ask(price(1, 11, index + 1));
      assert.equal(/"price":([^,]+)/.exec(text)?.[1], digits);
    }
  }
});

test('answers 404 with the first part of the combination that does not exist', async t => {
  const { ask } = await startService(t);
  const cases: [url: string, error: string, message: string][] = [
    [price(9, 99, 999), 'PRODUCT_NOT_FOUND', 'product 9 not found'],
    [price(1, 99, 999), 'CONFIGURATION_NOT_FOUND', 'configuration 99 not found'],
    [price(1, 14, 2), 'CONFIGURATION_NOT_FOUND', 'configuration 14 not found'],
    [price(1, 11, 999), 'DURATION_NOT_FOUND', 'duration 999 not found'],
    [price(1, 12, 1), 'PRICE_NOT_FOUND', 'no price for this product, configuration and duration'],
    [price(2, 11, 1), 'PRICE_NOT_FOUND', 'no price for this product, configuration and duration'],
  ];
  for (const [url, error, message] of cases) {
    const { status, body } = await ask(url);
    assert.equal(status, 404);
    assert.equal(body.message, message);
    assert.deepEqual(body.data, { error, details: [] });
  }
});

test('leaves out rows of another rel_type, even with unknown configurations', async t => {
  const prices =
    'id,product_id,rel_id,duration_id,price,rel_type\n1,1,11,1,5,1\n2,1,11,2,6,0\n3,1,77,2,7,0\n4,1,11,1,8,2\n';
  const { ask } = await startService(t, shopWith({ 'prices.csv': prices }));
  assert.equal((await ask(price(1, 11, 1))).data.price, 5);
  assert.equal((await ask(price(1, 11, 2))).data.error, 'PRICE_NOT_FOUND');
  const { data } = await ask('/api/recommend-config?product_id=1&include_durations=true&page=2&limit=1');
  assert.deepEqual(
    data.list[0].durations.map((entry: { price: number }) => entry.price),
    [5],
  );
});
