import type { Static } from '@sinclair/typebox';
import { success } from '../../src/answer/envelope.ts';
import type { Changes } from '../../src/contract/changes.ts';
import type { Page } from '../../src/contract/envelope.ts';
import type { Health } from '../../src/contract/health.ts';
import type {
  NewsDetail,
  NewsListItemSchema,
  NewsTypeRecord,
  PriceRecord,
  ProductRecord,
  RecommendedConfiguration,
} from '../../src/contract/records.ts';

/** The parameters of a request, and its response if that is JSON. */
export interface Example {
  parameters: Record<string, string | number | boolean | readonly (string | number)[]>;
  answer?: object;
}

/** The first news item of the sample, as far as all answers have the same of it. */
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
const repeated = { file: 'prices.csv', line: 249, column: 1, row: 249 };
const first = { file: 'prices.csv', line: 3, column: 1, row: 3 };

/** The health of the sample catalogs, whose prices.csv has decimal commas and then repeats its third line. */
const health = success({
  status: 'ok',
  reasons: [],
  catalogs: {
    version: '790948ef4deb',
    loaded: '2026-11-22T05:22:51Z',
    files: [
      { catalog: 'products', file: 'products.json', rows: 5, ...file },
      { catalog: 'configurations', file: 'configurations.csv', rows: 41, ...csv },
      { catalog: 'durations', file: 'durations.xlsx', sheet: 'durations', rows: 8, ...file },
      { catalog: 'prices', file: 'prices.csv', rows: 247, ...file, delimiter: ';', decimal: ',' },
      { catalog: 'news_types', file: 'news_types.json', rows: 6, ...file },
      { catalog: 'news', file: 'news.json', rows: 40, ...file },
      { catalog: 'news', file: 'news/*.md', rows: 4, ...file },
    ],
    reading: { csv_encoding: 'utf-8', csv_decimal: '.', time_zone: 'UTC', markdown_html: false },
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
        ...{ ...repeated, cell: 'A249', heading: 'id' },
        message: 'id 2 is already used at A3 in prices.csv: give each row its own id',
        also: { ...first, cell: 'A3', heading: 'id' },
      },
      {
        severity: 'error',
        code: 'DUPLICATE_PRICE',
        ...repeated,
        message:
          'product 1, configuration 1 and duration 4 already have a price at row 3 in prices.csv: delete one of the two',
        also: first,
      },
    ],
  },
  held: null,
  pinned: null,
  loading: null,
  reads: { store: 'file', unsaved: 0, last_flush: '2026-11-22T05:22:52Z' },
} satisfies Health);

/** A higher price. */
const changed: Changes = {
  list: [
    {
      catalog: 'prices',
      change: 'changed',
      key: { product_id: 1, rel_id: 1, duration_id: 4 },
      columns: [{ column: 'price', from: 19.9, to: 21.89, percent: 10 }],
      names: { product_id: 'Cloud Server', rel_id: 'Medium', duration_id: '1 month' },
    },
  ],
  pagination: { current_page: 1, total: 1 },
  from: '790948ef4deb',
  to: 'f3f38172b898',
  time: '2026-11-22T05:22:53Z',
  catalogs: [{ catalog: 'prices', added: 0, removed: 0, changed: 1, columns_added: [], columns_removed: [] }],
};

