import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox';
import type { FastifySchema } from 'fastify';
import { FeedQuery } from '../../query/queries.ts';
import { requireCatalog } from '../catalog-version.ts';
import type { Documented } from '../documented.ts';
import { NotModified } from '../envelope.ts';
import { sendAnswer } from '../response.ts';
import { atom } from './atom.ts';
import { feedWriter } from './documents.ts';
import type { FeedFormat } from './feed.ts';
import { jsonFeed } from './json-feed.ts';
import { rss } from './rss.ts';
import { siteOf } from './site.ts';

/** What the feeds need besides the set. */
export interface FeedOptions {
  /** Where the site shows a news item, `{id}` standing for its id. */
  newsUrl: string;
  /** The time, in Unix seconds. */
  now(): number;
}

const formats = [atom, rss, jsonFeed];
const pathOf = ({ file }: FeedFormat) => `feeds/${file}`;

/** Where the feeds are, below the place where the service is mounted. */
export const feedPaths = formats.map(pathOf);

/** `GET /feeds/news.atom`, `news.rss` and `news.json`: the newest news for feed readers, all or those of a type. */
export const feedRoutes: FastifyPluginCallbackTypebox<FeedOptions> = (app, { newsUrl, now }, done) => {
  requireCatalog(app);
  const write = feedWriter(siteOf(newsUrl));
  for (const format of formats) {
    const type = `${format.mediaType}; charset=utf-8`;
    app.get(`/${pathOf(format)}`, { schema: schemaOf(format) }, (request, reply) => {
      const { tag, body } = write(format, request.snapshot, request.query, now());
      return sendAnswer(request, reply, { tag, type, body: () => body });
    });
  }
  done();
};

function schemaOf({ mediaType, operationId, summary, schema }: FeedFormat) {
  return {
    operationId,
    tags: ['Feeds'],
    summary,
    querystring: FeedQuery,
    errors: ['INVALID_PARAMETER', 'NOT_READY'],
    response: {
      200: { description: 'the 50 newest items, or fewer', content: { [mediaType]: { schema } } },
      304: NotModified,
    },
  } satisfies Documented & FastifySchema;
}
