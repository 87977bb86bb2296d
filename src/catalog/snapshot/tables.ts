import type { TimeZone } from '../../time-zone.ts';
import type { Extras } from './chunks.ts';
import { tabulateNews } from './news-table.ts';
import { tabulatePrices } from './price-table.ts';
import type { CatalogRows } from './sort.ts';
import { indexTrigrams } from './trigram-index.ts';

/** The rows of a set in the form in which they are served. */
export type Tables = Awaited<ReturnType<typeof tabulate>>;

/** About how many bytes the Maps that index a row take. */
const ROW_BYTES = 250;

/**
 * Makes the tables of sorted rows. To save memory it takes the prices and news items out of `rows`, and calls
 * `collectGarbage` before it indexes the texts.
 */
export async function tabulate(rows: CatalogRows, zone: TimeZone, collectGarbage: () => Promise<void>) {
  const count = Object.values(rows).reduce((sum, list) => sum + (list?.length ?? 0), 0);
  const prices = tabulatePrices(rows.prices ?? []);
  const { texts, img, ...news } = tabulateNews(rows.news ?? [], zone);
  const { products = [], configurations = [], durations, news_types = [] } = rows;
  rows.prices = undefined;
  rows.news = undefined;
  await collectGarbage();
  const trigrams = indexTrigrams(texts);
  return { count, products, configurations, durations, news_types, prices, news, img, texts, trigrams };
}

/** About how many bytes a set takes in the process that serves it. */
export function sizeOf({ count, texts, prices, news, trigrams }: Tables, extras?: Extras): number {
  const { changes, sources: { places, hidden } = {} } = extras ?? {};
  const characters = texts.reduce((sum, { length }) => sum + length, 0);
  const columns = [prices, news, { ...trigrams }, { ...changes }, { ...places }, { ...hidden }].flatMap(
    table => Object.values<ArrayBufferView>(table),
  );
  return count * ROW_BYTES + 2 * characters + columns.reduce((sum, { byteLength }) => sum + byteLength, 0);
}
