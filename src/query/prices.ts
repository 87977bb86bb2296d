import type { PriceQuery } from '../contract/queries.ts';
import type { PriceRecord } from '../contract/records.ts';
import { ApiError } from '../errors.ts';
import { priceAt } from '../snapshot/price-table.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

/** The price of a combination (SPEC 4.2). @throws ApiError that names the first part of it that does not exist. */
export function findPrice(
  { products, configurations, durations, prices }: Snapshot,
  { product_id, recommend_config_id, duration_id }: PriceQuery,
): PriceRecord {
  const row = prices.rowOf(recommend_config_id, duration_id);
  if (row !== undefined && prices.product_id[row] === product_id) return priceAt(prices, row);
  if (!products.has(product_id)) throw new ApiError('PRODUCT_NOT_FOUND', { id: product_id });
  if (!configurations.has(recommend_config_id))
    throw new ApiError('CONFIGURATION_NOT_FOUND', { id: recommend_config_id });
  if (durations && !durations.has(duration_id)) throw new ApiError('DURATION_NOT_FOUND', { id: duration_id });
  throw new ApiError('PRICE_NOT_FOUND');
}
