import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CONFIGURATION_PRICE } from '../../src/contract/columns.ts';
import { indexPrices, tabulatePrices } from '../../src/snapshot/price-table.ts';

/** More than a call may have arguments. */
const MANY = 200_000;

test('the next of very many future prices of one combination is found', () => {
  const prices = Array.from({ length: MANY }, (_, day) => ({
    ...{ id: 1 + day, product_id: 1, rel_id: 1, duration_id: 1, price: 9.9 },
    ...{ rel_type: CONFIGURATION_PRICE, valid_from: 1000 + day },
  }));
  const index = indexPrices(tabulatePrices(prices), 999);
  assert.equal(index.nextOf(1, 1), 1000);
  assert.equal(index.nextOf(1), 1000);
});
