import { domainToUnicode } from 'node:url';
import { listItems } from '../answer/body.ts';
import { strongTag } from '../answer/representation.ts';
import { imageType } from '../contract/catalog-files.ts';
import { NotModified } from '../contract/envelope.ts';
import { FeedQuery } from '../contract/queries.ts';
import { newsTag } from '../contract/webhook.ts';
import { listNews, publishedNews } from '../query/news.ts';
import type { Settings } from '../settings/settings.ts';
import { isHtml, paragraphsOf } from '../snapshot/html-text.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { rfc3339 } from '../time-zone.ts';
import { type Endpoint, endpoint } from './endpoint.ts';

export type SiteSettings = Pick<Settings, 'newsUrl' | 'publicUrl' | 'feedTitle'>;

/** The website that shows the news. `name` is its host in Unicode, `title` that of its feeds, `home` the URL of the news. */
export function siteOf({ newsUrl, publicUrl, feedTitle }: SiteSettings) {
  const [before] = newsUrl.split('{id}');
  const home = new URL('.', before);
  const name = domainToUnicode(home.hostname);
  return {
    name,
    title: withoutForbidden(feedTitle) || `News of ${name}`,
    home: home.href,
    pageOf: (id: number) => new URL(newsUrl.replace('{id}', String(id))).href,
    /** Returns the public URL of a path of the service; undefined without `PUBLIC_URL`. */
    served: (path: string) => (publicUrl === '' ? undefined : `${publicUrl}/${path}`),
  };
}

type Site = ReturnType<typeof siteOf>;

/** A feed in no particular format. Texts have no characters that XML forbids, URLs are absolute, times are Unix seconds. */
type Feed = ReturnType<typeof newsFeed>;
type FeedItem = Feed['items'][number];

/** A format of feeds. `file` is the last part of its path, `standard` its name for people. */
interface FeedFormat extends Record<'file' | 'mediaType' | 'operationId' | 'standard', string> {
  write(feed: Feed): string;
}

/** Makes the feed of these news rows. With `type_id`, the caller passes only rows of that category. */
function newsFeed(snapshot: Snapshot, rows: readonly number[], { type_id }: FeedQuery, site: Site) {
  const { news, newsTypes } = snapshot;
  const typeName = (id: number | undefined) => withoutForbidden(newsTypes.get(id ?? 0)?.name ?? '');
  /** Returns undefined for files that are not served as images, and without `PUBLIC_URL`. */
  const imageOf = (img: string) => {
    const type = imageType(img);
    const url = type && site.served(`images/${encodeURIComponent(img)}`);
    return url ? { url, type } : undefined;
  };
  const items = listItems(news, rows).map((item, index) => {
    const row = rows[index] ?? 0;
    const content = withoutForbidden(item.content);
    const text = isHtml(content) ? undefined : content;
    return {
      /** The URL of the page, which is also the id of the item. */
      url: site.pageOf(item.id),
      title: withoutForbidden(item.title),
      html: text === undefined ? content : asHtml(text),
      /** The content as written, if it is plain text. */
      text,
      tags: tagsOf(typeName(news.type_id[row]), withoutForbidden(item.keywords)),
      image: imageOf(news.img[row] ?? ''),
      published: item.create_time,
      updated: news.update_time[row] || item.create_time,
    };
  });
  const search = type_id === undefined ? '' : `?type_id=${type_id}`;
  return {
    /** A URL that identifies this feed. */
    id: site.home + search,
    title: [site.title, typeName(type_id)].filter(Boolean).join(': '),
    author: site.name,
    home: site.home,
    /** The query of its URL; may be empty. */
    search,
    /** Returns the URL of this feed in another format; undefined without `PUBLIC_URL`. */
    addressOf: (file: string) => site.served(`feeds/${file}${search}`),
    /** The latest change of any item. 0 without items, since Atom requires a time. */
    updated: Math.max(0, ...items.map(({ updated }) => updated)),
    items,
  };
}

/** Returns the category's name and the keywords, without duplicates. Editors write Western or Chinese commas. */
function tagsOf(typeName: string, keywords: string): string[] {
  const tags = [typeName, ...keywords.split(/[,，]/)].map(tag => tag.trim());
  return [...new Set(tags)].filter(Boolean);
}

