import { strongTag } from '../../answer/representation.ts';
import { NotModified } from '../../contract/envelope.ts';
import { FeedQuery } from '../../contract/queries.ts';
import { newsTag } from '../../contract/webhook.ts';
import { listNews, publishedNews } from '../../query/news.ts';
import { type Endpoint, endpoint } from '../endpoint.ts';
import { newsFeed, type SiteSettings, siteOf } from './feed.ts';
import { atom, jsonFeed, rss } from './formats.ts';

const formats = [atom, rss, jsonFeed];
/** The paths of the feeds, relative to the mount point. */
export const feedPaths = formats.map(({ file }) => `feeds/${file}`);

/** How many news items a feed has at most. */
const MAX_ITEMS = 50;

/**
 * `GET /feeds/news.atom`, `news.rss` and `news.json`: the newest news items, all or those of one category. `now` is in Unix
 * seconds.
 */
export function feedEndpoints(settings: SiteSettings, now: () => number): Endpoint[] {
  const site = siteOf(settings);
  return formats.map(format => {
    const { mediaType, operationId, standard } = format;
    const type = mediaType.endsWith('json') ? 'object' : 'string';
    const content = { [mediaType]: { schema: { type, description: `a document of ${standard}` } } };
    return endpoint({
      url: `/feeds/${format.file}`,
      schema: {
        operationId,
        tags: ['Feeds'],
        summary: `Get the latest news as ${standard}`,
        description: `The 50 newest published news items, or those of one category, as ${standard}. Fetching a feed does not count as a read.`,
        querystring: FeedQuery,
        errors: ['INVALID_PARAMETER', 'ROUTE_NOT_FOUND', 'NOT_READY'],
        response: { 200: { description: 'up to 50 items, newest first', content }, 304: NotModified },
      },
      handler({ query, snapshot }) {
        const published = publishedNews(snapshot, now());
        const { from, until } = published;
        const list = listNews(snapshot.news, published, query).slice(0, MAX_ITEMS);
        const text = format.write(newsFeed(snapshot, list, query, site));
        return {
          tag: strongTag(text),
          caching: { tags: ['feeds', 'news', newsTag(query.type_id)], until },
          isCurrent: () => publishedNews(snapshot, now()).from === from,
          type: `${mediaType}; charset=utf-8`,
          body: [Buffer.from(text)],
        };
      },
    });
  });
}
