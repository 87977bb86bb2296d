import type { CatalogName, Configuration, Duration, NewsType, Product } from '../../contract/columns.ts';
import type { ChangeTable } from '../../set/compare/changes.ts';
import { type ColumnChunk, columnChunks } from './column-chunks.ts';
import type { RowSources } from './sources/row-sources.ts';
import type { NewsTables, Tables } from './tables.ts';

/**
 * A part of a set, small enough for the serving process to receive between two requests. `served` stands for all chunks
 * of a catalog of the set that is served.
 */
export type SnapshotChunk =
  | { catalog: 'products'; rows: Product[] }
  | { catalog: 'configurations'; rows: Configuration[] }
  | { catalog: 'durations'; rows: Duration[] }
  | { catalog: 'news_types'; rows: NewsType[] }
  | ({ catalog: 'prices' | 'news' | 'ngrams' | 'changes' | 'places' | 'hidden' } & ColumnChunk)
  | { catalog: 'texts'; texts: string[] }
  | { catalog: 'img' | 'markdown'; names: string[] }
  | { catalog: 'files'; files: RowSources['files'] }
  | { catalog: 'served'; name: CatalogName };

/** What is sent of a set if there is memory for it. */
export interface Extras {
  /** The report of what it changes; undefined if that is not known. */
  changes: ChangeTable | undefined;
  sources: RowSources;
}

/** About how many characters a chunk has: receiving them takes about a millisecond. */
const CHUNK_LENGTH = 50_000;

/**
 * Divides a set, and its extras, into chunks. A durations catalog has a chunk even if it is empty, so
 * that it differs from an absent one. The tables are emptied on the way, and `collectGarbage` is called after the large
 * ones, so that the two processes together never hold a set twice. `news` are the chunks of the news items, by default
 * those of the tables.
 */
export async function* chunksOf(
  tables: Tables,
  extras: Extras | undefined,
  collectGarbage: () => Promise<void>,
  news: AsyncIterable<SnapshotChunk> = newsChunks(tables.news, collectGarbage),
): AsyncGenerator<SnapshotChunk> {
  const { products, configurations, durations, news_types, prices } = tables;
  for (const rows of divideRows(products)) yield { catalog: 'products', rows };
  for (const rows of divideRows(configurations)) yield { catalog: 'configurations', rows };
  if (durations) yield { catalog: 'durations', rows: durations };
  yield { catalog: 'news_types', rows: news_types };
  for (const chunk of columnChunks(prices)) yield { catalog: 'prices', ...chunk };
  yield* news;
  if (extras) yield* extraChunks(extras);
}

/** Divides the news items of a set into chunks; see {@link chunksOf}. */
export async function* newsChunks(
  { columns, img, texts, ngrams }: NewsTables,
  collectGarbage: () => Promise<void>,
): AsyncGenerator<SnapshotChunk> {
  for (const names of divideTexts(img)) yield { catalog: 'img', names };
  for (const chunk of columnChunks(columns)) yield { catalog: 'news', ...chunk };
  await collectGarbage();
  for (const part of divide(texts, text => text.length)) yield { catalog: 'texts', texts: part };
  texts.length = 0;
  await collectGarbage();
  for (const chunk of columnChunks(ngrams)) yield { catalog: 'ngrams', ...chunk };
}

function* extraChunks({ changes, sources }: Extras): Generator<SnapshotChunk> {
  if (changes) for (const chunk of columnChunks({ ...changes })) yield { catalog: 'changes', ...chunk };
  const { files, markdown, places, hidden } = sources;
  yield { catalog: 'files', files };
  for (const names of divideTexts(markdown)) yield { catalog: 'markdown', names };
  for (const chunk of columnChunks({ ...places })) yield { catalog: 'places', ...chunk };
  for (const chunk of columnChunks({ ...hidden })) yield { catalog: 'hidden', ...chunk };
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

/** Divides rows into parts of about {@link CHUNK_LENGTH}. */
function divideRows<Row extends object>(rows: readonly Row[]): Generator<Row[]> {
  return divide(rows, lengthOf);
}

/** Divides short texts into parts of about {@link CHUNK_LENGTH}. */
function divideTexts(texts: readonly string[]): Generator<string[]> {
  return divide(texts, text => text.length + 10);
}

/** About how many characters a row has: those of its texts, and ten for each number. */
function lengthOf(row: object): number {
  return Object.values(row).reduce<number>(
    (sum, value) => sum + (typeof value === 'string' ? value.length : 10),
    0,
  );
}
