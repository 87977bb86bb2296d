import type { Page } from '../contract/envelope.ts';

/** One page of a list. Past the end it is empty, with the page as requested and the right total. */
export function pageOf<Item>(
  items: { length: number; slice(start: number, end: number): Item[] },
  { page, limit }: { page: number; limit: number },
): Page<Item> {
  const start = (page - 1) * limit;
  return { list: items.slice(start, start + limit), pagination: { current_page: page, total: items.length } };
}
