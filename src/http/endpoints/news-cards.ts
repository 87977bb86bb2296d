import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox';
import { assemble } from '../../answer/body.ts';
import { inTurn, type Steps } from '../../answer/in-turn.ts';
import { pageBody, recordBody } from '../../answer/json-bodies.ts';
import { pageLinks } from '../../answer/page.ts';
import { strongTag } from '../../answer/representation.ts';
import { NotModified, PageSchema } from '../../contract/envelope.ts';
import { NewsArticleSchema, NewsCardSchema } from '../../contract/page.ts';
import { NewsCardsQuery, NewsDetailQuery } from '../../contract/queries.ts';
import { ApiError } from '../../errors.ts';
import { findNews, publishedNews } from '../../query/news.ts';
import { newsArticleAt, newsCard, newsDetailAt } from '../../query/overview.ts';
import { pageOf } from '../../query/paging.ts';
import type { NewsTable } from '../../snapshot/news-table.ts';
import { RepresentationOf, type RouteSchema } from '../plugins/representations.ts';
import { foundNews, type NewsOptions } from './news-list.ts';

/** How many characters of content one step reads: at most a few milliseconds of work. */
const STEP_CHARACTERS = 2 ** 17;

const schema = {
  operationId: 'listNewsCards',
  tags: ['Page'],
  summary: 'List news items with image, category, and content as text',
  description:
    'Like `listNews`, with everything that the page for people shows. Listing news does not count as reading it.',
  querystring: NewsCardsQuery,
  errors: ['INVALID_PARAMETER', 'NOT_READY'],
  response: { 200: RepresentationOf(PageSchema(NewsCardSchema)), 304: NotModified },
} satisfies RouteSchema;

/** `GET /overview/news`: the news of `GET /api/news` as the page shows them. */
export const newsCards: FastifyPluginCallbackTypebox<NewsOptions> = (app, { reads, now }, done) => {
  app.get('/overview/news', { schema }, async ({ query, snapshot }) => {
    const { news } = snapshot;
    const rows = await foundNews(snapshot, publishedNews(snapshot, now()), query);
    const { list, pagination } = pageOf(rows, query);
    const countOf = (row: number) => reads.shown(news.id[row] ?? 0, news.read[row] ?? 0);
    const body = assemble(pageBody(await inTurn(cardsOf(news, list, countOf)), pagination));
    return { tag: strongTag(body), link: pageLinks(NewsCardsQuery, query, pagination), body: [body] };
  });
  done();
};

const articleSchema = {
  operationId: 'getNewsArticle',
  tags: ['Page'],
  summary: 'Get a news item without reading it',
  description:
    'The whole news item, as `readNews` has it, with its category, and whether its content is HTML. It does not count as a read.',
  params: NewsDetailQuery,
  errors: ['INVALID_PARAMETER', 'NEWS_NOT_FOUND', 'NOT_READY'],
  response: { 200: RepresentationOf(NewsArticleSchema), 304: NotModified },
} satisfies RouteSchema;

/** `GET /overview/news/{id}`: a news item as the page shows it. */
export const newsArticle: FastifyPluginCallbackTypebox<NewsOptions> = (app, { reads, now }, done) => {
  app.get('/overview/news/:id', { schema: articleSchema }, ({ params: { id }, snapshot }) => {
    const { news } = snapshot;
    const row = findNews(snapshot, id, now());
    if (row === undefined) throw new ApiError('NEWS_NOT_FOUND', { id });
    const json = JSON.stringify(newsArticleAt(news, row, reads.shown(id, news.read[row] ?? 0)));
    return { tag: strongTag(json), body: recordBody(json) };
  });
  done();
};

/** The JSON of the cards of these rows, with commas between them. */
function* cardsOf(
  news: NewsTable,
  rows: readonly number[],
  countOf: (row: number) => number,
): Steps<Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  let characters = 0;
  for (const row of rows) {
    const detail = newsDetailAt(news, row);
    const card = newsCard(detail, news.type_id[row] ?? 0, countOf(row));
    pieces.push(Buffer.from((pieces.length > 0 ? ',' : '') + JSON.stringify(card)));
    characters += detail.content.length;
    if (characters < STEP_CHARACTERS) continue;
    characters = 0;
    yield;
  }
  return pieces;
}
