import type { MatrixDuration } from '../../contract/page.ts';
import { memoizePerSnapshot, type Snapshot } from '../../snapshot/snapshot.ts';
import { durationRank } from '../../snapshot/sort.ts';
import { changesWith } from '../changes/change-search.ts';

/** How many configurations or changes are looked at between two yields: at most a few milliseconds' work. */
const STEP = 500;

const known = memoizePerSnapshot(() => new Map<number, readonly MatrixDuration[]>());

/**
 * The durations for which the configurations of a product have prices, or had some before the last change; by unit, num
 * and id. Computed once for a product of a snapshot. Yields while it does so.
 */
export function* durationsOf(
  snapshot: Snapshot,
  product_id: number,
): Generator<undefined, readonly MatrixDuration[]> {
  const before = known(snapshot).get(product_id);
  if (before) return before;
  const { durations } = snapshot;
  const rank = durationRank(durations && [...durations.values()]);
  const ids = [...(yield* idsOf(snapshot, product_id))].sort((one, other) => rank(one) - rank(other));
  const list = ids.map(duration_id => {
    const duration = durations?.get(duration_id);
    if (!duration) return { duration_id };
    const { name, num, unit } = duration;
    return { duration_id, name, num, unit };
  });
  // The number of products bounds what is remembered.
  if (snapshot.products.has(product_id)) known(snapshot).set(product_id, list);
  return list;
}

function* idsOf(
  { configurations, configurationsOf, prices, changes }: Snapshot,
  product_id: number,
): Generator<undefined, Set<number>> {
  const ids = new Set<number>();
  for (const [index, { id }] of (configurationsOf.get(product_id) ?? []).entries()) {
    for (const row of prices.rowsOf(id)) ids.add(prices.duration_id[row] ?? 0);
    if (index % STEP === STEP - 1) yield;
  }
  let count = 0;
  for (const { change, key } of changesWith(changes, 'prices', [product_id])) {
    const { rel_id, duration_id } = key;
    const isOfProduct = rel_id !== undefined && configurations.get(rel_id)?.product_id === product_id;
    if (change === 'removed' && isOfProduct && duration_id !== undefined) ids.add(duration_id);
    count += 1;
    if (count % STEP === 0) yield;
  }
  return ids;
}
