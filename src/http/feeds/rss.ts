import { Type } from '@sinclair/typebox';
import type { Feed, FeedFormat, FeedItem } from './feed.ts';
import { xml } from './xml.ts';

/** RSS 2.0, as the RSS Advisory Board has it. An item's description is its whole content, and HTML. */
export const rss: FeedFormat = {
  file: 'news.rss',
  mediaType: 'application/rss+xml',
  operationId: 'getRssFeed',
  summary: 'The newest news as an RSS feed',
  schema: Type.String({ description: 'an RSS 2.0 document' }),
  write: feed => document(feed).markup,
};

const document = ({ title, home, updated, items }: Feed) =>
  xml`<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0">
<channel>
<title>${title}</title>
<link>${home}</link>
<description>${title}</description>
<lastBuildDate>${rfc822(updated)}</lastBuildDate>
<generator>Vitrine</generator>${items.map(rssItem)}
</channel>
</rss>
`;

const rssItem = ({ url, title, html, tags, published }: FeedItem) => xml`
<item>
<title>${title}</title>
<link>${url}</link>
<guid isPermaLink="true">${url}</guid>
<pubDate>${rfc822(published)}</pubDate>${tags.map(
  tag => xml`
<category>${tag}</category>`,
)}
<description>${html}</description>
</item>`;

/** Unix seconds in the form of RFC 822, with four digits of year. */
function rfc822(seconds: number): string {
  return new Date(seconds * 1000).toUTCString();
}
