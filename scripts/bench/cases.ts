import { combinationOf, countsFor } from './catalog/prices.ts';
import { seededRandom, shuffled } from './catalog/random.ts';
import { nameOf, type Text } from './catalog/words.ts';

/** The largest number of different requests of a case. */
const MAX_REQUESTS = 10_000;
/** Names from here on are in no news item of any catalog. */
const NO_ITEM = 150_000;
const SEED = 1;

/** Different requests for the same thing, numbered from 0. */
interface Question {
  /** How many there are for a catalog of so many news items and prices. */
  count(size: number): number;
  path(index: number): string;
  /** The same request to json-server, if it can answer it. */
  peerPath?: (index: number) => string;
}

/** What clients request from a server again and again. */
export interface Case extends Question {
  /** On the command line. */
  name: string;
  /** In the results. */
  title: string;
  text: Text;
  /** Whether clients have the answers already, so that the server answers with 304. */
  isConditional: boolean;
  /** What clients accept; a server that does not compress sends the content as it is. Undefined for nothing. */
  acceptEncoding?: string;
}

const NEWEST_FIRST = '_sort=create_time&_order=desc';
export const price: Question = {
  count: size => size,
  path(index) {
    const { product_id, rel_id, duration_id } = combinationOf(index + 1);
    const query = `product_id=${product_id}&recommend_config_id=${rel_id}&duration_id=${duration_id}`;
    return `/api/recommend-config/price?${query}`;
  },
  peerPath: index =>
    `/prices?${Object.entries(combinationOf(index + 1))
      .map(([column, id]) => `${column}=${id}`)
      .join('&')}`,
};
const configurations: Question = {
  count: size => countsFor(size).products,
  path: index => `/api/recommend-config?product_id=${index + 1}&include_durations=true&limit=20`,
  peerPath: index => `/configurations?product_id=${index + 1}&_embed=prices&_limit=20`,
};
export const newsPage = (limit: number): Question => ({
  count: size => Math.min(1000, size / limit),
  path: index => `/api/news?page=${index + 1}&limit=${limit}`,
  peerPath: index => `/news?_page=${index + 1}&_limit=${limit}&${NEWEST_FIRST}`,
});
export const newsItem: Question = {
  count: size => size,
  path: index => `/api/news/${index + 1}`,
  peerPath: index => `/news/${index + 1}`,
};
const keyword = (first: number, count: Question['count']): Question => ({
  count,
  path: index => `/api/news?keyword=${nameOf('ascii', first + index)}&limit=10`,
  peerPath: index => `/news?q=${nameOf('ascii', first + index)}&_limit=10&${NEWEST_FIRST}`,
});
/** Two words, each in many news items. json-server would look for both in one piece. */
const repeatedKeyword: Question = {
  count: size => Math.min(50, size / 100),
  path: index => `/api/news?keyword=generator+cooling&page=${index + 1}&limit=10`,
};

const plain = { text: 'ascii', isConditional: false } as const;
const chinese = { text: 'chinese', isConditional: false } as const;
const brotli = { ...plain, acceptEncoding: 'br' } as const;
const conditional = { text: 'ascii', isConditional: true } as const;

export const cases: Case[] = [
  { name: 'price', title: 'Price', ...plain, ...price },
  {
    name: 'configurations',
    title: 'Configurations of a product, with durations',
    ...plain,
    ...configurations,
  },
  { name: 'news-10', title: 'News, 10 a page', ...plain, ...newsPage(10) },
  { name: 'news-10-chinese', title: 'News, 10 a page, Chinese', ...chinese, ...newsPage(10) },
  { name: 'news-100', title: 'News, 100 a page', ...plain, ...newsPage(100) },
  { name: 'news-100-chinese', title: 'News, 100 a page, Chinese', ...chinese, ...newsPage(100) },
  { name: 'news-item', title: 'One news item', ...plain, ...newsItem },
  { name: 'news-10-br', title: 'News, 10 a page, brotli', ...brotli, ...newsPage(10) },
  { name: 'news-100-br', title: 'News, 100 a page, brotli', ...brotli, ...newsPage(100) },
  { name: 'news-item-br', title: 'One news item, brotli', ...brotli, ...newsItem },
  { name: 'price-304', title: 'Price, not modified (304)', ...conditional, ...price },
  { name: 'news-10-304', title: 'News, 10 a page, not modified (304)', ...conditional, ...newsPage(10) },
  { name: 'keyword-found', title: 'Keyword in one news item', ...plain, ...keyword(1, size => size) },
  {
    name: 'keyword-repeated',
    title: 'Pages of one keyword in many news items',
    ...plain,
    ...repeatedKeyword,
  },
  { name: 'keyword-not-found', title: 'Keyword in none', ...plain, ...keyword(NO_ITEM, () => MAX_REQUESTS) },
];

/** The numbers of a case's requests, in random order. */
export function indicesOf({ count }: Case, size: number): number[] {
  return shuffled(Array.from({ length: count(size) }).keys(), seededRandom(SEED)).slice(0, MAX_REQUESTS);
}
