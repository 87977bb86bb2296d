import type { Page } from '../contract/envelope.ts';
import type { MatrixDuration } from '../contract/overview.ts';
import type { ConfigurationsQuery } from '../contract/queries.ts';
import type { DurationPrice, RecommendedConfiguration } from '../contract/records.ts';
import { type PriceIndex, priceAt } from '../snapshot/price-table.ts';
import { ownFields, type Snapshot } from '../snapshot/snapshot.ts';
import { pageOf } from './paging.ts';

/** Returns a page of the configurations of a product, by `order`, then id (SPEC 4.1); empty for an unknown product. */
export function listConfigurations(
  snapshot: Snapshot,
  index: PriceIndex,
  { product_id, include_durations, include, ...paging }: ConfigurationsQuery,
): Page<RecommendedConfiguration> {
  const { list, pagination } = pageOf(snapshot.configurationsOf.get(product_id) ?? [], paging);
  const records = list.map(({ id, product_id, name, cpu, memory }) => {
    const durations = include_durations && { durations: durationsOf(snapshot, index, id, include) };
    const extra = ownFields(snapshot, 'configurations', id, include);
    return { id, product_id, name, cpu, memory, ...durations, ...extra };
  });
  return { list: records, pagination };
}

function durationsOf(snapshot: Snapshot, index: PriceIndex, of: number, include: unknown): DurationPrice[] {
  return Array.from(index.rowsOf(of), row => {
    const { id, duration_id, price } = priceAt(snapshot.prices, row);
    return { ...listedDuration(snapshot, duration_id), price, ...ownFields(snapshot, 'prices', id, include) };
  });
}

/** A duration as lists name it: by its id alone without a durations catalog. */
export function listedDuration({ durations }: Snapshot, duration_id: number): MatrixDuration {
  const duration = durations?.get(duration_id);
  if (!duration) return { duration_id };
  const { name, num, unit } = duration;
  return { duration_id, name, num, unit };
}
