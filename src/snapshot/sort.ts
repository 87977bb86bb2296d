import { createHash } from 'node:crypto';
import {
  type CatalogName,
  catalogNames,
  type Duration,
  durationUnits,
  type FullRow,
} from '../contract/columns.ts';
import { type AnyRow, servedRows } from '../set/compare/differences.ts';

/** The rows of each catalog; undefined for one without a file. */
export type CatalogRows = { [Name in CatalogName]: FullRow<Name>[] | undefined };

/**
 * Sorts the rows to serve: configurations by `order`, then id; prices by unit, num and id of their durations, then date; news
 * newest first, then larger id first.
 */
export function sortRows(rows: CatalogRows): CatalogRows {
  const isServed = servedRows(name => rows[name]);
  const served = <Name extends CatalogName>(name: Name) =>
    rows[name]?.filter((row: FullRow<Name>) => isServed(name, row as AnyRow));
  const rank = durationRank(rows.durations);
  return {
    products: served('products'),
    configurations: served('configurations')?.sort((a, b) => a.order - b.order || a.id - b.id),
    durations: served('durations'),
    prices: served('prices')?.sort(
      (a, b) => rank(a.duration_id) - rank(b.duration_id) || (a.valid_from ?? 0) - (b.valid_from ?? 0),
    ),
    news_types: rows.news_types,
    news: served('news')?.sort((a, b) => b.create_time - a.create_time || b.id - a.id),
  };
}

/** Ranks durations by unit, num and id; without a durations catalog by id alone. */
export function durationRank(durations: Duration[] | undefined): (durationId: number) => number {
  const sorted = durations?.toSorted(
    (a, b) => durationUnits.indexOf(a.unit) - durationUnits.indexOf(b.unit) || a.num - b.num || a.id - b.id,
  );
  const ranks = new Map(sorted?.map(({ id }, rank) => [id, rank]));
  return durationId => ranks.get(durationId) ?? durationId;
}

/** Hashes all rows, by id, to the `Catalog-Version`. Format and order of the files do not matter. */
export function versionOf(rows: CatalogRows): string {
  const hash = createHash('sha256');
  for (const name of catalogNames) {
    const list: readonly { id: number }[] | undefined = rows[name];
    const sorted = list?.toSorted((a, b) => a.id - b.id) ?? [];
    // The JSON of `[name, rows ?? null]`, in parts, since the whole would take as much memory as the files.
    hash.update(`[${JSON.stringify(name)},${list ? '[' : 'null'}`);
    for (const [index, row] of sorted.entries()) hash.update((index > 0 ? ',' : '') + JSON.stringify(row));
    hash.update(list ? ']]' : ']');
  }
  return hash.digest('hex').slice(0, 12);
}
