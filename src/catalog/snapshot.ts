import type { CatalogName, Configuration, Duration, News, Price, Product, Row } from './schemas.ts';
import { openTimeZone, type TimeZone } from './time-zone.ts';

/**
 * A set of catalogs, indexed for every query that is asked of it; it never changes. Hidden rows are not in it, news
 * that are yet to be published are.
 */
export interface Snapshot {
  /** Short hash of the rows: the same wherever the same rows are served, whatever files they came from. */
  version: string;
  timeZone: TimeZone;
  products: ReadonlyMap<number, Product>;
  configurations: ReadonlyMap<number, Configuration>;
  /** Of each product, by `order`, then id. */
  configurationsOf: ReadonlyMap<number, readonly Configuration[]>;
  /** Undefined where there is no durations catalog. */
  durations: ReadonlyMap<number, Duration> | undefined;
  /** By product, configuration and duration: see {@link priceKey}. */
  prices: ReadonlyMap<string, Price>;
  /** Of each configuration, in the order of their durations: unit, num, id. */
  pricesOf: ReadonlyMap<number, readonly Price[]>;
  news: ReadonlyMap<number, News>;
  /** Newest first; by id, larger first, where the times are the same. */
  newsByTime: readonly News[];
}

/** The key of a price in {@link Snapshot.prices}; no two combinations have the same. */
export function priceKey(productId: number, configurationId: number, durationId: number): string {
  return `${productId}/${configurationId}/${durationId}`;
}

/** Some rows of a catalog. */
export type Slice = { [Name in CatalogName]: { catalog: Name; rows: Row<Name>[] } }[CatalogName];

/** Makes a snapshot of the rows of a valid set, arranged, in as many slices as one likes. */
export interface Indexer {
  add(slice: Slice): void;
  /** The snapshot; nothing is to be added any more. */
  snapshot(): Snapshot;
}

/** `timeZone` is the IANA name of the zone in which times are told. */
export function openIndexer(version: string, timeZone: string): Indexer {
  const products = new Map<number, Product>();
  const configurations = new Map<number, Configuration>();
  const configurationsOf = new Map<number, Configuration[]>();
  let durations: Map<number, Duration> | undefined;
  const prices = new Map<string, Price>();
  const pricesOf = new Map<number, Price[]>();
  const news = new Map<number, News>();
  const newsByTime: News[] = [];

  const take: { [Name in CatalogName]: (row: Row<Name>) => void } = {
    products: row => products.set(row.id, row),
    configurations: row => {
      configurations.set(row.id, row);
      append(configurationsOf, row.product_id, row);
    },
    durations: row => durations?.set(row.id, row),
    prices: row => {
      prices.set(priceKey(row.product_id, row.rel_id, row.duration_id), row);
      append(pricesOf, row.rel_id, row);
    },
    news_types: () => {},
    news: row => {
      news.set(row.id, row);
      newsByTime.push(row);
    },
  };
  return {
    add({ catalog, rows }) {
      if (catalog === 'durations') durations ??= new Map();
      // What TypeScript cannot tell: a slice's rows are those of its catalog.
      const takeRow = take[catalog] as (row: object) => void;
      for (const row of rows) takeRow(row);
    },
    snapshot: () => ({
      version,
      timeZone: openTimeZone(timeZone),
      products,
      configurations,
      configurationsOf,
      durations,
      prices,
      pricesOf,
      news,
      newsByTime,
    }),
  };
}

function append<R>(groups: Map<number, R[]>, key: number, row: R): void {
  const group = groups.get(key);
  if (group) group.push(row);
  else groups.set(key, [row]);
}
