import { type Change, shortened } from '../contract/changes.ts';
import { type CatalogName, catalogNames, referencesOf } from '../contract/columns.ts';
import type { ChangeTable } from '../set/compare/changes.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { newsDetailAt } from './news.ts';
import { firstIndex } from './paging.ts';

/** Changes of a report as JSON, with the names that their keys stand for in a snapshot as far as it has them. */
export function namedChanges(changes: readonly string[], snapshot: Snapshot | undefined): string {
  const named = changes.map(change => {
    const names = snapshot && namesOf(snapshot, JSON.parse(change));
    return names ? `${change.slice(0, -1)},"names":${JSON.stringify(names)}}` : change;
  });
  return named.join();
}

/** Of a removed row, only the names of others: its own is no longer public. */
function namesOf(snapshot: Snapshot, { catalog, change, key }: Change): Change['names'] {
  const names = key.id === undefined ? rowNames(snapshot, catalog)(key) : [];
  const name = change === 'removed' || key.id === undefined ? undefined : nameOf(snapshot, catalog, key.id);
  if (name !== undefined) names.push(['id', name]);
  if (names.length === 0) return undefined;
  return Object.fromEntries(names.map(([column, name]) => [column, shortened(name)]));
}

function nameOf(snapshot: Snapshot, catalog: CatalogName, id: number): string | undefined {
  const { news } = snapshot;
  if (catalog !== 'news') return namedRows(snapshot, catalog)?.get(id)?.name;
  const row = news.rowOf.get(id);
  return row === undefined ? undefined : newsDetailAt(news, row).title;
}

/** The rows of a catalog by their ids; undefined for prices and news, which are not kept so. */
export function namedRows(
  { products, configurations, durations, newsTypes }: Snapshot,
  catalog: CatalogName,
): ReadonlyMap<number, { id: number; name: string }> | undefined {
  if (catalog === 'prices' || catalog === 'news') return undefined;
  return { products, configurations, durations, news_types: newsTypes }[catalog];
}

export type Values = Readonly<Record<string, string | number | boolean | undefined>>;

/** Finds the names that the ids of rows of a catalog stand for. */
export function rowNames(
  snapshot: Snapshot,
  catalog: CatalogName,
): (row: Values) => [column: string, name: string][] {
  const references = referencesOf(catalog);
  return row =>
    references.flatMap(({ column, target }) => {
      const name = namedRows(snapshot, target)?.get(Number(row[column]))?.name;
      return name === undefined ? [] : [[column, name]];
    });
}

/**
 * The listed changes of a catalog whose key begins with these ids: of a price product, configuration and duration, of any
 * other row its id. They follow each other, since a table lists changes by catalog and key.
 */
export function* changesWith(
  table: ChangeTable | undefined,
  catalog: CatalogName,
  key: readonly number[],
): Generator<Change> {
  const { changes } = table ?? { changes: [] };
  const changeAt = (index: number): Change => JSON.parse(changes[index] ?? '');
  let index = firstIndex(changes.length, index => compare(changeAt(index), catalog, key) >= 0);
  for (; index < changes.length; index += 1) {
    const change = changeAt(index);
    if (compare(change, catalog, key) !== 0) return;
    yield change;
  }
}

/** Negative for a change before all those with the key, 0 for one of them, positive for one after them. */
function compare(change: Change, catalog: CatalogName, key: readonly number[]): number {
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
