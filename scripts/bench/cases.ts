import { combinationOf, nameOf, seededRandom, shuffled, type Text } from './catalog.ts';

/** How much a run measures; times in milliseconds. */
export const full = {
  /** How many news items, and as many prices, the catalogs of the requests have. All servers can serve them. */
  size: 10_000,
  /** How long the bench records answers of Vitrine for each case. */
  prepareMs: 3000,
  warmUpMs: 2000,
  rounds: 11,
  roundMs: 200,
  /** The catalogs of the other parts. */
  large: { news: 10_000, prices: 100_000 },
  starts: 15,
  largeStarts: 5,
  /** How long a server is idle before it is measured: V8 collects garbage after ten idle seconds. */
  idleMs: 20_000,
};
export type Plan = typeof full;

export const quick: Plan = {
  ...{ size: 1000, prepareMs: 100, warmUpMs: 300, rounds: 2, roundMs: 50 },
  ...{ large: { news: 1000, prices: 10_000 }, starts: 3, largeStarts: 1, idleMs: 300 },
};

/** The largest number of different requests of a case. */
const MAX_REQUESTS = 10_000;
/** Names from here on are in no news item of any catalog. */
const NO_ITEM = 150_000;

/** Different requests for the same thing, numbered from 0, which clients ask again and again. */
export interface Case {
  title: string;
  /** How many there are for a catalog of so many news items and prices. */
  count(size: number): number;
  path(index: number): string;
  /** The same request to json-server, if it can answer it. */
  peerPath?: (index: number) => string;
  /** The language of the news items; `ascii` by default. */
  text?: Text;
  /** Whether clients have the answers already, so that the server answers with 304. */
  isConditional?: boolean;
  /** What clients accept; a server that does not compress sends the content as it is. Undefined for nothing. */
  acceptEncoding?: string;
  isSearch?: boolean;
}

const NEWEST_FIRST = '_sort=create_time&_order=desc';
const price = {
  count: (size: number) => size,
  path(index: number) {
    const { product_id, rel_id, duration_id } = combinationOf(index + 1);
    const query = `product_id=${product_id}&recommend_config_id=${rel_id}&duration_id=${duration_id}`;
    return `/api/recommend-config/price?${query}`;
  },
  peerPath: (index: number) =>
    `/prices?${Object.entries(combinationOf(index + 1))
      .map(([column, id]) => `${column}=${id}`)
      .join('&')}`,
};
const newsPage = (limit: number) => ({
  count: (size: number) => Math.min(1000, size / limit),
  path: (index: number) => `/api/news?page=${index + 1}&limit=${limit}`,
  peerPath: (index: number) => `/news?_page=${index + 1}&_limit=${limit}&${NEWEST_FIRST}`,
});
const newsItem = {
  count: (size: number) => size,
  path: (index: number) => `/api/news/${index + 1}`,
  peerPath: (index: number) => `/news/${index + 1}`,
};
const keyword = (first: number, count: Case['count']) => ({
  isSearch: true,
  count,
  path: (index: number) => `/api/news?keyword=${nameOf('ascii', first + index)}&limit=10`,
  peerPath: (index: number) => `/news?q=${nameOf('ascii', first + index)}&_limit=10&${NEWEST_FIRST}`,
});

export const cases: Case[] = [
  { title: 'Price', ...price },
  {
    title: 'Configurations of a product, with durations',
    count: size => combinationOf(size).product_id,
    path: index => `/api/recommend-config?product_id=${index + 1}&include_durations=true&limit=20`,
    peerPath: index => `/configurations?product_id=${index + 1}&_embed=prices&_limit=20`,
  },
  { title: 'News, 10 a page', ...newsPage(10) },
  { title: 'News, 10 a page, Chinese', text: 'chinese', ...newsPage(10) },
  { title: 'News, 100 a page', ...newsPage(100) },
  { title: 'News, 100 a page, Chinese', text: 'chinese', ...newsPage(100) },
  { title: 'One news item', ...newsItem },
  { title: 'News, 10 a page, brotli', acceptEncoding: 'br', ...newsPage(10) },
  { title: 'News, 100 a page, brotli', acceptEncoding: 'br', ...newsPage(100) },
  { title: 'One news item, brotli', acceptEncoding: 'br', ...newsItem },
  { title: 'Price, not modified (304)', isConditional: true, ...price },
  { title: 'News, 10 a page, not modified (304)', isConditional: true, ...newsPage(10) },
  { title: 'Keyword in one news item', ...keyword(1, size => size) },
  {
    // Two words, each in many news items. json-server would look for both in one piece.
    title: 'Pages of one keyword in many news items',
    isSearch: true,
    count: size => Math.min(50, size / 100),
    path: index => `/api/news?keyword=generator+cooling&page=${index + 1}&limit=10`,
  },
  { title: 'Keyword in none', ...keyword(NO_ITEM, () => MAX_REQUESTS) },
];

/** The numbers of a case's requests, in random order. */
export function indicesOf({ count }: Case, size: number): number[] {
  return shuffled(Array.from({ length: count(size) }).keys(), seededRandom(1)).slice(0, MAX_REQUESTS);
}
