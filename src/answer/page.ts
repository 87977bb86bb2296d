import type { TObject } from '@sinclair/typebox';
import type { Page, Pagination } from '../contract/envelope.ts';
import { pageBody } from './body.ts';
import { type Caching, type Representation, strongTag } from './representation.ts';

/** A page of records that depend on the snapshot alone, with its cache tags. */
export function fixedPage(
  query: TObject,
  parameters: { page: number; limit: number },
  { list, pagination }: Page<object>,
  tags: Caching['tags'],
): Representation {
  const json = list.map(record => JSON.stringify(record)).join();
  return {
    tag: strongTag(`${pagination.current_page} ${pagination.total} ${json}`),
    link: pageLinks(query, parameters, pagination),
    caching: { tags, until: Number.POSITIVE_INFINITY },
    body: pageBody([Buffer.from(json)], pagination),
  };
}

/**
 * Returns the `Link` header with the next and the previous page of a list (RFC 8288); undefined if there is neither. Past the
 * end, the previous page is the last one. The targets are bare queries, which work under any prefix and behind any proxy.
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
    // Numbers, booleans, and lists of numbers or names need no escaping.
    const text = typeof value === 'string' ? encodeURIComponent(value) : value;
    if (name !== 'page' && value !== properties[name]?.default) others += `&${name}=${text}`;
  }
  const links: string[] = [];
  if (page < lastPage) links.push(`<?page=${page + 1}${others}>; rel="next"`);
  if (page > 1) links.push(`<?page=${Math.min(page - 1, lastPage)}${others}>; rel="prev"`);
  return links.join(', ');
}
