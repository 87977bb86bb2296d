import { assemble } from '../../answer/body.ts';
import { inTurn, type Steps } from '../../answer/in-turn.ts';
import { pageBody, recordBody } from '../../answer/json-bodies.ts';
import { pageLinks, wholePage } from '../../answer/page.ts';
import { type Representation, strongTag } from '../../answer/representation.ts';
import { NotModified, PageSchema } from '../../contract/envelope.ts';
import {
  CalendarSchema,
  NewsArticleSchema,
  NewsCardSchema,
  type Overview,
  OverviewSchema,
  PriceMatrixSchema,
  RowsSchema,
} from '../../contract/page.ts';
import {
  NewsCardsQuery,
  NewsDetailQuery,
  OverviewQuery,
  PriceMatrixQuery,
  RowsQuery,
} from '../../contract/queries.ts';
import { ApiError } from '../../errors.ts';
import type { CatalogStatus } from '../../live/status.ts';
import { packageVersion } from '../../package-version.ts';
import { findNews, publishedNews } from '../../query/news.ts';
import { calendarOf, newsArticleAt, newsCard, overviewOf } from '../../query/overview.ts';
import { pageOf } from '../../query/paging.ts';
import { priceMatrix } from '../../query/price-matrix.ts';
import { catalogRows } from '../../query/rows.ts';
import type { NewsTable } from '../../snapshot/news-table.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import type { RowProblems } from '../../snapshot/sources.ts';
import { type Endpoint, endpoint } from '../endpoint.ts';
import { RepresentationOf } from '../plugins/representations.ts';
import { foundNews, type NewsOptions } from './news-list.ts';

/** What the page needs in addition to the snapshot. */
interface PageOptions extends NewsOptions {
  /** Paths of the news feeds, relative to the mount point of the service. */
  feeds: readonly string[];
  /** The rows of a set that have problems. */
  problems(snapshot: Snapshot): RowProblems;
}

const tags = ['Page'];
const errors = ['INVALID_PARAMETER', 'NOT_READY'] as const;

