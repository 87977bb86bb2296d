import { type AmbiguousNumber, numberKey } from '../formats/decimals.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

/** The {@link numberKey} of each of the numbers that the snapshot has in the same row and column. */
export function servedNumbers(
  { configurations, prices }: Snapshot,
  numbers: readonly AmbiguousNumber[],
): ReadonlySet<string> {
  const priceRows = rowsOf(prices.id, new Set(numbers.map(({ id }) => id)));
  const isServed = ({ catalog, id, column, value }: AmbiguousNumber) => {
    if (catalog === 'prices') return prices.price[priceRows.get(id) ?? -1] === value;
    const configuration = configurations.get(Number(id));
    return column === 'cpu' ? configuration?.cpu === value : configuration?.memory === value;
  };
  return new Set(numbers.filter(isServed).map(numberKey));
}

/** The rows of some ids. Without a map of all ids, which takes long for a large table. */
function rowsOf(ids: Float64Array, wanted: ReadonlySet<unknown>): ReadonlyMap<unknown, number> {
  const rows = new Map<unknown, number>();
  ids.forEach((id, row) => {
    if (wanted.has(id)) rows.set(id, row);
  });
  return rows;
}
