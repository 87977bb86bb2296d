export const LIST = '/api/recommend-config?product_id=1';
export const PRICE = '/api/recommend-config/price?product_id=1&recommend_config_id=11&duration_id=1';

/** Answers that shared caches keep with CACHE_MAX_AGE, and their tags. */
const kept: Record<string, string> = {
  '/api/products': 'products',
  [LIST]: 'configurations,product-1',
  [`${LIST}&include_durations=true&page=2`]: 'configurations,product-1',
  '/api/recommend-config?product_id=99': 'configurations,product-99',
  [PRICE]: 'prices,product-1',
  '/api/news-types': 'news-types',
  '/api/news': 'news,news-all',
  '/api/news?type_id=2': 'news,news-type-2',
  '/api/news?keyword=open&page=2': 'news,news-all',
  '/api/news?sort=read&include=img,type_id&limit=1': 'news,news-all',
  '/api/news?ids=1,2,3,4&since=2023-11-14': 'news,news-all',
  '/feeds/news.atom': 'feeds,news,news-all',
  '/feeds/news.rss?type_id=77': 'feeds,news,news-type-77',
  '/feeds/news.json?type_id=1': 'feeds,news,news-type-1',
  '/images/launch.png': 'images',
};
/** Other addresses, by whether pages of other sites may read their answers, and Cache-Control. */
const groups = [
  { isShared: true, control: 'no-cache', urls: '/changes /documentation/json /documentation/yaml?' },
  {
    isShared: true,
    control: 'no-store',
    urls: `/api/news/1 /api/news/99 /api/news/abc /api/news/ /api/news?limit=0 /api/nothing /images/none.png /feeds/news.json?type_id=x /preview/2035-01-01/api/news ${PRICE.replace('=11', '=99')}`,
  },
  {
    isShared: false,
    control: 'no-cache',
    urls: '/overview /overview/rows?catalog=prices /overview/rows?catalog=news&keyword=text&limit=2 /overview/prices?product_id=1 / /page/main.js /favicon.ico /documentation /documentation/ /docs /robots.txt',
  },
  {
    isShared: false,
    control: 'no-store',
    urls: '/health /health/live /health/ready /metrics /history /documentation/x /api /apia /nowhere /nowhere/api/news /preview/2035-01-01/overview',
  },
];
/** Addresses of the shop with its image, and what holds of their answers. */
export const addresses = [
  ...Object.entries(kept).map(([url, tags]) => ({ url, tags, isShared: true, control: 'no-cache' })),
  ...groups.flatMap(({ isShared, control, urls }) =>
    urls.split(' ').map(url => ({ url, tags: undefined, isShared, control })),
  ),
];

/** Each feed: its path and its content type. */
export const feeds = [
  ['/feeds/news.atom', 'application/atom+xml; charset=utf-8'],
  ['/feeds/news.rss', 'application/rss+xml; charset=utf-8'],
  ['/feeds/news.json', 'application/feed+json; charset=utf-8'],
] as const;
