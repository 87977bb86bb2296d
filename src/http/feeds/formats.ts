import { rfc3339 } from '../../time-zone.ts';
import type { FeedFormat, FeedItem } from './feed.ts';
import { xml } from './xml.ts';

/**
 * Atom 1.0 (RFC 4287). Content is always HTML, since readers may join the lines of plain text (section 4.1.3.3).
 * Without `PUBLIC_URL` the feed links to itself by a relative address.
 */
export const atom: FeedFormat = {
  file: 'news.atom',
  mediaType: 'application/atom+xml',
  operationId: 'getAtomFeed',
  standard: 'Atom 1.0',
  write: ({ id, title, author, home, search, addressOf, updated, items }) =>
    xml`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${id}</id>
<title type="text">${title}</title>
<updated>${rfc3339(updated)}</updated>
<author><name>${author}</name></author>
<link rel="self" type="${atom.mediaType}" href="${addressOf(atom.file) ?? atom.file + search}"/>
<link rel="alternate" type="text/html" href="${home}"/>
<generator>Vitrine</generator>${items.map(entry)}
</feed>
`.markup,
};

/** Links in the content are relative to the page of the item. */
const entry = ({ url, title, html, tags, image, published, updated }: FeedItem) => xml`
<entry>
<id>${url}</id>
<title type="text">${title}</title>
<published>${rfc3339(published)}</published>
<updated>${rfc3339(updated)}</updated>
<link rel="alternate" type="text/html" href="${url}"/>${
  image &&
  xml`
<link rel="enclosure" type="${image.type}" href="${image.url}"/>`
}${tags.map(
  tag => xml`
<category term="${tag}"/>`,
)}
<content type="html" xml:base="${url}">${html}</content>
</entry>`;

/**
 * RSS 2.0 (RSS Advisory Board). The description of an item is its whole content, as HTML. RSS has no element for the address
 * of the feed itself, so feeds use Atom's. The length of an enclosure is required; 0 stands for unknown (RSS Best Practices
 * Profile, "enclosure").
 */
export const rss: FeedFormat = {
  file: 'news.rss',
  mediaType: 'application/rss+xml',
  operationId: 'getRssFeed',
  standard: 'RSS 2.0',
  write({ title, home, addressOf, updated, items }) {
    const address = addressOf(rss.file);
    return xml`<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0"${address && xml` xmlns:atom="http://www.w3.org/2005/Atom"`}>
<channel>
<title>${title}</title>
<link>${home}</link>
<description>${title}</description>
<lastBuildDate>${rfc822(updated)}</lastBuildDate>
<generator>Vitrine</generator>${
      address &&
      xml`
<atom:link rel="self" type="${rss.mediaType}" href="${address}"/>`
    }${items.map(rssItem)}
</channel>
</rss>
`.markup;
  },
};

const rssItem = ({ url, title, html, tags, image, published }: FeedItem) => xml`
<item>
<title>${title}</title>
<link>${url}</link>
<guid isPermaLink="true">${url}</guid>
<pubDate>${rfc822(published)}</pubDate>${
  image &&
  xml`
<enclosure url="${image.url}" length="0" type="${image.type}"/>`
}${tags.map(
  tag => xml`
<category>${tag}</category>`,
)}
<description>${html}</description>
</item>`;

/** Unix seconds as RFC 822 writes dates, with a four-digit year. */
function rfc822(seconds: number): string {
  return new Date(seconds * 1000).toUTCString();
}

/** JSON Feed 1.1. `feed_url` has to be absolute, so only a service with `PUBLIC_URL` has it. */
export const jsonFeed: FeedFormat = {
  file: 'news.json',
  mediaType: 'application/feed+json',
  operationId: 'getJsonFeed',
  standard: 'JSON Feed 1.1',
  write: ({ title, author, home, addressOf, items }) =>
    JSON.stringify({
      version: 'https://jsonfeed.org/version/1.1',
      title,
      home_page_url: home,
      feed_url: addressOf(jsonFeed.file),
      authors: [{ name: author, url: home }],
      items: items.map(jsonItem),
    }),
};

function jsonItem({ url, image, text, ...item }: FeedItem) {
  return {
    id: url,
    url,
    title: item.title,
    content_html: item.html,
    content_text: text,
    image: image?.url,
    date_published: rfc3339(item.published),
    date_modified: rfc3339(item.updated),
    tags: item.tags,
  };
}
