import type { Configuration } from '../contract/columns.ts';
import type { Page } from '../contract/envelope.ts';
import type { ConfigurationsQuery, PriceQuery } from '../contract/queries.ts';
import type { RecommendedConfiguration } from '../contract/records.ts';
import { priceAt } from '../snapshot/price-table.ts';
import { durationPrice, recommendedConfiguration } from '../snapshot/records.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { pageOf } from './paging.ts';

/** A page of the configurations of a product, by `order`, then id (SPEC 4.1); empty for an unknown product. */
export function listConfigurations(
  snapshot: Snapshot,
  { product_id, include_durations, ...paging }: ConfigurationsQuery,
): Page<RecommendedConfiguration> {
  const { list, pagination } = pageOf(snapshot.configurationsOf.get(product_id) ?? [], paging);
  const records = list.map(configuration =>
    recommendedConfiguration(
      configuration,
      include_durations ? durationsOf(snapshot, configuration) : undefined,
    ),
  );
  return { list: records, pagination };
}

function durationsOf({ prices, durations }: Snapshot, { id }: Configuration) {
  return Array.from(prices.rowsOf(id), row => {
    const price = priceAt(prices, row);
    return durationPrice(price, durations?.get(price.duration_id));
  });
}

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
