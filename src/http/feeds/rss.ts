import { Type } from '@sinclair/typebox';
import type { Feed, FeedFormat, FeedImage, FeedItem } from './feed.ts';
import { xml } from './xml.ts';

/** RSS 2.0 (RSS Advisory Board). The description of an item is its whole content, as HTML. */
export const rss: FeedFormat = {
  file: 'news.rss',
  mediaType: 'application/rss+xml',
  operationId: 'getRssFeed',
  standard: 'RSS 2.0',
  schema: Type.String({ description: 'an RSS 2.0 document' }),
  write: feed => feedOf(feed).markup,
};

const feedOf = ({ title, home, addressOf, updated, items }: Feed) => {
  const address = addressOf(rss.file);
  return xml`<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0"${address && atomNamespace}>
<channel>
<title>${title}</title>
<link>${home}</link>
<description>${title}</description>
<lastBuildDate>${rfc822(updated)}</lastBuildDate>
<generator>Vitrine</generator>${address && self(address)}${items.map(rssItem)}
</channel>
</rss>
`;
};

/** RSS has no element for the address of the feed itself, so feeds use Atom's. */
const atomNamespace = xml` xmlns:atom="http://www.w3.org/2005/Atom"`;
const self = (address: string) => xml`
<atom:link rel="self" type="${rss.mediaType}" href="${address}"/>`;

const rssItem = ({ url, title, html, tags, image, published }: FeedItem) => xml`
<item>
<title>${title}</title>
<link>${url}</link>
<guid isPermaLink="true">${url}</guid>
<pubDate>${rfc822(published)}</pubDate>${image && enclosure(image)}${tags.map(
  tag => xml`
<category>${tag}</category>`,
)}
<description>${html}</description>
</item>`;

/** The length is required; 0 stands for unknown (RSS Best Practices Profile, "enclosure"). */
const enclosure = ({ url, type }: FeedImage) => xml`
<enclosure url="${url}" length="0" type="${type}"/>`;

/** Unix seconds as RFC 822 writes dates, with a four-digit year. */
function rfc822(seconds: number): string {
  return new Date(seconds * 1000).toUTCString();
}
