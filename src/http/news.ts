import { NewsDetailSchema, NewsListItemSchema } from '../catalog/records.ts';
import { ApiError } from '../errors.ts';
import { findNews, listNews } from '../query/news.ts';
import { oncePerSnapshot } from '../query/once.ts';
import { PageSchema } from '../query/paging.ts';
import { publishedNews } from '../query/published.ts';
import { NewsDetailQuery, NewsQuery } from '../query/queries.ts';
import type { ReadCounter } from '../reads/counter.ts';
import { type Answer, type Endpoint, endpoint, type Question } from './answer.ts';
import { pageBody, recordHalves } from './bodies.ts';
import { openBoundedMap } from './bounded-map.ts';
import { digestOf, weakTag } from './conditional.ts';
import { detailPieces, listPieces } from './news-pieces.ts';

/** What the news endpoints need besides the set. */
export interface NewsOptions {
  reads: ReadCounter;
  /** The time, in Unix seconds. */
  now(): number;
}

/** Tells apart the tags of sets, and of the zones in which their times are told. */
const scopeOf = oncePerSnapshot(({ version, timeZone }) => digestOf(`${version} ${timeZone}`));

/** `GET /news` (SPEC 4.3). */
export function newsList(options: NewsOptions): Endpoint {
  return endpoint(
    '/news',
    {
      operationId: 'listNews',
      tags: ['News'],
      summary: 'List the news, newest first',
      errors: ['INVALID_PARAMETER', 'NOT_READY'],
      parameters: NewsQuery,
      data: PageSchema(NewsListItemSchema),
      isTagged: true,
    },
    question => newsPage(options, question, listPieces),
  );
}

/** A page of the news, as `pieces` makes the JSON of its rows. */
export function newsPage(
  { reads, now }: NewsOptions,
  { parameters, snapshot }: Question<NewsQuery>,
  pieces: typeof listPieces,
): Answer {
  const { news } = snapshot;
  const published = publishedNews(snapshot, now());
  const revision = reads.revision();
  const { list, pagination } = listNews(news, published, parameters);
  const counts = list.map(row => reads.shown(news.id[row] ?? 0, news.read[row] ?? 0));
  // All that a list depends on, as far as it can change in one scope.
  const content = [...scopeOf(snapshot), pagination.current_page, pagination.total].concat(list, counts);
  const isCurrent = () => reads.revision() === revision && publishedNews(snapshot, now()) === published;
  return {
    tag: weakTag(content),
    // Nobody asks twice for what clients make up.
    ...(parameters.keyword === undefined && { isCurrent }),
    body: () => pageBody(pieces(news, list, counts), pagination),
  };
}

/** Each answer of a detail has another count. */
const never = () => false;

/** How much is kept of the details that are read, in bytes. */
const MAX_BYTES = 32 * 2 ** 20;
/** About what two halves take besides their texts. */
const HALVES_BYTES = 200;

/** The answers of details before and after their read counts, which take longer to cut out than all the rest. */
const halvesOf = oncePerSnapshot(({ news }) => {
  const known = openBoundedMap<number, [before: string, after: string]>(MAX_BYTES);
  return (row: number) => {
    const last = known.get(row);
    if (last) return last;
    const { before, after } = detailPieces(news, row);
    const halves = recordHalves(before, after);
    known.set(row, halves, HALVES_BYTES + halves[0].length + halves[1].length);
    return halves;
  };
});

/** `GET /news/{id}`, which is a read (SPEC 4.4). */
export function newsDetail({ reads, now }: NewsOptions): Endpoint {
  return endpoint(
    '/news/:id',
    {
      operationId: 'readNews',
      tags: ['News'],
      summary: 'Read a news item, which raises its read count',
      errors: ['INVALID_PARAMETER', 'NEWS_NOT_FOUND', 'NOT_READY'],
      parameters: NewsDetailQuery,
      data: NewsDetailSchema,
      isTagged: false,
    },
    ({ parameters: { id }, snapshot, isHead }) => {
      const row = findNews(snapshot, id, now());
      if (row === undefined) throw new ApiError('NEWS_NOT_FOUND', { id });
      const floor = snapshot.news.read[row] ?? 0;
      const [before, after] = halvesOf(snapshot)(row);
      const answer = (read: number): Answer => ({
        isCurrent: never,
        body: () => before + read + after,
      });
      const read = isHead ? reads.shown(id, floor) + 1 : reads.raise(id, floor);
      return typeof read === 'number' ? answer(read) : read.then(answer);
    },
  );
}
