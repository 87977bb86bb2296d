import { domainToUnicode } from 'node:url';
import { listItems } from '../../answer/news-json.ts';
import { imageKind } from '../../contract/catalog-files.ts';
import type { FeedQuery } from '../../contract/queries.ts';
import type { Settings } from '../../settings/settings.ts';
import { isHtml, paragraphsOf } from '../../snapshot/html-text.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { imageTypes } from '../images/images.ts';
import { escapeText, withoutForbidden } from './xml.ts';

/** The settings of the website that shows the news. */
export type SiteSettings = Pick<Settings, 'newsUrl' | 'publicUrl' | 'feedTitle'>;

/** That website: its host name in Unicode, the title of its feeds, and the folder of the news pages. */
export function siteOf({ newsUrl, publicUrl, feedTitle }: SiteSettings) {
  const [before] = newsUrl.split('{id}');
  const home = new URL('.', before);
  const name = domainToUnicode(home.hostname);
  return {
    name,
    title: withoutForbidden(feedTitle) || `News of ${name}`,
    home: home.href,
    /** The page of a news item. */
    pageOf: (id: number) => new URL(newsUrl.replace('{id}', String(id))).href,
    /** The public address of a path of the service; undefined without `PUBLIC_URL`. */
    served: (path: string) => (publicUrl === '' ? undefined : `${publicUrl}/${path}`),
  };
}

/** A feed in no particular format. Its texts are allowed in XML, its addresses absolute, its times Unix seconds. */
type Feed = ReturnType<typeof newsFeed>;
export type FeedItem = Feed['items'][number];

/** A format that feeds are served in: `file` is the last part of its path, `standard` its name for people. */
export interface FeedFormat extends Record<'file' | 'mediaType' | 'operationId' | 'standard', string> {
  write(feed: Feed): string;
}

/** The feed of these news rows. With `type_id`, the caller passes only rows of that category. */
export function newsFeed(
  { news, newsTypes }: Snapshot,
  rows: readonly number[],
  { type_id }: FeedQuery,
  site: ReturnType<typeof siteOf>,
) {
  const typeName = (id: number | undefined) => withoutForbidden(newsTypes.get(id ?? 0)?.name ?? '');
  /** Undefined for files that are not served as images, and without `PUBLIC_URL`. */
  const imageOf = (img: string) => {
    const kind = imageKind(img);
    const url = kind && site.served(`images/${encodeURIComponent(img)}`);
    return url ? { url, type: imageTypes[kind] } : undefined;
  };
  const items = listItems(news, rows).map((item, index) => {
    const row = rows[index] ?? 0;
    const content = withoutForbidden(item.content);
    const text = isHtml(content) ? undefined : content;
    return {
      /** The address of its page, which is also its id. */
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
    /** A URL that no other feed has. */
    id: site.home + search,
    title: [site.title, typeName(type_id)].filter(Boolean).join(': '),
    author: site.name,
    home: site.home,
    /** The query string of its own address; may be empty. */
    search,
    /** The address of this feed in another format; undefined without `PUBLIC_URL`. */
    addressOf: (file: string) => site.served(`feeds/${file}${search}`),
    /** The last change of any item; 0 without items, since Atom requires a time. */
    updated: Math.max(0, ...items.map(({ updated }) => updated)),
    items,
  };
}

/** The name of the category, then the keywords, without duplicates. Editors separate them by Western or Chinese commas. */
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
