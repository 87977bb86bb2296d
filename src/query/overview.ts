import type { Snapshot } from '../catalog/snapshot.ts';
import type { PublishedNews } from './published.ts';

/** The products, each with the number of its configurations. */
export function productCounts({ products, configurationsOf }: Snapshot) {
  return Array.from(products.values(), ({ id, name, description }) => ({
    id,
    name,
    description,
    configurations: configurationsOf.get(id)?.length ?? 0,
  }));
}

/** The categories of news, each with the number of its published items. */
export function newsTypeCounts({ newsTypes }: Snapshot, { byType }: PublishedNews) {
  return Array.from(newsTypes.values(), ({ id, name }) => ({ id, name, news: byType.get(id)?.length ?? 0 }));
}

/** A row and its count. */
export interface Ranked {
  row: number;
  count: number;
}

/**
 * The `length` rows with the largest counts, the largest first and equal ones as they come; none with a count of 0. It
 * is one pass over the rows, however many they are.
 */
export function largest(rows: readonly number[], countOf: (row: number) => number, length: number): Ranked[] {
  const top: Ranked[] = [];
  let least = 0;
  for (const row of rows) {
    const count = countOf(row);
    if (count <= least) continue;
    const place = top.findIndex(other => other.count < count);
    top.splice(place < 0 ? top.length : place, 0, { row, count });
    top.length = Math.min(top.length, length);
    if (top.length === length) least = top.at(-1)?.count ?? 0;
  }
  return top;
}
