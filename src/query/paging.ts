import type { Page } from '../contract/envelope.ts';

/** Returns one page. Past the end it is empty, with the requested page and the right total. */
export function pageOf<Item>(
  items: { length: number; slice(start: number, end: number): Item[] },
  { page, limit }: { page: number; limit: number },
): Page<Item> {
  const start = (page - 1) * limit;
  return { list: items.slice(start, start + limit), pagination: { current_page: page, total: items.length } };
}

/**
 * Returns the first index below `length` for which `isTrue`, by binary search, or `length`. `isTrue` must hold for every index
 * after the first.
 */
export function firstIndex(length: number, isTrue: (index: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isTrue(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
