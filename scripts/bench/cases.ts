import { combinationOf, nameOf, type Text } from './catalog.ts';

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
  /** Whether clients accept brotli; a server that does not compress sends the content as it is. */
  acceptsBrotli?: boolean;
  /** Whether files cannot answer it. */
  isDynamic?: boolean;
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
  count: (size: number) => size / limit,
  path: (index: number) => `/api/news?page=${index + 1}&limit=${limit}`,
  peerPath: (index: number) => `/news?_page=${index + 1}&_limit=${limit}&${NEWEST_FIRST}`,
});
const newsItem = {
  count: (size: number) => size,
  path: (index: number) => `/api/news/${index + 1}`,
  peerPath: (index: number) => `/news/${index + 1}`,
};
const keyword = (first: number) => ({
  isDynamic: true,
  count: (size: number) => size,
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
  { title: 'News, 100 a page', ...newsPage(100) },
  { title: 'One news item', ...newsItem },
  {
    // Half of the requests read an item of each page, so that the counts have changed whenever the page is asked for again.
    title: 'News, 10 a page, with reads in between',
    isDynamic: true,
    count: size => (2 * size) / 10,
    path: index => (index % 2 === 0 ? newsPage(10).path(index / 2) : newsItem.path((index - 1) * 5)),
  },
  { title: 'News, 10 a page, brotli', acceptsBrotli: true, ...newsPage(10) },
  { title: 'News, 100 a page, brotli', acceptsBrotli: true, ...newsPage(100) },
  { title: 'One news item, brotli', acceptsBrotli: true, ...newsItem },
  { title: 'Price, not modified (304)', isConditional: true, ...price },
  { title: 'News, 10 a page, not modified (304)', isConditional: true, ...newsPage(10) },
  { title: 'Keyword in one news item', ...keyword(1) },
  {
    // Two words, each in many news items. json-server would look for both in one piece.
    title: 'Pages of one keyword in many news items',
    isDynamic: true,
    count: size => Math.min(50, size / 100),
    path: index => `/api/news?keyword=generator+cooling&page=${index + 1}&limit=10`,
  },
  { title: 'Keyword in none', ...keyword(NO_ITEM) },
  { title: 'News, 10 a page, Chinese', text: 'chinese', ...newsPage(10) },
  { title: 'News, 100 a page, Chinese', text: 'chinese', ...newsPage(100) },
];
