import type {
  NewsDetail,
  NewsListItem,
  PriceRecord,
  RecommendedConfiguration,
} from '../../catalog/records.ts';
import type { Page } from '../../query/paging.ts';
import type { Health } from '../health-schema.ts';

/** A request, by the values of its parameters, and what is in the envelope of its answer where it has one. */
export interface Example {
  parameters: Record<string, string | number | boolean>;
  data?: object;
}

const news = {
  id: 1,
  title: 'Meridian Cloud opens in Frankfurt and Singapore',
  content:
    '<p>Meridian Cloud is open to everyone from today. Our first product, <strong>Cloud Server</strong>, can be ordered in two regions: Frankfurt (fra1) and Singapore (sin1). Prices are public and the same for everybody: see <a href="https://www.example.com/prices">www.example.com/prices</a>.</p>',
  keywords: 'launch, cloud server, frankfurt, singapore, regions',
  create_time_formatted: '2024-11-04 09:00:00',
};
const file = { encoding: 'utf-8' };
const csv = { ...file, delimiter: ',' };

/** By `operationId`: each is true of the sample catalogs, which a test sees to. */
export const examples: Record<string, Example> = {
  listConfigurations: {
    parameters: { product_id: 1, page: 4, limit: 1, include_durations: true },
    data: {
      list: [
        {
          id: 1,
          product_id: 1,
          name: 'Medium',
          cpu: 2,
          memory: 4096,
          durations: [
            { duration_id: 1, name: '1 hour', num: 1, unit: 'hour', price: 0.0298 },
            { duration_id: 4, name: '1 month', num: 1, unit: 'month', price: 19.9 },
            { duration_id: 5, name: '3 months', num: 3, unit: 'month', price: 57.31 },
            { duration_id: 6, name: '6 months', num: 6, unit: 'month', price: 109.85 },
            { duration_id: 7, name: '1 year', num: 1, unit: 'year', price: 202.98 },
            { duration_id: 8, name: '3 years', num: 3, unit: 'year', price: 501.48 },
          ],
        },
      ],
      pagination: { current_page: 4, total: 10 },
    } satisfies Page<RecommendedConfiguration>,
  },
  getPrice: {
    parameters: { product_id: 1, recommend_config_id: 1, duration_id: 4 },
    data: { id: 2, product_id: 1, rel_id: 1, duration_id: 4, price: 19.9, rel_type: 1 } satisfies PriceRecord,
  },
  listNews: {
    parameters: { keyword: 'meridian opens', type_id: 1, page: 1, limit: 20 },
    data: {
      list: [
        {
          ...news,
          read: 100,
          create_time: 1_730_710_800,
          update_time_formatted: '2024-11-04 09:00:00',
        },
      ],
      pagination: { current_page: 1, total: 1 },
    } satisfies Page<NewsListItem>,
  },
  readNews: {
    parameters: { id: 1 },
    data: { ...news, img: 'data-centre-hall.webp', read: 101 } satisfies NewsDetail,
  },
  getImage: { parameters: { name: 'data-centre-hall.webp' } },
  isLive: { parameters: {}, data: { status: 'live' } },
  isReady: { parameters: {}, data: { status: 'ready' } },
  // The third line of the prices was pasted at their end.
  getHealth: {
    parameters: {},
    data: {
      status: 'ok',
      reasons: [],
      catalogs: {
        version: '44b9da51fd4d',
        loaded: '2026-11-22T05:22:51Z',
        files: [
          { catalog: 'products', file: 'products.json', rows: 5, ...file },
          { catalog: 'configurations', file: 'configurations.csv', rows: 41, ...csv },
          { catalog: 'durations', file: 'durations.json', rows: 8, ...file },
          { catalog: 'prices', file: 'prices.csv', rows: 247, ...csv },
          { catalog: 'news_types', file: 'news_types.json', rows: 6, ...file },
          { catalog: 'news', file: 'news.json', rows: 44, ...file },
        ],
      },
      last_attempt: {
        outcome: 'pending',
        time: '2026-11-22T05:22:53Z',
        errors: 2,
        warnings: 0,
        problems: [
          {
            severity: 'error',
            code: 'DUPLICATE_ID',
            file: 'prices.csv',
            line: 249,
            column: 1,
            message: 'id 2 stands already at prices.csv:3:1: give each row its own',
            also: { file: 'prices.csv', line: 3, column: 1 },
          },
          {
            severity: 'error',
            code: 'DUPLICATE_PRICE',
            file: 'prices.csv',
            line: 249,
            column: 1,
            message:
              'product 1, configuration 1 and duration 4 have a price already at prices.csv:3:1: delete one of the two',
            also: { file: 'prices.csv', line: 3, column: 1 },
          },
        ],
      },
      reads: { store: 'file', unsaved: 0, last_flush: '2026-11-22T05:22:52Z' },
    } satisfies Health,
  },
};
