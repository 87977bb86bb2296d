import type { PriceQuery } from '../contract/queries.ts';
import type { PriceRecord } from '../contract/records.ts';
import { ApiError } from '../errors.ts';
import { indexPrices, type PriceIndex, priceAt } from '../snapshot/price-table.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

const indexes = new WeakMap<object, PriceIndex>();

/** Returns the prices in force at `now` (Unix seconds), or at the instant of the snapshot, as {@link publishedNews} does. */
export function pricesAt(snapshot: Snapshot, now: number): PriceIndex {
  const { prices, instant } = snapshot;
  const time = instant ?? now;
  // Snapshots at different instants share their prices, but not the index.
  const owner = instant === undefined || !prices.valid_from ? prices : snapshot;
  const last = indexes.get(owner);
  if (last && last.from <= time && time < last.until) return last;
  const index = indexPrices(prices, time);
  indexes.set(owner, index);
  return index;
}

/** Returns the price of a combination (SPEC 4.2). @throws ApiError that names the first part that does not exist. */
export function findPrice(
  { products, configurations, durations, prices }: Snapshot,
  index: PriceIndex,
  { product_id, recommend_config_id, duration_id }: PriceQuery,
): PriceRecord {
  const row = index.rowOf(recommend_config_id, duration_id);
  if (row !== undefined && prices.product_id[row] === product_id) return priceAt(prices, row);
  if (!products.has(product_id)) throw new ApiError('PRODUCT_NOT_FOUND', { id: product_id });
  if (!configurations.has(recommend_config_id))
    throw new ApiError('CONFIGURATION_NOT_FOUND', { id: recommend_config_id });
  if (durations && !durations.has(duration_id)) throw new ApiError('DURATION_NOT_FOUND', { id: duration_id });
  throw new ApiError('PRICE_NOT_FOUND');
}
