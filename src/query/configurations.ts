import type { Configuration } from '../contract/columns.ts';
import type { Page } from '../contract/envelope.ts';
import type { ConfigurationsQuery, PriceQuery } from '../contract/queries.ts';
import type { PriceRecord, RecommendedConfiguration } from '../contract/records.ts';
import { ApiError } from '../errors.ts';
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
