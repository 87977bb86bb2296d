import { domainToUnicode } from 'node:url';
import type { Settings } from '../../settings/settings.ts';
import { withoutForbidden } from './xml.ts';

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
