import type { CatalogName, Configuration } from '../contract/columns.ts';
import { fromLines } from '../set/compare/changes.ts';
import { addColumnChunk, type ReceivedLists, type SnapshotChunk } from './chunks.ts';
import type { NewsTable } from './news-table.ts';
import type { PriceTable } from './price-table.ts';
import type { Snapshot } from './snapshot.ts';
import type { RowSources } from './sources.ts';

/** Builds a snapshot from chunks. `timeZone` is an IANA name. `served` provides the catalogs that did not change. */
export function openSnapshotBuilder(timeZone: string, served?: Snapshot) {
  const lists: ReceivedLists = {};
  // Filled with columns as they arrive.
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
    build(version: string): Snapshot {
      const { durations, texts = [], img = [], markdown = [], changes } = lists;
      const configurationsOf = new Map<number, Configuration[]>();
      for (const row of lists.configurations ?? []) {
        const ofProduct = configurationsOf.get(row.product_id) ?? [];
        ofProduct.push(row);
        configurationsOf.set(row.product_id, ofProduct);
      }
      return {
        version,
        timeZone,
        products: byId(lists.products),
        configurations: byId(lists.configurations),
        configurationsOf,
        durations: durations && byId(durations),
        newsTypes: byId(lists.news_types),
        prices,
        extra: new Map(lists.extra),
        changes: changes && fromLines(changes),
        sources: files && { files, markdown, places, order },
        news: shared.news ?? {
          ...news,
          img,
          texts,
          rowOf: new Map(Array.from(news.id, (id, row) => [id, row])),
        },
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

function byId<Row extends { id: number }>(rows: readonly Row[] = []): Map<number, Row> {
  return new Map(rows.map(row => [row.id, row]));
}
