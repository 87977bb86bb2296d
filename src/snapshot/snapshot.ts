// A snapshot: the served set, in the form that queries need. Swapping one reference makes another set live.
//
// The reader process sorts the rows (`sort.ts`), makes tables of bytes and numbers of them (`news-table.ts`, `price-table.ts`)
// and the search index (`search-index.ts`, over texts of `html-text.ts` and `fold.ts`), and sends all in chunks (`chunks.ts`). The
// serving process puts them together (`builder.ts`). `records.ts` makes rows into records; `sources.ts` says where rows are.
//
import type { CatalogName, Configuration, Duration, NewsType, Product } from '../contract/columns.ts';
import type { OwnFields } from '../contract/records.ts';
import type { ChangeTable } from '../set/compare/changes.ts';
import type { NewsTable } from './news-table.ts';
import type { PriceTable } from './price-table.ts';
import type { RowSources } from './sources.ts';

/** A set of catalogs, indexed for every query. Immutable. It has no hidden rows, but news items outside their times. */
export interface Snapshot {
  /** Short hash of the rows: equal rows give equal versions, whatever files they came from. */
  version: string;
  /** The time of a preview, in Unix seconds; undefined for the present. */
  instant?: number;
  /** IANA name of the zone of formatted times. */
  timeZone: string;
  products: ReadonlyMap<number, Product>;
  configurations: ReadonlyMap<number, Configuration>;
  /** Of each product, by `order`, then id. */
  configurationsOf: ReadonlyMap<number, readonly Configuration[]>;
  /** Undefined without a durations catalog. */
  durations: ReadonlyMap<number, Duration> | undefined;
  /** By duration (unit, num and id), then date. */
  prices: PriceTable;
  /** Empty without a news_types catalog. */
  newsTypes: ReadonlyMap<number, NewsType>;
  /** Newest first; items of the same time by id, larger first. */
  news: NewsTable & { rowOf: ReadonlyMap<number, number> };
  /** By catalog and id, as in `news 7`: apart from the rows, since answers only contain them on request. */
  extra: ReadonlyMap<string, OwnFields>;
  /** What visitors see changed since the set before; undefined if unknown. */
  changes: ChangeTable | undefined;
  /** Where the rows are in their files; undefined to save memory. */
  sources: RowSources | undefined;
}

/** The own fields of a row, to add to its record; undefined for none. */
export function ownFields({ extra }: Snapshot, catalog: CatalogName, id: number, isIncluded: unknown) {
  const fields = isIncluded ? extra.get(`${catalog} ${id}`) : undefined;
  return fields && { extra: fields };
}

/** Returns the set at an instant (Unix seconds). It shares the rows, but nothing that is memoized. */
export function snapshotAt(snapshot: Snapshot, instant: number): Snapshot {
  return { ...snapshot, instant };
}

/** Computes a value per snapshot, on first use. The value lives as long as its snapshot. */
export function memoizePerSnapshot<Value>(compute: (snapshot: Snapshot) => Value) {
  const values = new WeakMap<Snapshot, Value>();
  return (snapshot: Snapshot): Value => {
    const value = values.get(snapshot) ?? compute(snapshot);
    values.set(snapshot, value);
    return value;
  };
}
