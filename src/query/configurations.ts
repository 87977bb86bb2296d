import type { Snapshot } from '../catalog/snapshot.ts';
import { type Page, pageOf } from './paging.ts';
import type { ConfigurationsQuery } from './queries.ts';
import { durationPrice, type RecommendedConfiguration, recommendedConfiguration } from './records.ts';

/** The configurations of a product, by `order`, then id (SPEC 4.1); none of a product that does not exist. */
export function listConfigurations(
  snapshot: Snapshot,
  query: ConfigurationsQuery,
): Page<RecommendedConfiguration> {
  const { list, pagination } = pageOf(snapshot.configurationsOf.get(query.product_id) ?? [], query);
  const durationsOf = (configurationId: number) =>
    (snapshot.pricesOf.get(configurationId) ?? []).map(price =>
      durationPrice(price, snapshot.durations?.get(price.duration_id)),
    );
  return {
    list: list.map(configuration =>
      recommendedConfiguration(
        configuration,
        query.include_durations ? durationsOf(configuration.id) : undefined,
      ),
    ),
    pagination,
  };
}
