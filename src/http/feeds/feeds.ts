import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox';
import type { Caching, CachingHeaders } from '../../answer/cache-control.ts';
import { strongTag } from '../../answer/conditional.ts';
import type { Representation } from '../../answer/representation.ts';
import { cachePerSnapshot } from '../../answer/snapshot-cache.ts';
import { NotModified } from '../../contract/envelope.ts';
import { FeedQuery } from '../../contract/queries.ts';
import { newsTag } from '../../contract/webhook.ts';
import { listNews, publishedNews } from '../../query/news.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { requireCatalog } from '../plugins/catalog-version.ts';
import { type RouteSchema, sendRepresentations } from '../plugins/representations.ts';
import { type FeedFormat, newsFeed } from './feed.ts';
import { atom, jsonFeed, rss } from './formats.ts';
import { type Site, type SiteSettings, siteOf } from './site.ts';

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

/** How many news items a feed has at most. */
const MAX_ITEMS = 50;
/** About how many bytes a feed takes in addition to its body. */
const FEED_BYTES = 300;

interface CachedFeed {
  /** When an item last appeared or disappeared, in Unix seconds: the feed is current until this changes. */
  from: number;
  feed: Representation;
}

/**
 * Writes the feeds of a site at a time in Unix seconds, and caches each until what is published changes. An empty feed is
 * not cached: a client could ask for any number of them.
 */
export function feedWriter(
  site: Site,
): (format: FeedFormat, snapshot: Snapshot, query: FeedQuery, now: number) => Representation {
  const cacheOf = cachePerSnapshot<string, CachedFeed>();
  return (format, snapshot, query, now) => {
    const cache = cacheOf(snapshot);
    const published = publishedNews(snapshot, now);
    const { from, until } = published;
    const key = `${format.file} ${query.type_id}`;
    const last = cache.get(key);
    if (last?.from === from) return last.feed;
    const list = listNews(snapshot.news, published, query).slice(0, MAX_ITEMS);
    const text = format.write(newsFeed(snapshot, list, query, site));
    const type = `${format.mediaType}; charset=utf-8`;
    const bytes = Buffer.from(text);
    const caching: Caching = { tags: ['feeds', 'news', newsTag(query.type_id)], until };
    const feed = { tag: strongTag(text), caching, type, body: [bytes] };
    if (list.length > 0) cache.set(key, { from, feed }, FEED_BYTES + bytes.length);
    return feed;
  };
}
