import type { Change } from '../contract/changes.ts';
import { type CatalogName, catalogNames } from '../contract/columns.ts';
import type { NameOf } from '../set/compare/changes.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { newsDetailAt } from './news.ts';

export function namesOf(snapshot: Snapshot): NameOf {
  const { news } = snapshot;
  return (catalog, id) => {
    if (catalog !== 'news') return namedRows(snapshot, catalog)?.get(id)?.name;
    const row = news.rowOf.get(id);
    return row === undefined ? undefined : newsDetailAt(news, row).title;
  };
}

/** Returns the rows of a catalog by id; undefined for prices and news, which are not indexed so. */
export function namedRows(
  { products, configurations, durations, newsTypes }: Snapshot,
  catalog: CatalogName,
): ReadonlyMap<number, { id: number; name: string }> | undefined {
  if (catalog === 'prices' || catalog === 'news') return undefined;
  return { products, configurations, durations, news_types: newsTypes }[catalog];
}

/**
 * Yields the listed changes of a catalog whose key begins with these ids: product, configuration and duration of a price,
 * otherwise the id. They are adjacent, since changes are sorted by catalog and key.
 */
export function* changesWith(snapshot: Snapshot, catalog: CatalogName, key: readonly number[]) {
  const { changes = [] } = snapshot.changes ?? {};
  const changeAt = (index: number): Change => JSON.parse(changes[index] ?? '');
  let index = firstIndex(changes.length, index => compareToKey(changeAt(index), catalog, key) >= 0);
  for (; index < changes.length; index += 1) {
    const change = changeAt(index);
    if (compareToKey(change, catalog, key) !== 0) return;
    yield change;
  }
}

/** Negative before the changes with the key, 0 among them, positive after them. */
function compareToKey(change: Change, catalog: CatalogName, key: readonly number[]): number {
  const order = catalogNames.indexOf(change.catalog) - catalogNames.indexOf(catalog);
  if (order !== 0) return order;
  const { id, product_id, rel_id, duration_id } = change.key;
  const ids = catalog === 'prices' ? [product_id, rel_id, duration_id] : [id];
  for (const [place, value] of key.entries()) {
    const difference = (ids[place] ?? Number.POSITIVE_INFINITY) - value;
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Binary search for the first index with `isTrue`, which holds for all later ones; `length` if there is none. */
function firstIndex(length: number, isTrue: (index: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isTrue(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
