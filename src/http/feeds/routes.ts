import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox';
import type { CachingHeaders } from '../../answer/cache-control.ts';
import { NotModified } from '../../contract/envelope.ts';
import { FeedQuery } from '../../contract/queries.ts';
import { requireCatalog } from '../plugins/catalog-version.ts';
import { type RouteSchema, sendRepresentations } from '../response/route-schema.ts';
import { atom } from './atom.ts';
import type { FeedFormat } from './feed.ts';
import { feedWriter } from './feed-cache.ts';
import { jsonFeed } from './json-feed.ts';
import { rss } from './rss.ts';
import { type SiteSettings, siteOf } from './site.ts';

/** What the feeds need in addition to the snapshot. */
export interface FeedOptions extends SiteSettings {
  /** The time, in Unix seconds. */
  now(): number;
  /** The headers for shared caches; undefined if they keep nothing. */
  cachingHeaders?: CachingHeaders | undefined;
}

const formats = [atom, rss, jsonFeed];
const pathOf = ({ file }: FeedFormat) => `feeds/${file}`;

/** The paths of the feeds, relative to the mount point. */
export const feedPaths = formats.map(pathOf);

/** `GET /feeds/news.atom`, `news.rss` and `news.json`: the newest news items, all or those of one category. */
export const feedRoutes: FastifyPluginCallbackTypebox<FeedOptions> = (
  app,
  { now, cachingHeaders, ...site },
  done,
) => {
  requireCatalog(app);
  sendRepresentations(app, cachingHeaders);
  const write = feedWriter(siteOf(site));
  for (const format of formats) {
    app.get(`/${pathOf(format)}`, { schema: schemaOf(format) }, ({ snapshot, query }) =>
      write(format, snapshot, query, now()),
    );
  }
  done();
};

function schemaOf({ mediaType, operationId, standard, schema }: FeedFormat) {
  return {
    operationId,
    tags: ['Feeds'],
    summary: `Get the latest news as ${standard}`,
    description: `The 50 newest published news items, or those of one category, as ${standard}. Fetching a feed does not count as a read.`,
    querystring: FeedQuery,
    errors: ['INVALID_PARAMETER', 'ROUTE_NOT_FOUND', 'NOT_READY'],
    response: {
      200: { description: 'up to 50 items, newest first', content: { [mediaType]: { schema } } },
      304: NotModified,
    },
  } satisfies RouteSchema;
}