/** By `operationId`. A test compares each with the response for the sample catalogs. */
export const examples: Record<string, Example> = {
  listConfigurations: {
    parameters: { product_id: 1, page: 4, limit: 1, include_durations: true, include: ['extra'] },
    answer: success({
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
    } satisfies Page<RecommendedConfiguration>),
  },
  getPrice: {
    parameters: { product_id: 1, recommend_config_id: 1, duration_id: 4, include: ['extra'] },
    answer: success({
      id: 2,
      product_id: 1,
      rel_id: 1,
      duration_id: 4,
      price: 19.9,
      rel_type: 1,
    } satisfies PriceRecord),
  },
  listProducts: {
    parameters: { page: 3, limit: 2, include: ['extra'] },
    answer: success({
      list: [
        {
          id: 5,
          name: '香港云服务器',
          description:
            '部署于香港双可用区（hkg1、hkg2）的云服务器，采用本地 NVMe 存储与多线 BGP 网络，到内地主要城市的平均延迟低于 40 毫秒。可按小时计费，也可选择一个月至三年的固定期限，并提供中文工单支持。',
        },
      ],
      pagination: { current_page: 3, total: 5 },
    } satisfies Page<ProductRecord>),
  },
  listNewsTypes: {
    parameters: { page: 1, limit: 2, include: ['extra'] },
    answer: success({
      list: [
        { id: 1, name: 'Announcements' },
        { id: 2, name: 'Maintenance' },
      ],
      pagination: { current_page: 1, total: 6 },
    } satisfies Page<NewsTypeRecord>),
  },
  listNews: {
    parameters: {
      keyword: 'meridian opens',
      type_id: 1,
      ids: [1, 2, 3],
      since: '2024-11-01',
      until: '2024-11-30',
      sort: 'read',
      include: ['img', 'type_id'],
      around: 1,
      page: 1,
      limit: 20,
    },
    answer: success({
      list: [
        {
          ...news,
          img: 'data-centre-hall.webp',
          type_id: 1,
          read: 100,
          create_time: 1_730_710_800,
          update_time_formatted: '2024-11-04 09:00:00',
        },
      ],
      pagination: { current_page: 1, total: 1 },
    } satisfies Page<Static<typeof NewsListItemSchema>>),
  },
  readNews: {
    parameters: { id: 1, include: ['extra'] },
    answer: success({ ...news, img: 'data-centre-hall.webp', read: 101 } satisfies NewsDetail),
  },
  getImage: { parameters: { name: 'data-centre-hall.webp' } },
  getAtomFeed: { parameters: { type_id: 6 } },
  getRssFeed: { parameters: { type_id: 6 } },
  // One of the items.
  getJsonFeed: {
    parameters: { type_id: 6 },
    answer: {
      version: 'https://jsonfeed.org/version/1.1',
      title: 'News of www.example.com: 中文公告',
      home_page_url: 'https://www.example.com/news/',
      feed_url: 'https://www.example.com/shop/feeds/news.json?type_id=6',
      authors: [{ name: 'www.example.com', url: 'https://www.example.com/news/' }],
      items: [
        {
          id: 'https://www.example.com/news/7',
          url: 'https://www.example.com/news/7',
          title: '香港云服务器正式上线',
          content_html:
            '<p>继法兰克福与新加坡之后，我们的第三个区域香港（hkg1）今天开放，首款产品为<strong>香港云服务器</strong>。机房位于将军澳，双路市电供电，接入四家运营商，到内地主要城市的平均延迟低于 40 毫秒。</p><ul><li>六种配置：微型、轻量型、基础型、标准型、进阶型、企业型</li><li>可按小时计费，也可选择一个月至一年的固定期限</li><li>标准型（2 核 4 GB）每月 22.90 美元，按小时 0.0343 美元</li></ul><p>无需重新注册，使用现有账户即可下单。开通步骤请参阅<a href="https://docs.example.com/zh/hkg1">香港区域使用指南</a>，测速文件见 <a href="https://hkg1.speed.example.com/">hkg1.speed.example.com</a>。</p>',
          image: 'https://www.example.com/shop/images/hong-kong-harbour.webp',
          date_published: '2025-01-14T17:45:00Z',
          date_modified: '2025-01-14T17:45:00Z',
          tags: ['中文公告', '香港', '香港云服务器', '新区域', '上线'],
        },
      ],
    },
  },
  // Of these, a test changes the sample prices in this way.
  listChanges: {
    parameters: { page: 1, limit: 20 },
    answer: success(changed),
  },
  getMetrics: { parameters: {} },
  isLive: { parameters: {}, answer: success({ status: 'live' }) },
  isReady: { parameters: {}, answer: success({ status: 'ready' }) },
  getHealth: { parameters: {}, answer: health },
};
