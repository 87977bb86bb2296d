import { domainToUnicode } from 'node:url';
import type { Settings } from '../../settings/settings.ts';

/** The settings of the site. */
export type SiteSettings = Pick<Settings, 'newsUrl' | 'publicUrl' | 'feedTitle'>;

/** The website that shows the news. Its addresses are absolute. */
export interface Site {
  /** Its host name, in Unicode. */
  name: string;
  /** The title of its feeds. */
  title: string;
  /** The folder of the news pages. */
  home: string;
  /** The page of a news item. */
  pageOf(id: number): string;
  /** The public address of a path of the service; undefined without `PUBLIC_URL`. */
  served(path: string): string | undefined;
}

/** The site of these settings. `{id}` in `newsUrl` stands for the id of a news item. */
export function siteOf({ newsUrl, publicUrl, feedTitle }: SiteSettings): Site {
  const [before] = newsUrl.split('{id}');
  const home = new URL('.', before);
  const name = domainToUnicode(home.hostname);
  return {
    name,
    title: withoutForbidden(feedTitle) || `News of ${name}`,
    home: home.href,
    pageOf: id => new URL(newsUrl.replace('{id}', String(id))).href,
    served: path => (publicUrl === '' ? undefined : `${publicUrl}/${path}`),
  };
}

/** Well-formed markup: its texts are escaped. */
interface Markup {
  markup: string;
}

type Hole = string | Markup | readonly Markup[] | undefined;

/** A template for markup. It escapes strings, inserts markup unchanged, and leaves out undefined. */
export function xml(strings: TemplateStringsArray, ...holes: readonly Hole[]): Markup {
  return { markup: String.raw({ raw: strings }, ...holes.map(fill)) };
}

function fill(hole: Hole): string {
  if (hole === undefined) return '';
  if (typeof hole === 'string') return escapeText(hole);
  return [hole]
    .flat()
    .map(({ markup }) => markup)
    .join('');
}

/**
 * Escapes a text for XML or HTML. It uses numeric references, which most readers handle best in RSS titles (RSS Best
 * Practices Profile, "Character Data").
 */
export function escapeText(text: string): string {
  return text.replace(/[&<>"]/g, sign => `&#x${sign.charCodeAt(0).toString(16).toUpperCase()};`);
}

/** Removes the characters that XML forbids even as references (XML 1.0, section 2.2). */
export function withoutForbidden(text: string): string {
  return text.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '');
}
