import { ALL_NEWS, type KindTag, newsTag, productTag } from '../../contract/webhook.ts';
import { type CatalogDifference, type FormerRow, type SetContent, visibleRows } from './differences.ts';

/** The most products, and the most categories, that are purged one by one. */
const MAX_NARROW = 50;

/** The tags of the answers that differ once `set` replaces another at `now` (Unix seconds). */
export function changedTags(
  differences: readonly CatalogDifference[],
  set: SetContent,
  now: number,
): string[] {
  const kinds = new Set<KindTag>();
  /** Of products whose configurations or prices differ. */
  const products = new Set<number>();
  /** Of categories whose news items differ; 0 stands for items without one. */
  const types = new Set<number>();
  const images = new Set<unknown>();
  for (const { catalog, rows } of differences) {
    for (const { seenBefore, seenAfter } of rows) {
      if (!seenBefore && !seenAfter) continue;
      if (catalog === 'products') kinds.add('products');
      // All answers with durations show their names.
      else if (catalog === 'durations') kinds.add('configurations');
      // Feeds name the category.
      else if (catalog === 'news_types') kinds.add('news-types').add('feeds');
      else if (catalog === 'news') {
        addNumbers(types, 'type_id', seenBefore, seenAfter);
        if (seenBefore?.img) images.add(seenBefore.img);
      } else addNumbers(products, 'product_id', seenBefore, seenAfter);
    }
  }
  // An image that appears was an error before, which no cache keeps.
  const isSeen = visibleRows([], now);
  for (const row of set.news?.rows ?? []) if (images.size > 0 && isSeen('news', row)) images.delete(row.img);
  if (images.size > 0) kinds.add('images');
  const narrow: string[] = [];
  if (products.size > MAX_NARROW) kinds.add('configurations').add('prices');
  else narrow.push(...Array.from(products, productTag));
  if (types.size > MAX_NARROW) kinds.add('news');
  else if (types.size > 0)
    narrow.push(ALL_NEWS, ...Array.from(types, newsTag).filter(tag => tag !== newsTag(0)));
  return [...kinds, ...narrow];
}

function addNumbers(numbers: Set<number>, column: string, ...rows: (FormerRow | undefined)[]): void {
  for (const row of rows) if (row) numbers.add(Number(row[column] ?? 0));
}
