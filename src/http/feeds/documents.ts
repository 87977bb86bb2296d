import type { Snapshot } from '../../catalog/snapshot.ts';
import { listNews } from '../../query/news.ts';
import { oncePerSnapshot } from '../../query/once.ts';
import { publishedNews } from '../../query/published.ts';
import type { FeedQuery } from '../../query/queries.ts';
import { openBoundedMap } from '../bounded-map.ts';
import { strongTag } from '../conditional.ts';
import { type FeedFormat, newsFeed } from './feed.ts';
import type { Site } from './site.ts';

/** How many news a feed has at most. */
const MAX_ITEMS = 50;
/** How much is kept of the documents of a set, in bytes. */
const MAX_BYTES = 32 * 2 ** 20;
/** About what a document takes besides its text. */
const DOCUMENT_BYTES = 300;

/** A feed as it is sent. */
export interface Document {
  tag: string;
  body: Buffer;
  /** The last `publish_time` that has passed, in Unix seconds, which tells what of a set is published. */
  from: number;
}

/**
 * Writes the feeds of a site at a time in Unix seconds. They depend on the set, on what of it is published, on the query
 * and on nothing else, and are kept until one of these changes; those without news, for which one can invent any number
 * of queries, are not.
 */
export function feedWriter(
  site: Site,
): (format: FeedFormat, snapshot: Snapshot, query: FeedQuery, now: number) => Document {
  const documentsOf = oncePerSnapshot(() => openBoundedMap<string, Document>(MAX_BYTES));
  return (format, snapshot, query, now) => {
    const documents = documentsOf(snapshot);
    const published = publishedNews(snapshot, now);
    const key = `${format.file} ${query.type_id}`;
    const last = documents.get(key);
    if (last?.from === published.from) return last;
    const { list } = listNews(snapshot.news, published, { ...query, page: 1, limit: MAX_ITEMS });
    const text = format.write(newsFeed(snapshot, list, query, site));
    const document = { tag: strongTag(text), body: Buffer.from(text), from: published.from };
    if (list.length > 0) documents.set(key, document, DOCUMENT_BYTES + document.body.length);
    return document;
  };
}
