import type { TSchema } from '@sinclair/typebox';
import { isHtml } from '../../catalog/html-text.ts';
import type { NewsListItem } from '../../catalog/records.ts';
import type { Snapshot } from '../../catalog/snapshot.ts';
import type { FeedQuery } from '../../query/queries.ts';
import { listItems } from '../news-pieces.ts';
import { paragraphs } from './paragraphs.ts';
import type { Site } from './site.ts';
import { withoutForbidden } from './xml.ts';

/**
 * What a feed says, whatever it is written in. Its texts have only characters that XML allows, its addresses are
 * absolute, its times Unix seconds.
 */
export interface Feed {
  /** An address that is no other feed's. */
  id: string;
  title: string;
  author: string;
  home: string;
  /** What its own address has after the path. */
  search: string;
  /** The last change of any item; 0 where there is none, since Atom wants a time. */
  updated: number;
  items: FeedItem[];
}

/** A news item in a feed. */
export interface FeedItem {
  /** The address of its page, which is its id as well. */
  url: string;
  /** Plain text. */
  title: string;
  html: string;
  /** What the editors wrote, where that is plain text. */
  text: string | undefined;
  /** The name of its type, then its keywords; each once. */
  tags: string[];
  published: number;
  updated: number;
}

/** What feeds are written in. */
export interface FeedFormat {
  /** The last part of its path. */
  file: string;
  mediaType: string;
  /** What the OpenAPI document tells of it. */
  operationId: string;
  summary: string;
  /** What is answered. */
  schema: TSchema;
  write(feed: Feed): string;
}

/** The feed of these rows, which are those of a type where one is asked for. */
export function newsFeed(
  { news, newsTypes }: Snapshot,
  rows: readonly number[],
  { type_id }: FeedQuery,
  site: Site,
): Feed {
  const typeName = (id: number | undefined) => withoutForbidden(newsTypes.get(id ?? 0)?.name ?? '');
  const items = listItems(news, rows).map((item, index) => {
    const row = rows[index] ?? 0;
    return feedItem(item, news.update_time[row] ?? 0, typeName(news.type_id[row]), site);
  });
  const title = `News of ${site.name}`;
  const search = type_id === undefined ? '' : `?type_id=${type_id}`;
  return {
    id: site.home + search,
    title: typeName(type_id) ? `${title}: ${typeName(type_id)}` : title,
    author: site.name,
    home: site.home,
    search,
    updated: Math.max(0, ...items.map(({ updated }) => updated)),
    items,
  };
}

function feedItem(item: NewsListItem, updated: number, typeName: string, site: Site): FeedItem {
  const content = withoutForbidden(item.content);
  const text = isHtml(content) ? undefined : content;
  return {
    url: site.pageOf(item.id),
    title: withoutForbidden(item.title),
    html: text === undefined ? content : paragraphs(text),
    text,
    tags: tagsOf(typeName, withoutForbidden(item.keywords)),
    published: item.create_time,
    updated,
  };
}

/** Keywords are divided by commas, of which Chinese has its own. */
function tagsOf(typeName: string, keywords: string): string[] {
  const tags = [typeName, ...keywords.split(/[,，]/)].map(tag => tag.trim());
  return [...new Set(tags)].filter(Boolean);
}
