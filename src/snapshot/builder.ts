import type { CatalogName, Configuration, Duration, NewsType, Product } from '../contract/columns.ts';
import { openColumns, type SnapshotChunk } from './chunks.ts';
import type { NewsTable } from './news-table.ts';
import { eachRow, indexPrices, type PriceTable } from './price-table.ts';
import type { Snapshot } from './snapshot.ts';
import type { RowSources } from './sources.ts';

type NewsColumns = Omit<NewsTable, 'texts' | 'img'>;

/** Builds a snapshot from the chunks of one set. */
interface SnapshotBuilder {
  add(chunk: SnapshotChunk): void;
  /** The snapshot of all chunks. Yields to the event loop while it makes the indexes. */
  build(version: string): Promise<Snapshot>;
}

/** `timeZone` is the IANA name of the zone of formatted times; `served` has the catalogs that no chunks bring. */
export function openSnapshotBuilder(timeZone: string, served?: Snapshot): SnapshotBuilder {
  const products = new Map<number, Product>();
  const configurations = new Map<number, Configuration>();
  const configurationsOf = new Map<number, Configuration[]>();
  let durations: Map<number, Duration> | undefined;
  const newsTypes = new Map<number, NewsType>();
  const columns = {
    prices: openColumns<PriceTable>(),
    news: openColumns<NewsColumns>(),
    places: openColumns<RowSources['places']>(),
    order: openColumns<RowSources['order']>(),
  };
  const shared: Partial<Snapshot> = {};
  const lists = {
    texts: [] as string[],
    img: [] as string[],
    markdown: [] as string[],
    changes: [] as string[],
  };
  let files: RowSources['files'] | undefined;

  return {
    add(chunk) {
      switch (chunk.catalog) {
        case 'products':
          for (const row of chunk.rows) products.set(row.id, row);
          break;
        case 'configurations':
          for (const row of chunk.rows) {
            configurations.set(row.id, row);
            const ofProduct = configurationsOf.get(row.product_id) ?? [];
            ofProduct.push(row);
            configurationsOf.set(row.product_id, ofProduct);
          }
          break;
        case 'durations':
          durations ??= new Map();
          for (const row of chunk.rows) durations.set(row.id, row);
          break;
        case 'news_types':
          for (const row of chunk.rows) newsTypes.set(row.id, row);
          break;
        case 'prices':
        case 'news':
        case 'places':
        case 'order':
          columns[chunk.catalog].add(chunk);
          break;
        case 'texts':
        case 'img':
        case 'markdown':
        case 'changes':
          lists[chunk.catalog].push(...chunk.texts);
          break;
        case 'files':
          files = chunk.files;
          break;
        case 'served':
          for (const part of partsOf[chunk.name]) Object.assign(shared, { [part]: served?.[part] });
      }
    },
    async build(version) {
      const {
        texts,
        img,
        markdown,
        changes: [head, ...changes],
      } = lists;
      const [prices, news] = [columns.prices.table(), columns.news.table()];
      return {
        ...{ version, timeZone, products, configurations, configurationsOf, durations, newsTypes },
        prices: shared.prices ?? { ...prices, ...(await indexPrices(prices)) },
        changes: head === undefined ? undefined : { head, changes },
        sources: files && {
          files,
          markdown,
          places: columns.places.table(),
          order: columns.order.table(),
        },
        news: shared.news ?? { ...news, img, texts, rowOf: await rowsById(news.id) },
        ...shared,
      };
    },
  };
}

/** What a snapshot has of each catalog. */
const partsOf = {
  products: ['products'],
  configurations: ['configurations', 'configurationsOf'],
  durations: ['durations'],
  prices: ['prices'],
  news_types: ['newsTypes'],
  news: ['news'],
} as const satisfies Record<CatalogName, (keyof Snapshot)[]>;

async function rowsById(ids: Float64Array): Promise<Map<number, number>> {
  const rowOf = new Map<number, number>();
  await eachRow(ids.length, row => rowOf.set(ids[row] ?? Number.NaN, row));
  return rowOf;
}
