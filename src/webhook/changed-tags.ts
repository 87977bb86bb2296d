import { isDeepStrictEqual } from 'node:util';
import { ALL_NEWS, type KindTag, kindTags, newsTag, productTag } from '../contract/webhook.ts';
import { isPublished, publishedNews } from '../query/news.ts';
import type { NewsTable } from '../snapshot/news-table.ts';
import { eachRow } from '../snapshot/price-table.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

/** The most products, and the most categories, that are purged one by one. */
const MAX_NARROW = 50;

/** What differs. */
interface Changes {
  kinds: Set<KindTag>;
  /** Of products whose configurations or prices differ. */
  products: Set<number>;
  /** Of categories whose news items differ; 0 stands for items without one. */
  types: Set<number>;
}

/** The tags to purge if nothing is known of what was served before. */
export const everything: readonly string[] = kindTags;

/**
 * The tags of answers that may differ between two sets at `now` (Unix seconds). It compares all that answers are made of,
 * so that it misses none, and yields to the event loop now and then.
 */
export async function changedTags(former: Snapshot, current: Snapshot, now: number): Promise<string[]> {
  const kinds = new Set<KindTag>();
  const products = new Set<number>();
  const types = new Set<number>();
  if (!isDeepStrictEqual(former.products, current.products)) kinds.add('products');
  if (!isDeepStrictEqual(former.durations, current.durations)) kinds.add('configurations');
  if (!isDeepStrictEqual(former.newsTypes, current.newsTypes)) {
    kinds.add('news-types');
    kinds.add('feeds'); // They name the category.
  }
  compareConfigurations(former, current, products);
  for (const [one, other] of bothWays(former, current)) {
    await eachRow(one.prices.id.length, row => {
      if (!hasPrice(other, one, row)) products.add(one.prices.product_id[row] ?? 0);
    });
    await eachRow(one.news.id.length, row => {
      if (isPublished(one.news, row, now) && !hasNews(other.news, one.news, row, now))
        types.add(one.news.type_id[row] ?? 0);
    });
  }
  if (losesImage(publishedNews(former, now).images, publishedNews(current, now).images)) kinds.add('images');
  return tagsOf({ kinds, products, types });
}

/** The tags of answers that the clock alone changes, after `from` and up to `to` (Unix seconds); empty if there are none. */
export function scheduledTags({ news }: Snapshot, from: number, to: number): string[] {
  const kinds = new Set<KindTag>();
  const types = new Set<number>();
  const isDue = (time: number | undefined = 0) => from < time && time <= to;
  for (const [row, type] of news.type_id.entries()) {
    const hasVanished = isDue(news.unpublish_time[row]);
    if (!hasVanished && !isDue(news.publish_time[row])) continue;
    types.add(type);
    if (hasVanished && news.img[row]) kinds.add('images');
  }
  return tagsOf({ kinds, products: new Set(), types });
}

function tagsOf({ kinds, products, types }: Changes): string[] {
  const narrow: string[] = [];
  if (products.size > MAX_NARROW) {
    kinds.add('configurations');
    kinds.add('prices');
  } else narrow.push(...Array.from(products, productTag));
  if (types.size > MAX_NARROW) kinds.add('news');
  else if (types.size > 0)
    narrow.push(ALL_NEWS, ...Array.from(types, type => newsTag(type)).filter(tag => tag !== newsTag(0)));
  return [...kinds, ...narrow];
}

function compareConfigurations(former: Snapshot, current: Snapshot, products: Set<number>): void {
  const [before, after] = [former.configurationsOf, current.configurationsOf];
  for (const id of new Set([...before.keys(), ...after.keys()]))
    if (!isDeepStrictEqual(before.get(id), after.get(id))) products.add(id);
}

function bothWays(one: Snapshot, other: Snapshot): [Snapshot, Snapshot][] {
  return [
    [one, other],
    [other, one],
  ];
}

/** Whether a set has the price in this row of another one. */
function hasPrice({ prices }: Snapshot, { prices: theirs }: Snapshot, row: number): boolean {
  const own = prices.rowOf(theirs.rel_id[row] ?? 0, theirs.duration_id[row] ?? 0);
  if (own === undefined) return false;
  return (['id', 'product_id', 'price'] as const).every(
    column => prices[column][own] === theirs[column][row],
  );
}

/** Whether a table shows, at `now`, the news item in this row of another one. */
function hasNews(news: Snapshot['news'], theirs: NewsTable, row: number, now: number): boolean {
  const own = news.rowOf.get(theirs.id[row] ?? 0);
  if (own === undefined || !isPublished(news, own, now)) return false;
  const columns = ['type_id', 'read', 'create_time', 'update_time'] as const;
  return (
    columns.every(column => news[column][own] === theirs[column][row]) &&
    Buffer.compare(listItem(news, own), listItem(theirs, row)) === 0 &&
    Buffer.compare(detail(news, own), detail(theirs, row)) === 0
  );
}

/** Without the comma after it. */
function listItem({ json, itemOffsets }: NewsTable, row: number): Uint8Array {
  return json.subarray(itemOffsets[row], (itemOffsets[row + 1] ?? 0) - 1);
}

function detail({ json, detailOffsets }: NewsTable, row: number): Uint8Array {
  return json.subarray(detailOffsets[2 * row], detailOffsets[2 * row + 2]);
}

/** An image that appears was an error before, which no cache keeps. */
function losesImage(former: ReadonlySet<string>, current: ReadonlySet<string>): boolean {
  return [...former].some(name => !current.has(name));
}
