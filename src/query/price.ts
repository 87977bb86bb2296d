import type { PriceQuery } from '../contract/queries.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

/**
 * The row of the price of a combination (SPEC 4.2); or the first part of it that does not exist, where `price` means that
 * all parts exist but their combination has no price.
 */
export function findPrice(
  { products, configurations, durations, prices }: Snapshot,
  { product_id, recommend_config_id, duration_id }: PriceQuery,
): number | 'product' | 'configuration' | 'duration' | 'price' {
  const row = prices.rowOf(recommend_config_id, duration_id);
  if (row !== undefined && prices.product_id[row] === product_id) return row;
  if (!products.has(product_id)) return 'product';
  if (!configurations.has(recommend_config_id)) return 'configuration';
  if (durations && !durations.has(duration_id)) return 'duration';
  return 'price';
}
