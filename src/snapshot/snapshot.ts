import type { CatalogName, Configuration, Duration, NewsType, Product } from '../contract/columns.ts';
import type { ChangeTable } from '../set/compare/changes.ts';
import type { NewsTable } from './news-table.ts';
import type { PriceTable } from './price-table.ts';
import type { RowSources } from './sources.ts';

/**
 * A set of catalogs, indexed for every query. It never changes. It has no hidden rows, but news items that are not yet
 * published, or not any more.
 */
export interface Snapshot {
  /** Short hash of the rows: equal rows have the same version, whatever files they came from. */
  version: string;
  /** The moment at which its news items are looked at, in Unix seconds; undefined for the present. */
  instant?: number;
  /** IANA name of the zone of formatted times. */
  timeZone: string;
  products: ReadonlyMap<number, Product>;
  configurations: ReadonlyMap<number, Configuration>;
  /** The configurations of each product, by `order`, then id. */
  configurationsOf: ReadonlyMap<number, readonly Configuration[]>;
  /** Undefined without a durations catalog. */
  durations: ReadonlyMap<number, Duration> | undefined;
  /** In the order of their durations, by unit, num and id, then by date. */
  prices: PriceTable;
  /** Empty without a news_types catalog. */
  newsTypes: ReadonlyMap<number, NewsType>;
  /** Newest first; items of the same time by id, larger first. */
  news: NewsTable & { rowOf: ReadonlyMap<number, number> };
  /** The own fields of the rows that have any, as JSON. */
  extra: ReadonlyMap<RowName, string>;
  /** What visitors see changed since the set before; undefined if that is not known. */
  changes: ChangeTable | undefined;
  /** Where its rows are in their files; undefined if there is no memory for it. */
  sources: RowSources | undefined;
}

/** A row by its catalog and its id. */
export type RowName = `${CatalogName} ${number}`;

/** The same set at an instant (Unix seconds). It shares the rows, and nothing that is cached for a snapshot. */
export function snapshotAt(snapshot: Snapshot, instant: number): Snapshot {
  return { ...snapshot, instant };
}

/** Computes a value for each snapshot on first use. The value lives as long as its snapshot. */
export function memoizePerSnapshot<Value>(compute: (snapshot: Snapshot) => Value) {
  const values = new WeakMap<Snapshot, Value>();
  return (snapshot: Snapshot): Value => {
    const value = values.get(snapshot) ?? compute(snapshot);
    values.set(snapshot, value);
    return value;
  };
}
