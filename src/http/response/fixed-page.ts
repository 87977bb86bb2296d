import type { TObject } from '@sinclair/typebox';
import type { Page } from '../../contract/envelope.ts';
import type { Caching } from './cache-control.ts';
import { strongTag } from './conditional.ts';
import { pageBody, recordBody } from './json-bodies.ts';
import { pageLinks } from './page-links.ts';
import type { Representation } from './representation.ts';

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
    isCurrent: () => true,
    body: pageBody([Buffer.from(json)], pagination),
  };
}

/** A page that has more than its list. */
export function wholePage(
  query: TObject,
  parameters: { page: number; limit: number },
  page: Page<object>,
): Representation {
  const json = JSON.stringify(page);
  return {
    tag: strongTag(json),
    link: pageLinks(query, parameters, page.pagination),
    body: recordBody(json),
  };
}
