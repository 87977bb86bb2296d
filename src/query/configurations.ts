import { priceAt } from '../catalog/price-table.ts';
import {
  durationPrice,
  type RecommendedConfiguration,
  recommendedConfiguration,
} from '../catalog/records.ts';
import type { Configuration } from '../catalog/schemas.ts';
import type { Snapshot } from '../catalog/snapshot.ts';
import { type Page, pageOf } from './paging.ts';
import type { ConfigurationsQuery } from './queries.ts';

/** The configurations of a product, by `order`, then id (SPEC 4.1); none of a product that does not exist. */
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
  const rows = prices.rowOf.get(id) ?? new Map<number, number>();
  return Array.from(rows, ([durationId, row]) =>
    durationPrice(priceAt(prices, row), durations?.get(durationId)),
  );
}
