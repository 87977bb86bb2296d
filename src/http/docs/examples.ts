import type {
  NewsDetail,
  NewsListItem,
  PriceRecord,
  RecommendedConfiguration,
} from '../../catalog/records.ts';
import { packageVersion } from '../../package-version.ts';
import type { Page } from '../../query/paging.ts';
import { success } from '../envelope.ts';
import type { JsonFeed } from '../feeds/json-feed.ts';
import type { Health } from '../health-schema.ts';
import type { NewsCard, Overview } from '../overview-schema.ts';

/** A request, by the values of its parameters, and its answer where that is JSON. */
export interface Example {
  parameters: Record<string, string | number | boolean>;
  answer?: object;
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
    parameters: { product_id: 1, recommend_config_id: 1, duration_id: 4 },
    answer: success({
      id: 2,
      product_id: 1,
      rel_id: 1,
      duration_id: 4,
      price: 19.9,
      rel_type: 1,
    } satisfies PriceRecord),
  },
  listNews: {
    parameters: { keyword: 'meridian opens', type_id: 1, page: 1, limit: 20 },
    answer: success({
      list: [
        {
          ...news,
          read: 100,
          create_time: 1_730_710_800,
          update_time_formatted: '2024-11-04 09:00:00',
        },
      ],
      pagination: { current_page: 1, total: 1 },
    } satisfies Page<NewsListItem>),
  },
  readNews: {
    parameters: { id: 1 },
    answer: success({ ...news, img: 'data-centre-hall.webp', read: 101 } satisfies NewsDetail),
  },
  getImage: { parameters: { name: 'data-centre-hall.webp' } },
  getAtomFeed: { parameters: { type_id: 6 } },
  getRssFeed: { parameters: { type_id: 6 } },
  // Two of its items: one is HTML, the other plain text.
  getJsonFeed: {
    parameters: { type_id: 6 },
    answer: {
      version: 'https://jsonfeed.org/version/1.1',
      title: 'News of www.example.com: 中文公告',
      home_page_url: 'https://www.example.com/news/',
      authors: [{ name: 'www.example.com', url: 'https://www.example.com/news/' }],
      items: [
        {
          id: 'https://www.example.com/news/44',
          url: 'https://www.example.com/news/44',
          title: '香港双可用区 IPv6 双栈全面开放',
          content_html:
            '<p>经过三个月的公开测试，香港 hkg1 与 hkg2 两个可用区今日起全面支持 <strong>IPv6 双栈</strong>。每台香港云服务器可免费获得一个 /64 地址段，流量与 IPv4 合并计入同一流量池。</p><ul><li>新购服务器默认同时分配 IPv4 与 IPv6 地址</li><li>现有服务器可在控制台“网络”页面一键开启，无须重启</li><li>防火墙规则、浮动 IP 与私有网络均已支持 IPv6</li></ul><p>开启前请检查防火墙规则是否覆盖 IPv6，以免端口意外暴露。配置示例见<a href="https://docs.example.com/zh/ipv6">IPv6 使用指南</a>。</p>',
          date_published: '2026-11-15T02:00:00Z',
          date_modified: '2026-11-15T02:00:00Z',
          tags: ['中文公告', '香港', 'IPv6', '双栈', '网络'],
        },
        {
          id: 'https://www.example.com/news/39',
          url: 'https://www.example.com/news/39',
          title: '香港云服务器新增旗舰型与内存型配置',
          content_html:
            '<p>应客户要求，香港云服务器新增两种配置，hkg1 与 hkg2 均可选购：</p><p>旗舰型：16 核 32 GB，每月 171.50 美元，适合高并发网站与大型应用；内存型：4 核 32 GB，每月 96.80 美元，适合缓存、搜索与内存数据库。两种配置都支持按小时计费，也可选择一个月、三个月、六个月、一年和三年期限。</p><p>现有服务器可以在控制台直接升级，重启后生效，费用按剩余天数补差价，IP 地址与磁盘数据保持不变。至此，香港云服务器共有八种配置，覆盖从个人站点到企业核心系统的各类需求。</p>',
          content_text:
            '应客户要求，香港云服务器新增两种配置，hkg1 与 hkg2 均可选购：\n\n旗舰型：16 核 32 GB，每月 171.50 美元，适合高并发网站与大型应用；内存型：4 核 32 GB，每月 96.80 美元，适合缓存、搜索与内存数据库。两种配置都支持按小时计费，也可选择一个月、三个月、六个月、一年和三年期限。\n\n现有服务器可以在控制台直接升级，重启后生效，费用按剩余天数补差价，IP 地址与磁盘数据保持不变。至此，香港云服务器共有八种配置，覆盖从个人站点到企业核心系统的各类需求。',
          date_published: '2026-08-18T10:00:00Z',
          date_modified: '2026-08-18T10:00:00Z',
          tags: ['中文公告', '香港云服务器', '新配置', '旗舰型', '内存型'],
        },
      ],
    } satisfies JsonFeed,
  },
  // Some of its products, categories and news.
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
      list: [{ type_id: 1, ...news, img: 'data-centre-hall.webp', read: 100 }],
      pagination: { current_page: 1, total: 1 },
    } satisfies Page<NewsCard>),
  },
  getMetrics: { parameters: {} },
  isLive: { parameters: {}, answer: success({ status: 'live' }) },
  isReady: { parameters: {}, answer: success({ status: 'ready' }) },
  // The third line of the prices was pasted at their end.
  getHealth: {
    parameters: {},
    answer: success({
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
    } satisfies Health),
  },
};
