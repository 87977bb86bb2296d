import type { TSchema } from '@sinclair/typebox';
import { listItems } from '../../answer/news-json.ts';
import { imageKind } from '../../contract/catalog-files.ts';
import type { FeedQuery } from '../../contract/queries.ts';
import type { NewsListItem } from '../../contract/records.ts';
import { isHtml, paragraphsOf } from '../../snapshot/html-text.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { imageTypes } from '../images/images.ts';
import { escapeText, type Site, withoutForbidden } from './site.ts';

/**
 * A feed in no particular format. Its texts contain only characters that XML allows; addresses are absolute, and times
 * are Unix seconds.
 */
export interface Feed {
  /** A URL that no other feed has. */
  id: string;
  title: string;
  author: string;
  home: string;
  /** The query string of its own address; may be empty. */
  search: string;
  /** The address of this feed in another format; undefined without `PUBLIC_URL`. */
  addressOf(file: string): string | undefined;
  /** The last change of any item; 0 without items, since Atom requires a time. */
  updated: number;
  items: FeedItem[];
}

/** A news item in a feed. */
export interface FeedItem {
  /** The address of its page, which is also its id. */
  url: string;
  /** Plain text. */
  title: string;
  html: string;
  /** The content as written, if it is plain text. */
  text: string | undefined;
  /** The name of its category, then its keywords, without duplicates. */
  tags: string[];
  /** Undefined without an image or without `PUBLIC_URL`. */
  image: FeedImage | undefined;
  published: number;
  updated: number;
}

/** The image of an item. */
export interface FeedImage {
  url: string;
  /** Media type. */
  type: string;
}

/** A format that feeds are served in. */
export interface FeedFormat {
  /** The last part of its path. */
  file: string;
  mediaType: string;
  operationId: string;
  /** The name of the standard, for people. */
  standard: string;
  /** The schema of the document. */
  schema: TSchema;
  write(feed: Feed): string;
}

/** The feed of these news rows. With `type_id`, the caller passes only rows of that category. */
export function newsFeed(
  { news, newsTypes }: Snapshot,
  rows: readonly number[],
  { type_id }: FeedQuery,
  site: Site,
): Feed {
  const typeName = (id: number | undefined) => withoutForbidden(newsTypes.get(id ?? 0)?.name ?? '');
  const items = listItems(news, rows).map((item, index) => {
    const row = rows[index] ?? 0;
    const image = imageOf(news.img[row] ?? '', site);
    const updated = news.update_time[row] || item.create_time;
    return feedItem(item, updated, typeName(news.type_id[row]), image, site);
  });
  const search = type_id === undefined ? '' : `?type_id=${type_id}`;
  return {
    id: site.home + search,
    title: [site.title, typeName(type_id)].filter(Boolean).join(': '),
    author: site.name,
    home: site.home,
    search,
    addressOf: file => site.served(`feeds/${file}${search}`),
    updated: Math.max(0, ...items.map(({ updated }) => updated)),
    items,
  };
}

function feedItem(
  item: NewsListItem,
  updated: number,
  typeName: string,
  image: FeedImage | undefined,
  site: Site,
): FeedItem {
  const content = withoutForbidden(item.content);
  const text = isHtml(content) ? undefined : content;
  return {
    url: site.pageOf(item.id),
    title: withoutForbidden(item.title),
    html: text === undefined ? content : asHtml(text),
    text,
    tags: tagsOf(typeName, withoutForbidden(item.keywords)),
    image,
    published: item.create_time,
    updated,
  };
}

/** Undefined for files that are not served as images. */
function imageOf(img: string, site: Site): FeedImage | undefined {
  const kind = imageKind(img);
  const url = kind && site.served(`images/${encodeURIComponent(img)}`);
  return url ? { url, type: imageTypes[kind] } : undefined;
}

/** Editors separate keywords by Western or Chinese commas. */
function tagsOf(typeName: string, keywords: string): string[] {
  const tags = [typeName, ...keywords.split(/[,，]/)].map(tag => tag.trim());
  return [...new Set(tags)].filter(Boolean);
}

/** Plain text as HTML: blank lines separate paragraphs, and other line breaks stay. */
function asHtml(text: string): string {
  return paragraphsOf(text)
    .map(paragraph => `<p>${escapeText(paragraph).replaceAll('\n', '<br>')}</p>`)
    .join('');
}
