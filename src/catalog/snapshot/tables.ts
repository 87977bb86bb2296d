import { catalogNames } from '../../contract/columns.ts';
import type { TimeZone } from '../../time-zone.ts';
import type { Extras } from './chunks.ts';
import { tabulateNews } from './news-table.ts';
import { indexNgrams } from './ngrams/ngram-index.ts';
import { tabulatePrices } from './price-table.ts';
import type { CatalogRows } from './sort.ts';

/** The rows of a set in the form in which they are served. */
export type Tables = Awaited<ReturnType<typeof tabulate>>;

/** About how many bytes the Maps that index a row take. */
const ROW_BYTES = 250;

/**
 * Makes the tables of sorted rows. To save memory it takes the prices and news items out of `rows`, and calls
 * `collectGarbage` before it indexes the texts.
 */
export async function tabulate(rows: CatalogRows, zone: TimeZone, collectGarbage: () => Promise<void>) {
  const others = catalogNames.filter(name => name !== 'news');
  const count = others.reduce((sum, name) => sum + (rows[name]?.length ?? 0), 0);
  const prices = tabulatePrices(rows.prices ?? []);
  const { texts, img, ...columns } = tabulateNews(rows.news ?? [], zone);
  const { products = [], configurations = [], durations, news_types = [] } = rows;
  rows.prices = undefined;
  rows.news = undefined;
  await collectGarbage();
  const ngrams = indexNgrams(texts);
  const news = { columns, img, texts, ngrams };
  return { count, products, configurations, durations, news_types, prices, news };
}

/** The news items of a set in the form in which they are served. */
export type NewsTables = Tables['news'];

/** About how many bytes a set takes in the process that serves it. */
export function sizeOf({ count, prices, news }: Tables, extras?: Extras): number {
  const { changes, sources: { places, hidden } = {} } = extras ?? {};
  return count * ROW_BYTES + sizeOfNews(news) + bytesOf(prices, { ...changes }, { ...places }, { ...hidden });
}

/** The same for its news items. */
export function sizeOfNews({ columns, texts, ngrams }: NewsTables): number {
  const characters = texts.reduce((sum, { length }) => sum + length, 0);
  return columns.id.length * ROW_BYTES + 2 * characters + bytesOf(columns, { ...ngrams });
}

function bytesOf(...tables: object[]): number {
  const columns = tables.flatMap(table => Object.values<ArrayBufferView>({ ...table }));
  return columns.reduce((sum, { byteLength }) => sum + byteLength, 0);
}
