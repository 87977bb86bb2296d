import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shopWith } from '../support/catalogs.ts';
import { startService } from '../support/service.ts';

const price = (product: unknown, configuration: unknown, duration: unknown) =>
  `/api/recommend-config/price?product_id=${product}&recommend_config_id=${configuration}&duration_id=${duration}`;

test('every price is served with its digits in the file, in the shortest form', async t => {
  const digits = Object.entries({
    ...{ '0.1': '0.1', '19.99': '19.99', '99999999.9999': '99999999.9999', '19.90': '19.9' },
    ...{ '0.00595': '0.00595', '0.00000001': '1e-8', '123456789012345': '123456789012345' },
    ...{ '1234567.12345678': '1234567.12345678', '0': '0', '0.10': '0.1', '7.000': '7' },
  });
  const durations = digits.map((_, index) => ({ id: index + 1, name: 'a', num: index + 1, unit: 'day' }));
  const csv = digits.map(([written], index) => `${index + 1},1,11,${index + 1},${written}`).join('\n');
  const json = digits.map(
    ([written], index) =>
      `{"id": ${index + 1}, "product_id": 1, "rel_id": 11, "duration_id": ${index + 1}, "price": ${written}}`,
  );
  for (const prices of [
    { 'prices.csv': `id,product_id,rel_id,duration_id,price\n${csv}` },
    { 'prices.json': `[${json}]` },
  ]) {
    const { ask } = await startService(t, shopWith({ ...prices, 'durations.json': durations }));
    for (const [index, [, served]] of digits.entries())
      assert.equal(/"price":([^,]+)/.exec((await ask(price(1, 11, index + 1))).text)?.[1], served);
  }
});

test('price rows of another rel_type are left out, even with unknown configurations', async t => {
  const prices =
    'id,product_id,rel_id,duration_id,price,rel_type\n1,1,11,1,5,1\n2,1,11,2,6,0\n3,1,77,2,7,0\n4,1,11,1,8,2\n';
  const { ask } = await startService(t, shopWith({ 'prices.csv': prices }));
  assert.equal((await ask(price(1, 11, 1))).data.price, 5);
  assert.equal((await ask(price(1, 11, 2))).data.error, 'PRICE_NOT_FOUND');
  const { data } = await ask('/api/recommend-config?product_id=1&include_durations=true&page=2&limit=1');
  assert.equal(data.list[0].durations.length, 1);
});
