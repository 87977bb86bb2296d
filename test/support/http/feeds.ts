import { shopWith } from '../catalogs.ts';
import { readAtom, readJsonFeed, readRss } from './feed-rules.ts';

/** The address of news pages in tests of feeds. */
export const newsUrl = 'https://example.com/news/{id}';
/** The page of one. */
export const pageOf = (id: number) => `https://example.com/news/${id}`;

/** Each feed: its path, its content type, and what reads it by the rules of its format. */
export const feeds = [
  ['/feeds/news.atom', 'application/atom+xml; charset=utf-8', readAtom],
  ['/feeds/news.rss', 'application/rss+xml; charset=utf-8', readRss],
  ['/feeds/news.json', 'application/feed+json; charset=utf-8', readJsonFeed],
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
