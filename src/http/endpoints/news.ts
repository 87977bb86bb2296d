import { LRUCache } from 'lru-cache';
import { digitsOf, extraPieces, listPieces, pageBody, recordBody } from '../../answer/body.ts';
import { pageLinks } from '../../answer/page.ts';
import { type Representation, strongTag } from '../../answer/representation.ts';
import { Envelope, NotModified, PageSchema } from '../../contract/envelope.ts';
import { IncludeQuery, NewsDetailQuery, NewsQuery } from '../../contract/queries.ts';
import { NewsDetailSchema, NewsListItemSchema } from '../../contract/records.ts';
import { newsTag } from '../../contract/webhook.ts';
import { ApiError } from '../../errors.ts';
import {
  findNews,
  listNews,
  mostRead,
  type NewsFilter,
  type PublishedNews,
  publishedNews,
  searchNews,
} from '../../query/news.ts';
import { pageOf } from '../../query/paging.ts';
import type { ReadCounter } from '../../reads/counts.ts';
import { termsOf } from '../../snapshot/fold.ts';
import { detailPieces } from '../../snapshot/news-table.ts';
import { memoizePerSnapshot, type Snapshot } from '../../snapshot/snapshot.ts';
import { type Endpoint, endpoint } from '../endpoint.ts';
import { invalid } from '../plugins/parameters.ts';

/** `GET /api/news` (SPEC 4.3). */
export function newsList(reads: ReadCounter): Endpoint {
  return endpoint({
    url: '/api/news',
    schema: {
      operationId: 'listNews',
      tags: ['News'],
      summary: 'List the news, newest first',
      description:
        'A page of the published news, newest first unless `sort` says otherwise. An item must pass all filters. `around` lists an item and its neighbours, and goes with `type_id`, `since`, `until` and `include` alone. Listing news does not count as reading it. A `Link` header leads to the next and the previous page.',
      querystring: NewsQuery,
      errors: ['NEWS_NOT_FOUND'],
      response: { 200: Envelope(PageSchema(NewsListItemSchema)), 304: NotModified },
    },
    handler({ query, snapshot, now }) {
      const { since = -Infinity, until = Infinity } = query;
      if (since > until) throw invalid([{ parameter: 'since', message: 'must not be after until' }]);
      const published = publishedNews(snapshot, now());
      const page = (rows: readonly number[]): Representation => ({
        ...newsPage(rows, query, snapshot, reads, () => publishedNews(snapshot, now()) === published),
        caching: { tags: ['news', newsTag(query.type_id)], until: published.until },
      });
      const { keyword, ...filter } = query;
      if (keyword === undefined) return page(listNews(snapshot.news, published, filter));
      return page(foundNews(snapshot, published, filter, keyword));
    },
  });
}

/** The page of these rows that the query asks for, while the same rows are published. */
function newsPage(
  rows: readonly number[],
  query: NewsQuery,
  snapshot: Snapshot,
  reads: ReadCounter,
  isPublished: () => boolean,
): Representation {
  const { news, extra } = snapshot;
  const { sort, include, around } = query;
  const place = around === undefined ? 0 : rows.indexOf(news.rowOf.get(around) ?? -1);
  if (around !== undefined && place < 0) throw new ApiError('NEWS_NOT_FOUND', { id: around });
  let revision = reads.revision();
  const countOf = (row: number) => reads.shown(news.id[row] ?? 0, news.read[row] ?? 0);
  const slice = (start: number, end: number) => {
    if (around !== undefined) return rows.slice(Math.max(0, place - 1), place + 2);
    return sort === 'read'
      ? mostRead(rows, countOf, start, end).map(({ row }) => row)
      : rows.slice(start, end);
  };
  const { list, pagination } = pageOf({ length: rows.length, slice }, query);
  const counts = list.map(countOf);
  /** Reads of other items change only a list that they sort. */
  const hasSameCounts = () => {
    const next = reads.revision();
    if (next === revision) return true;
    if (sort === 'read' || list.some((row, index) => countOf(row) !== counts[index])) return false;
    revision = next;
    return true;
  };
  const { version, timeZone } = snapshot;
  const { current_page, total } = pagination;
  return {
    // Of all that can change for one URL, since the content is made only if the client does not have it.
    tag: `W/${strongTag(`${version} ${timeZone} ${current_page} ${total} ${list} ${counts}`)}`,
    link: around === undefined ? pageLinks(NewsQuery, query, pagination) : undefined,
    isCurrent: () => isPublished() && hasSameCounts(),
    body: () => pageBody(listPieces(news, list, counts, include, extra), pagination),
  };
}

/** In bytes: what is remembered of a snapshot, and what a search takes in addition to its key and its rows. */
const MAX_FOUND = 4 * 2 ** 20;
const SEARCH_BYTES = 300;
const ROW_BYTES = 8;
/** The rows that keywords found among those that were published then. */
const foundOf = memoizePerSnapshot(
  () => new LRUCache<string, { published: PublishedNews; rows: readonly number[] }>({ maxSize: MAX_FOUND }),
);

/** What a keyword finds is remembered, since every page of a list and every changed read count asks for it again. */
function foundNews(snapshot: Snapshot, published: PublishedNews, filter: NewsFilter, keyword: string) {
  const { type_id, since, until, ids } = filter;
  const key = [type_id, since, until, ids, ...termsOf(keyword).sort()].join(' ');
  const cache = foundOf(snapshot);
  const known = cache.get(key);
  if (known?.published === published) return known.rows;
  const rows = searchNews(snapshot.news, published, filter, keyword);
  cache.set(key, { published, rows }, { size: SEARCH_BYTES + key.length + ROW_BYTES * rows.length });
  return rows;
}

/** `GET /api/news/{id}`; a GET is a read (SPEC 4.4). */
export function newsDetail(reads: ReadCounter): Endpoint {
  return endpoint({
    url: '/api/news/:id',
    schema: {
      operationId: 'readNews',
      tags: ['News'],
      summary: 'Read a news item and raise its read count',
      description:
        'The whole news item. Every successful GET counts as one read, and `read` is the count after it. HEAD counts nothing.',
      params: NewsDetailQuery,
      querystring: IncludeQuery,
      errors: ['NEWS_NOT_FOUND'],
      response: { 200: Envelope(NewsDetailSchema) },
    },
    handler({ params: { id }, query, snapshot, method, now }) {
      const row = findNews(snapshot, id, now());
      if (row === undefined) throw new ApiError('NEWS_NOT_FOUND', { id });
      const floor = snapshot.news.read[row] ?? 0;
      const { before, after } = detailPieces(snapshot.news, row);
      if (query.include) before.splice(1, 0, ...extraPieces(snapshot.extra, id));
      const detail = (read: number): Representation => ({
        body: recordBody(...before, digitsOf(read), after),
      });
      // Only what is shown at present is read.
      if (snapshot.instant !== undefined) return detail(reads.shown(id, floor));
      const read = method === 'HEAD' ? reads.shown(id, floor) + 1 : reads.raise(id, floor);
      return typeof read === 'number' ? detail(read) : read.then(detail);
    },
  });
}
