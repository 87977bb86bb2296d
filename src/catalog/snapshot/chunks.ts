import type { Configuration, Duration, NewsType, Product } from '../../contract/columns.ts';
import type { ChangeTable } from '../changes/change-table.ts';
import { type ColumnChunk, columnChunks } from './column-chunks.ts';
import type { Tables } from './tables.ts';

/** A part of a set, small enough for the serving process to receive between two requests. */
export type SnapshotChunk =
  | { catalog: 'products'; rows: Product[] }
  | { catalog: 'configurations'; rows: Configuration[] }
  | { catalog: 'durations'; rows: Duration[] }
  | { catalog: 'news_types'; rows: NewsType[] }
  | ({ catalog: 'prices' | 'news' | 'trigrams' | 'changes' } & ColumnChunk)
  | { catalog: 'texts'; texts: string[] }
  | { catalog: 'img'; names: string[] };

/** About how many characters a chunk has: receiving them takes about a millisecond. */
const CHUNK_LENGTH = 50_000;

/**
 * Divides a set, and the report of what it changes, into chunks. A durations catalog has a chunk even if it is empty, so
 * that it differs from an absent one. The tables are emptied on the way, and `collectGarbage` is called after the large
 * ones, so that the two processes together never hold a set twice.
 */
export async function* chunksOf(
  tables: Tables,
  changes: ChangeTable | undefined,
  collectGarbage: () => Promise<void>,
): AsyncGenerator<SnapshotChunk> {
  const { products, configurations, durations, news_types, prices, news, img, texts, trigrams } = tables;
  for (const rows of divide(products, lengthOf)) yield { catalog: 'products', rows };
  for (const rows of divide(configurations, lengthOf)) yield { catalog: 'configurations', rows };
  if (durations) yield { catalog: 'durations', rows: durations };
  yield { catalog: 'news_types', rows: news_types };
  for (const names of divide(img, name => name.length + 10)) yield { catalog: 'img', names };
  for (const chunk of columnChunks(prices)) yield { catalog: 'prices', ...chunk };
  for (const chunk of columnChunks(news)) yield { catalog: 'news', ...chunk };
  await collectGarbage();
  for (const part of divide(texts, text => text.length)) yield { catalog: 'texts', texts: part };
  texts.length = 0;
  await collectGarbage();
  for (const chunk of columnChunks(trigrams)) yield { catalog: 'trigrams', ...chunk };
  if (changes) for (const chunk of columnChunks({ ...changes })) yield { catalog: 'changes', ...chunk };
}

/** Divides a list into parts of about {@link CHUNK_LENGTH}. */
function* divide<Item>(items: readonly Item[], lengthOf: (item: Item) => number): Generator<Item[]> {
  let start = 0;
  let length = 0;
  for (const [index, item] of items.entries()) {
    length += lengthOf(item);
    if (length < CHUNK_LENGTH && index < items.length - 1) continue;
    yield items.slice(start, index + 1);
    start = index + 1;
    length = 0;
  }
}

/** About how many characters a row has: those of its texts, and ten for each number. */
function lengthOf(row: object): number {
  return Object.values(row).reduce<number>(
    (sum, value) => sum + (typeof value === 'string' ? value.length : 10),
    0,
  );
}
