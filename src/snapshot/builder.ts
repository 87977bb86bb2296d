import type { CatalogName, Configuration } from '../contract/columns.ts';
import { addColumnChunk, type ReceivedLists, type SnapshotChunk } from './chunks.ts';
import type { NewsTable } from './news-table.ts';
import { eachRow, indexPrices, type PriceTable } from './price-table.ts';
import type { Snapshot } from './snapshot.ts';
import type { RowSources } from './sources.ts';

/**
 * Builds a snapshot from the chunks of one set. `timeZone` is the IANA name of the zone of formatted times; `served` has the
 * catalogs that no chunks bring.
 */
export function openSnapshotBuilder(timeZone: string, served?: Snapshot) {
  const lists: ReceivedLists = {};
  // They become the tables that were divided.
  const prices = {} as PriceTable;
  const news = {} as Omit<NewsTable, 'texts' | 'img'>;
  const places = {} as RowSources['places'];
  const order = {} as RowSources['order'];
  const shared: Partial<Snapshot> = {};
  let files: RowSources['files'] | undefined;
  return {
    add(chunk: SnapshotChunk): void {
      if (chunk.catalog === 'files') files = chunk.files;
      else if (chunk.catalog === 'served')
        for (const part of partsOf[chunk.name]) Object.assign(shared, { [part]: served?.[part] });
      else if ('column' in chunk) addColumnChunk({ prices, news, places, order }[chunk.catalog], chunk);
      else {
        const list: unknown[] | undefined = lists[chunk.catalog];
        if (list) list.push(...chunk.items);
        else Object.assign(lists, { [chunk.catalog]: chunk.items });
      }
    },
    async build(version: string): Promise<Snapshot> {
      const { durations, texts = [], img = [], markdown = [], changes: [head, ...changes] = [] } = lists;
      const configurationsOf = new Map<number, Configuration[]>();
      for (const row of lists.configurations ?? []) {
        const ofProduct = configurationsOf.get(row.product_id) ?? [];
        ofProduct.push(row);
        configurationsOf.set(row.product_id, ofProduct);
      }
      return {
        version,
        timeZone,
        products: await byId(lists.products),
        configurations: await byId(lists.configurations),
        configurationsOf,
        durations: durations && (await byId(durations)),
        newsTypes: await byId(lists.news_types),
        prices: shared.prices ?? { ...prices, ...(await indexPrices(prices)) },
        changes: head === undefined ? undefined : { head, changes },
        sources: files && { files, markdown, places, order },
        news: shared.news ?? { ...news, img, texts, rowOf: await rowsById(news.id) },
        ...shared,
      };
    },
  };
}

const partsOf = {
  products: ['products'],
  configurations: ['configurations', 'configurationsOf'],
  durations: ['durations'],
  prices: ['prices'],
  news_types: ['newsTypes'],
  news: ['news'],
} as const satisfies Record<CatalogName, (keyof Snapshot)[]>;

async function byId<Row extends { id: number }>(rows: readonly Row[] = []): Promise<Map<number, Row>> {
  const found = new Map<number, Row>();
  await eachRow(rows.length, at => {
    const row = rows[at];
    if (row) found.set(row.id, row);
  });
  return found;
}

async function rowsById(ids: Float64Array): Promise<Map<number, number>> {
  const rowOf = new Map<number, number>();
  await eachRow(ids.length, row => rowOf.set(ids[row] ?? Number.NaN, row));
  return rowOf;
}
