import { domainToUnicode } from 'node:url';

/** The site on which people read the news; its addresses are absolute. */
export interface Site {
  /** Its host, as people write it. */
  name: string;
  /** Where the pages of the news are. */
  home: string;
  /** The page of a news item. */
  pageOf(id: number): string;
}

/** The site of the setting `newsUrl`, in which `{id}` stands for the id. */
export function siteOf(newsUrl: string): Site {
  const [before] = newsUrl.split('{id}');
  const home = new URL('.', before);
  return {
    name: domainToUnicode(home.hostname),
    home: home.href,
    pageOf: id => new URL(newsUrl.replace('{id}', String(id))).href,
  };
}
