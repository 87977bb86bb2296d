import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox';
import { ApiError } from '../errors.ts';
import { findNews, listNews } from '../query/news.ts';
import { PageSchema } from '../query/paging.ts';
import { NewsDetailQuery, NewsQuery } from '../query/queries.ts';
import { NewsDetailSchema, NewsListItemSchema, newsDetail, newsListItem } from '../query/records.ts';
import type { ReadCounter } from '../reads/counter.ts';
import { sentNotModified, tagOf } from './conditional.ts';
import { Envelope, success } from './envelope.ts';

const listSchema = {
  summary: 'List the news, newest first',
  querystring: NewsQuery,
  response: { 200: Envelope(PageSchema(NewsListItemSchema)) },
};

const detailSchema = {
  summary: 'Read a news item, which raises its read count',
  params: NewsDetailQuery,
  response: { 200: Envelope(NewsDetailSchema) },
};

/** What the news endpoints need besides the set. */
export interface NewsOptions {
  reads: ReadCounter;
  /** The time, in Unix seconds. */
  now(): number;
}

/** The endpoints under `/news` (SPEC 4.3 and 4.4). */
export const newsRoutes: FastifyPluginCallbackTypebox<NewsOptions> = (app, { reads, now }, done) => {
  app.get('/news', { schema: listSchema }, (request, reply) => {
    const { version, timeZone } = request.snapshot;
    const { list, pagination } = listNews(request.snapshot, request.query, now());
    const counts = list.map(item => reads.shown(item.id, item.read));
    // All that a list depends on, as far as it can change under one version.
    const content = [version, timeZone.name, pagination, list.map(item => item.id), counts];
    if (sentNotModified(request, reply, `W/${tagOf(JSON.stringify(content))}`)) return undefined;
    const items = list.map((item, index) => newsListItem(item, counts[index] ?? item.read, timeZone));
    return success({ list: items, pagination });
  });

  app.get('/news/:id', { schema: detailSchema }, ({ method, params, snapshot }, reply) => {
    const item = findNews(snapshot, params.id, now());
    if (!item) throw new ApiError('NEWS_NOT_FOUND', { id: params.id });
    // HEAD answers what GET would, and counts nothing.
    const read = method === 'HEAD' ? reads.shown(item.id, item.read) + 1 : reads.raise(item.id, item.read);
    reply.header('cache-control', 'no-store');
    const answer = (read: number) => success(newsDetail(item, read, snapshot.timeZone));
    return typeof read === 'number' ? answer(read) : read.then(answer);
  });
  done();
};
