import { shopWith } from '../support/catalogs.ts';

/** The address of news pages in tests of feeds. */
export const newsUrl = 'https://example.com/news/{id}';

/** Each feed: its path and its content type. */
export const feeds = [
  ['/feeds/news.atom', 'application/atom+xml; charset=utf-8'],
  ['/feeds/news.rss', 'application/rss+xml; charset=utf-8'],
  ['/feeds/news.json', 'application/feed+json; charset=utf-8'],
] as const;

/** One news item after the other, with these columns. */
export const newsOf = (...rows: object[]) =>
  shopWith({
    'news.json': rows.map((row, index) => ({
      id: index + 1,
      title: 'A',
      content: 'B',
      create_time: 1_700_001_000 - index,
      ...row,
    })),
  });
