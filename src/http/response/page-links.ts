import type { TObject } from '@sinclair/typebox';
import type { Pagination } from '../../contract/envelope.ts';

/**
 * The `Link` header of a page of a list, to the next and the previous page (RFC 8288); undefined without either. Past the
 * end, the previous page is the last one. The targets are queries alone, which work below any prefix and behind any proxy.
 */
export function pageLinks(
  { properties }: TObject,
  parameters: { page: number; limit: number },
  { current_page: page, total }: Pagination,
): string | undefined {
  const lastPage = Math.max(1, Math.ceil(total / parameters.limit));
  if (page === 1 && lastPage === 1) return undefined;
  let others = '';
  for (const [name, value] of Object.entries(parameters)) {
    if (name !== 'page' && value !== properties[name]?.default) others += `&${name}=${textOf(value)}`;
  }
  const links: string[] = [];
  if (page < lastPage) links.push(`<?page=${page + 1}${others}>; rel="next"`);
  if (page > 1) links.push(`<?page=${Math.min(page - 1, lastPage)}${others}>; rel="prev"`);
  return links.join(', ');
}

/** Numbers, booleans and lists of numbers or names need no escapes. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? encodeURIComponent(value) : String(value);
}
