import type { Page } from '../contract/envelope.ts';

/** Returns one page. Past the end it is empty, with the requested page and the right total. */
export function pageOf<Item>(
  items: { length: number; slice(start: number, end: number): Item[] },
  { page, limit }: { page: number; limit: number },
): Page<Item> {
  const start = (page - 1) * limit;
  return { list: items.slice(start, start + limit), pagination: { current_page: page, total: items.length } };
}
