import type { NewsTable } from './news-table.ts';
import { indexPrices, type PriceIndex, type PriceTable } from './price-table.ts';
import type { Configuration, Duration, NewsType, Product } from './schemas.ts';
import { eachRow } from './strides.ts';

/**
 * A set of catalogs, indexed for every query that is asked of it; it never changes. Hidden rows are not in it, news
 * that are yet to be published are.
 */
export interface Snapshot {
  /** Short hash of the rows: the same wherever the same rows are served, whatever files they came from. */
  version: string;
  /** IANA name of the zone in which times are told. */
  timeZone: string;
  products: ReadonlyMap<number, Product>;
  configurations: ReadonlyMap<number, Configuration>;
  /** Of each product, by `order`, then id. */
  configurationsOf: ReadonlyMap<number, readonly Configuration[]>;
  /** Undefined where there is no durations catalog. */
  durations: ReadonlyMap<number, Duration> | undefined;
  /** Those of a configuration in the order of their durations: unit, num, id. */
  prices: PriceTable & { rowOf: PriceIndex };
  /** None where there is no catalog of them. */
  newsTypes: ReadonlyMap<number, NewsType>;
  /** Newest first; by id, larger first, where the times are the same. */
  news: NewsTable & {
    /** The row of each id. */
    rowOf: ReadonlyMap<number, number>;
  };
}

/** A part of a set, as it comes over from the worker: few enough rows to take over at once, or a table. */
export type Slice =
  | { catalog: 'products'; rows: Product[] }
  | { catalog: 'configurations'; rows: Configuration[] }
  | { catalog: 'durations'; rows: Duration[] }
  | { catalog: 'prices'; table: PriceTable }
  | { catalog: 'news_types'; rows: NewsType[] }
  | { catalog: 'news'; table: Omit<NewsTable, 'texts'> }
  | { catalog: 'texts'; texts: string[] };

/** Makes a snapshot of the parts of a valid set, arranged, in as many slices as one likes. */
export interface Indexer {
  add(slice: Slice): void;
  /** The snapshot; nothing is to be added any more. @throws Error where there is no table of prices or of news. */
  snapshot(): Promise<Snapshot>;
}

/** `timeZone` is the IANA name of the zone in which times are told. */
export function openIndexer(version: string, timeZone: string): Indexer {
  const products = new Map<number, Product>();
  const configurations = new Map<number, Configuration>();
  const configurationsOf = new Map<number, Configuration[]>();
  let durations: Map<number, Duration> | undefined;
  let prices: PriceTable | undefined;
  const newsTypes = new Map<number, NewsType>();
  let news: Omit<NewsTable, 'texts'> | undefined;
  const texts: string[] = [];

  return {
    add(slice) {
      switch (slice.catalog) {
        case 'products':
          for (const row of slice.rows) products.set(row.id, row);
          break;
        case 'configurations':
          for (const row of slice.rows) {
            configurations.set(row.id, row);
            append(configurationsOf, row.product_id, row);
          }
          break;
        case 'durations':
          durations ??= new Map();
          for (const row of slice.rows) durations.set(row.id, row);
          break;
        case 'prices':
          prices = slice.table;
          break;
        case 'news_types':
          for (const row of slice.rows) newsTypes.set(row.id, row);
          break;
        case 'news':
          news = slice.table;
          break;
        case 'texts':
          texts.push(...slice.texts);
      }
    },
    async snapshot() {
      if (!prices || !news) throw new Error('the worker has sent half a set');
      return {
        version,
        timeZone,
        products,
        configurations,
        configurationsOf,
        durations,
        prices: { ...prices, rowOf: await indexPrices(prices) },
        newsTypes,
        news: { ...news, texts, rowOf: await rowsById(news.id) },
      };
    },
  };
}

async function rowsById(ids: Float64Array): Promise<Map<number, number>> {
  const rowOf = new Map<number, number>();
  await eachRow(ids.length, row => rowOf.set(ids[row] ?? Number.NaN, row));
  return rowOf;
}

function append<R>(groups: Map<number, R[]>, key: number, row: R): void {
  const group = groups.get(key);
  if (group) group.push(row);
  else groups.set(key, [row]);
}