/** The endpoints of the page for people. None of them counts a read. */
export function pageEndpoints({ reads, now, feeds, problems }: PageOptions): Endpoint[] {
  const countIn = ({ id, read }: NewsTable) => {
    return (row: number) => reads.shown(id[row] ?? 0, read[row] ?? 0);
  };
  const overview = endpoint({
    method: 'GET',
    url: '/overview',
    schema: {
      operationId: 'getOverview',
      tags,
      summary: 'Get an overview of the catalogs',
      description:
        'What the page for people shows first: products, categories, the most read news, and the version of Vitrine.',
      querystring: OverviewQuery,
      errors: ['NOT_READY'],
      response: { 200: RepresentationOf(OverviewSchema), 304: NotModified },
    },
    handler({ snapshot }) {
      const [published, revision] = [publishedNews(snapshot, now()), reads.revision()];
      const { products, ...others } = overviewOf(snapshot, published, countIn(snapshot.news));
      const data: Overview = { version: packageVersion(), products, ...others, feeds: [...feeds] };
      const isCurrent = () => publishedNews(snapshot, now()) === published && reads.revision() === revision;
      return { ...recordOf(data), isCurrent };
    },
  });

  const newsCards = endpoint({
    method: 'GET',
    url: '/overview/news',
    schema: {
      operationId: 'listNewsCards',
      tags,
      summary: 'List news items with image, category, and content as text',
      description:
        'Like `listNews`, with everything that the page for people shows. Listing news does not count as reading it.',
      querystring: NewsCardsQuery,
      errors,
      response: { 200: RepresentationOf(PageSchema(NewsCardSchema)), 304: NotModified },
    },
    async handler({ query, snapshot }) {
      const { news } = snapshot;
      const rows = await foundNews(snapshot, publishedNews(snapshot, now()), query);
      const { list, pagination } = pageOf(rows, query);
      const body = assemble(pageBody(await inTurn(cardsOf(news, list, countIn(news))), pagination));
      return { tag: strongTag(body), link: pageLinks(NewsCardsQuery, query, pagination), body: [body] };
    },
  });

  const newsArticle = endpoint({
    method: 'GET',
    url: '/overview/news/:id',
    schema: {
      operationId: 'getNewsArticle',
      tags,
      summary: 'Get a news item without reading it',
      description:
        'The whole news item, as `readNews` has it, with its category, and whether its content is HTML. It does not count as a read.',
      params: NewsDetailQuery,
      errors: ['INVALID_PARAMETER', 'NEWS_NOT_FOUND', 'NOT_READY'],
      response: { 200: RepresentationOf(NewsArticleSchema), 304: NotModified },
    },
    handler({ params: { id }, snapshot }) {
      const row = findNews(snapshot, id, now());
      if (row === undefined) throw new ApiError('NEWS_NOT_FOUND', { id });
      return recordOf(newsArticleAt(snapshot.news, row, countIn(snapshot.news)(row)));
    },
  });

  const calendar = endpoint({
    method: 'GET',
    url: '/overview/calendar',
    schema: {
      operationId: 'getCalendar',
      tags,
      summary: 'List which news items appear and disappear next',
      description:
        'In a preview, the next events after its instant, the soonest first. Otherwise an empty list.',
      querystring: OverviewQuery,
      errors: ['NOT_READY'],
      response: { 200: RepresentationOf(CalendarSchema), 304: NotModified },
    },
    handler: ({ snapshot }) => recordOf({ list: calendarOf(snapshot) }),
  });

  const prices = endpoint({
    method: 'GET',
    url: '/overview/prices',
    schema: {
      operationId: 'getPriceMatrix',
      tags,
      summary: 'Get the prices of a product as a matrix',
      description:
        'A page of the configurations of a product, each with its prices in the order of `durations`, and with what the last change of the files did to them. Of more than 100,000 changes, the first ones are marked.',
      querystring: PriceMatrixQuery,
      errors,
      response: { 200: RepresentationOf(PriceMatrixSchema), 304: NotModified },
    },
    handler: async ({ query, snapshot }) =>
      wholePage(PriceMatrixQuery, query, await inTurn(priceMatrix(snapshot, query))),
  });

  const rows = endpoint({
    method: 'GET',
    url: '/overview/rows',
    schema: {
      operationId: 'listRows',
      tags,
      summary: 'List the rows of a catalog',
      description:
        'A page of the rows of a catalog that visitors see, in the order of the file: the values that are served, where the row is in its file, what the last change of the files did to it, and how many problems it has. Of more than 100,000 changes, the first ones are marked; of more than 10,000 rows with problems, the first ones.',
      querystring: RowsQuery,
      errors,
      response: { 200: RepresentationOf(RowsSchema), 304: NotModified },
    },
    async handler({ query, snapshot }) {
      const counts = new Map(problems(snapshot)[query.catalog]);
      return wholePage(RowsQuery, query, await inTurn(catalogRows(snapshot, query, counts, now())));
    },
  });
  return [overview, newsCards, newsArticle, calendar, prices, rows];
}

/** Tagged, so that a page that polls every few seconds mostly gets 304. */
function recordOf(data: object): Representation {
  const json = JSON.stringify(data);
  return { tag: strongTag(json), body: recordBody(json) };
}

/** How many characters of content one step reads: at most a few milliseconds of work. */
const STEP_CHARACTERS = 2 ** 17;

/** The JSON of the cards of these rows, with commas between them. */
function* cardsOf(
  news: NewsTable,
  rows: readonly number[],
  countOf: (row: number) => number,
): Steps<Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  let characters = 0;
  for (const row of rows) {
    const article = newsArticleAt(news, row, countOf(row));
    pieces.push(Buffer.from((pieces.length > 0 ? ',' : '') + JSON.stringify(newsCard(article))));
    characters += article.content.length;
    if (characters < STEP_CHARACTERS) continue;
    characters = 0;
    yield;
  }
  return pieces;
}

/** The rows with problems of a set that is served or held back. What is around its files can change them. */
export function problemsIn({ served, held }: CatalogStatus, { version }: Snapshot): RowProblems {
  const report = [served, held].find(set => set?.report.version === version)?.report;
  return report?.rowProblems ?? {};
}
