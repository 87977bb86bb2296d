import type { Caching } from '../../answer/cache-control.ts';
import { strongTag } from '../../answer/conditional.ts';
import type { Representation } from '../../answer/representation.ts';
import { cachePerSnapshot } from '../../answer/snapshot-cache.ts';
import type { FeedQuery } from '../../contract/queries.ts';
import { newsTag } from '../../contract/webhook.ts';
import { listNews, publishedNews } from '../../query/news.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { type FeedFormat, newsFeed } from './feed.ts';
import type { Site } from './site.ts';

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
