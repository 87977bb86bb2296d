import type { ChangesHead } from '../contract/changes.ts';
import { ALL_NEWS, type KindTag, MAX_NARROW, newsTag, productTag } from '../contract/webhook.ts';
import { rfc3339 } from '../time-zone.ts';
import { publicReport, summaryOf } from './compare/changes.ts';
import {
  type AnyRow,
  type CatalogDifference,
  comingPrices,
  differencesOf,
  type FormerSet,
  inForce,
  type SetContent,
  visibleRows,
} from './compare/differences.ts';
import { reasonsToHold } from './hold-back/hold-back.ts';
import type { Replacement } from './hold-back/rules.ts';

/**
 * Compares two sets once, and derives everything from the result. `guarded` has what the rules for holding back need; without
 * it, nothing is held back. `now` is in Unix seconds.
 */
export function compareSets(
  before: FormerSet,
  after: SetContent,
  names: Pick<ChangesHead, 'from' | 'to'>,
  guarded?: Pick<Replacement, 'cutOff' | 'hasOtherZone' | 'newlyRead' | 'gone'>,
  now = Date.now() / 1000,
) {
  const written = differencesOf(before, after, now);
  const [old, fresh] = [before.get('prices'), after.prices].map(content => inForce(content, now));
  const former = before.has('prices') ? new Map(before).set('prices', old) : before;
  const set = { ...after, prices: fresh };
  const isDated = fresh !== after.prices || old !== before.get('prices');
  const differences = isDated ? differencesOf(former, set, now) : written;
  const allPrices = after.prices?.rows ?? [];
  const coming = comingPrices(written, now);
  const about = { ...names, time: rfc3339(now) };
  const table = publicReport(differences, about);
  return {
    summary: summaryOf(written),
    /** The same without future prices. */
    seen: summaryOf(differences),
    table: coming.length > 0 ? { ...table, own: publicReport(differences, about, coming) } : table,
    /** Why the set waits for confirmation; empty if it does not. */
    holds: guarded ? reasonsToHold({ ...guarded, former, set, differences, written, allPrices, now }) : [],
    tags: changedTags([...differences, ...coming], after, now),
  };
}

/** Returns the cache tags of the answers that change when `set` replaces another at `now` (Unix seconds). */
function changedTags(differences: readonly CatalogDifference[], set: SetContent, now: number): string[] {
  const kinds = new Set<KindTag>();
  /** Products whose configurations or prices differ. */
  const products = new Set<number>();
  /** Categories whose news items differ; 0 stands for none. */
  const types = new Set<number>();
  const images = new Set<unknown>();
  for (const { catalog, rows } of differences) {
    for (const { seenBefore, seenAfter } of rows) {
      if (!seenBefore && !seenAfter) continue;
      if (catalog === 'products') kinds.add('products');
      // All answers with durations contain their names.
      else if (catalog === 'durations') kinds.add('configurations');
      else if (catalog === 'news_types') kinds.add('news-types').add('feeds');
      else if (catalog === 'news') {
        addNumbers(types, 'type_id', seenBefore, seenAfter);
        if (seenBefore?.img) images.add(seenBefore.img);
      } else addNumbers(products, 'product_id', seenBefore, seenAfter);
    }
  }
  // An image that appears was an error before, which no cache keeps.
  const isSeen = visibleRows(() => undefined, now);
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

function addNumbers(numbers: Set<number>, column: string, ...rows: (AnyRow | undefined)[]): void {
  for (const row of rows) if (row) numbers.add(Number(row[column] ?? 0));
}