/** Turns plain text into HTML. Blank lines separate paragraphs; other line breaks are kept. */
function asHtml(text: string): string {
  const asParagraph = (part: string) => `<p>${escapeText(part).replaceAll('\n', '<br>')}</p>`;
  return paragraphsOf(text).map(asParagraph).join('');
}

/** Atom 1.0 (RFC 4287). Content is always HTML, since readers may join the lines of plain text (section 4.1.3.3). */
const atom: FeedFormat = {
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
<generator>Vitrine</generator>${items.map(atomEntry)}
</feed>
`.markup,
};

/** Links in the content are relative to the page of the item. */
const atomEntry = ({ url, title, html, tags, image, published, updated }: FeedItem) => xml`
<entry>
<id>${url}</id>
<title type="text">${title}</title>
<published>${rfc3339(published)}</published>
<updated>${rfc3339(updated)}</updated>
<link rel="alternate" type="text/html" href="${url}"/>${image && xml`\n<link rel="enclosure" type="${image.type}" href="${image.url}"/>`}${tags.map(tag => xml`\n<category term="${tag}"/>`)}
<content type="html" xml:base="${url}">${html}</content>
</entry>`;

/**
 * RSS 2.0 (RSS Advisory Board). The description of an item is its whole content as HTML. RSS has no element for the feed's
 * own URL, so feeds use Atom's. The length of an enclosure is required; 0 means unknown (RSS Best Practices Profile,
 * "enclosure").
 */
const rss: FeedFormat = {
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
<generator>Vitrine</generator>${address && xml`\n<atom:link rel="self" type="${rss.mediaType}" href="${address}"/>`}${items.map(rssItem)}
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
<pubDate>${rfc822(published)}</pubDate>${image && xml`\n<enclosure url="${image.url}" length="0" type="${image.type}"/>`}${tags.map(tag => xml`\n<category>${tag}</category>`)}
<description>${html}</description>
</item>`;

/** Formats Unix seconds by RFC 822, with a four-digit year. */
function rfc822(seconds: number): string {
  return new Date(seconds * 1000).toUTCString();
}

/** JSON Feed 1.1. `feed_url` must be absolute, so it is left out without `PUBLIC_URL`. */
const jsonFeed: FeedFormat = {
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

const feedFormats = [atom, rss, jsonFeed];
/** Relative to the mount point. */
export const feedPaths = feedFormats.map(({ file }) => `feeds/${file}`);

const MAX_ITEMS = 50;

/** `GET /feeds/news.atom`, `news.rss` and `news.json`: the newest items, all or one category. */
export function feedEndpoints(settings: SiteSettings): Endpoint[] {
  const site = siteOf(settings);
  return feedFormats.map(format => {
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
        errors: ['ROUTE_NOT_FOUND'],
        response: { 200: { description: 'up to 50 items, newest first', content }, 304: NotModified },
      },
      handler({ query, snapshot, now }) {
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

/** Well-formed markup, with its texts escaped. */
interface Markup {
  markup: string;
}

type Hole = string | Markup | readonly Markup[] | undefined;

/** The tag of templates for markup. Escapes strings, inserts markup unchanged, and leaves out undefined. */
function xml(strings: TemplateStringsArray, ...holes: readonly Hole[]): Markup {
  return { markup: String.raw({ raw: strings }, ...holes.map(fill)) };
}

function fill(hole: Hole): string {
  if (hole === undefined) return '';
  if (typeof hole === 'string') return escapeText(hole);
  const parts = [hole].flat();
  return parts.map(({ markup }) => markup).join('');
}

/** Escapes text. RSS readers handle numeric references best (RSS Best Practices Profile, "Character Data"). */
function escapeText(text: string): string {
  return text.replace(/[&<>"]/g, sign => `&#x${sign.charCodeAt(0).toString(16).toUpperCase()};`);
}

/** Removes characters that XML forbids even as references (XML 1.0, section 2.2). */
export function withoutForbidden(text: string): string {
  return text.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '');
}
