import { success } from '../../src/answer/envelope.ts';
import type { Page } from '../../src/contract/envelope.ts';
import type {
  Calendar,
  CatalogRowsPage,
  NewsArticle,
  NewsCard,
  Overview,
  PriceMatrix,
} from '../../src/contract/page.ts';
import { packageVersion } from '../../src/package-version.ts';
import { paragraphsOf } from '../../src/snapshot/html-text.ts';
import type { Example } from './examples.ts';
import { news } from './news-example.ts';

const { content, ...others } = news;
const card = { ...others, paragraphs: paragraphsOf(content) };

/** Of what the page asks for, by `operationId`. */
export const pageExamples: Record<string, Example> = {
  // Some of the products, categories and news items.
  getOverview: {
    parameters: {},
    answer: success({
      version: packageVersion(),
      products: [
        {
          id: 1,
          name: 'Cloud Server',
          description:
            'Virtual servers on shared hosts with local NVMe storage, billed by the hour or for a fixed term. Ready about forty seconds after the order in Frankfurt, Singapore, Montreal and Seville, with private networks, snapshots and a firewall included.',
          configurations: 10,
        },
      ],
      news_types: [
        { id: 1, name: 'Announcements', news: 9 },
        { id: 2, name: 'Maintenance', news: 5 },
      ],
      news: 42,
      most_read: [
        { id: 14, title: 'GPU Server: accelerators by the hour', read: 9870 },
        { id: 29, title: 'Larger accelerators: G48 and G80', read: 8214 },
      ],
      feeds: ['feeds/news.atom', 'feeds/news.rss', 'feeds/news.json'],
    } satisfies Overview),
  },
  listNewsCards: {
    parameters: { keyword: 'meridian opens', type_id: 1, page: 1, limit: 20 },
    answer: success({
      list: [{ type_id: 1, ...card, img: 'data-centre-hall.webp', read: 100 }],
      pagination: { current_page: 1, total: 1 },
    } satisfies Page<NewsCard>),
  },
  getNewsArticle: {
    parameters: { id: 1 },
    answer: success({
      ...{ ...news, type_id: 1, img: 'data-centre-hall.webp', read: 100, html: true },
    } satisfies NewsArticle),
  },
  getCalendar: {
    parameters: {},
    answer: success({ list: [] } satisfies Calendar),
  },
  getPriceMatrix: {
    parameters: { product_id: 3, keyword: 'business ha', page: 1, limit: 1 },
    answer: success({
      list: [
        {
          ...{ id: 24, name: 'Business L HA', cpu: 4, memory: 16384 },
          prices: [null, ...[186, 535.68, 1026.72, 1897.2, 4821.12].map(price => ({ price }))],
        },
      ],
      pagination: { current_page: 1, total: 2 },
      durations: [
        { duration_id: 1, name: '1 hour', num: 1, unit: 'hour' },
        { duration_id: 4, name: '1 month', num: 1, unit: 'month' },
        { duration_id: 5, name: '3 months', num: 3, unit: 'month' },
        { duration_id: 6, name: '6 months', num: 6, unit: 'month' },
        { duration_id: 7, name: '1 year', num: 1, unit: 'year' },
        { duration_id: 8, name: '3 years', num: 3, unit: 'year' },
      ],
    } satisfies PriceMatrix),
  },
  // A test changes the sample prices in this way.
  listRows: {
    parameters: {
      ...{ catalog: 'prices', keyword: 'medium month', only: 'changed' },
      ...{ page: 1, limit: 20 },
    },
    answer: success({
      list: [
        {
          row: { id: 2, product_id: 1, rel_id: 1, duration_id: 4, price: 21.89, rel_type: 1 },
          names: { product_id: 'Cloud Server', rel_id: 'Medium', duration_id: '1 month' },
          place: { file: 'prices.csv', row: 3 },
          change: 'changed',
          was: { price: 19.9 },
        },
      ],
      pagination: { current_page: 1, total: 1 },
      columns: ['id', 'product_id', 'rel_id', 'duration_id', 'price', 'rel_type'],
    } satisfies CatalogRowsPage),
  },
};
