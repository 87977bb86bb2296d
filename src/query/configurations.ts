import type { Configuration } from '../contract/columns.ts';
import type { Page } from '../contract/envelope.ts';
import type { ConfigurationsQuery } from '../contract/queries.ts';
import type { RecommendedConfiguration } from '../contract/records.ts';
import { type PriceIndex, priceAt } from '../snapshot/price-table.ts';
import { durationPrice, recommendedConfiguration } from '../snapshot/records.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { pageOf } from './paging.ts';

/** Returns a page of the configurations of a product, by `order`, then id (SPEC 4.1); empty for an unknown product. */
export function listConfigurations(
  snapshot: Snapshot,
  index: PriceIndex,
  { product_id, include_durations, ...paging }: ConfigurationsQuery,
): Page<RecommendedConfiguration> {
  const { list, pagination } = pageOf(snapshot.configurationsOf.get(product_id) ?? [], paging);
  const records = list.map(configuration =>
    recommendedConfiguration(
      configuration,
      include_durations ? durationsOf(snapshot, index, configuration) : undefined,
    ),
  );
  return { list: records, pagination };
}

function durationsOf({ prices, durations }: Snapshot, index: PriceIndex, { id }: Configuration) {
  return Array.from(index.rowsOf(id), row => {
    const price = priceAt(prices, row);
    return durationPrice(price, durations?.get(price.duration_id));
  });
}
