import { createHash } from 'node:crypto';
import {
  CONFIGURATION_PRICE,
  type Configuration,
  catalogNames,
  type Duration,
  durationUnits,
  type News,
  type Price,
  type Product,
  type Row,
} from './schemas.ts';
import type { TimeZone } from './time-zone.ts';

/** The rows of a whole valid set. */
export interface CatalogRows {
  products: Product[];
  configurations: Configuration[];
  durations: Duration[] | undefined;
  prices: Price[];
  news_types: Row<'news_types'>[] | undefined;
  news: News[];
}

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

/** Indexes a whole valid set. The rows become the snapshot's own and must not be changed any more. */
export function buildSnapshot(rows: CatalogRows, timeZone: TimeZone): Snapshot {
  const configurations = rows.configurations
    .filter(configuration => !configuration.hidden)
    .sort((a, b) => a.order - b.order || a.id - b.id);
  const visible = byId(configurations);
  const rank = durationRank(rows.durations);
  const prices = rows.prices
    .filter(price => price.rel_type === CONFIGURATION_PRICE && visible.has(price.rel_id))
    .sort((a, b) => rank(a.duration_id) - rank(b.duration_id));
  const newsByTime = rows.news
    .filter(item => !item.hidden)
    .sort((a, b) => b.create_time - a.create_time || b.id - a.id);
  return {
    version: versionOf(rows),
    timeZone,
    products: byId(rows.products),
    configurations: visible,
    configurationsOf: groupBy(configurations, configuration => configuration.product_id),
    durations: rows.durations && byId(rows.durations),
    prices: new Map(
      prices.map(price => [priceKey(price.product_id, price.rel_id, price.duration_id), price]),
    ),
    pricesOf: groupBy(prices, price => price.rel_id),
    news: byId(newsByTime),
    newsByTime,
  };
}

function byId<R extends { id: number }>(rows: R[]): Map<number, R> {
  return new Map(rows.map(row => [row.id, row]));
}

function groupBy<R>(rows: R[], key: (row: R) => number): Map<number, R[]> {
  const groups = new Map<number, R[]>();
  for (const row of rows) {
    const group = groups.get(key(row));
    if (group) group.push(row);
    else groups.set(key(row), [row]);
  }
  return groups;
}

/** Gives a duration its place among all: by unit, num, id; by id alone where there is no durations catalog. */
function durationRank(durations: Duration[] | undefined): (durationId: number) => number {
  const sorted = durations?.toSorted(
    (a, b) => durationUnits.indexOf(a.unit) - durationUnits.indexOf(b.unit) || a.num - b.num || a.id - b.id,
  );
  const ranks = new Map(sorted?.map(({ id }, rank) => [id, rank]));
  return durationId => ranks.get(durationId) ?? durationId;
}

/** Rows count in the order of their ids, so that neither the files' notation nor their order matters. */
function versionOf(rows: CatalogRows): string {
  const hash = createHash('sha256');
  for (const name of catalogNames) {
    const sorted = rows[name]?.toSorted((a, b) => a.id - b.id);
    hash.update(JSON.stringify([name, sorted ?? null]));
  }
  return hash.digest('hex').slice(0, 12);
}
