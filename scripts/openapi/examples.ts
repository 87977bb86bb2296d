import type { Static } from '@sinclair/typebox';
import { success } from '../../src/answer/envelope.ts';
import type { NewsType } from '../../src/contract/columns.ts';
import type { Page } from '../../src/contract/envelope.ts';
import type {
  IncludingNewsItemSchema,
  NewsDetail,
  PriceRecord,
  ProductRecord,
  RecommendedConfiguration,
} from '../../src/contract/records.ts';
import type { JsonFeed } from '../../src/http/feeds/formats.ts';
import { health } from './health-example.ts';
import { historyExamples } from './history-examples.ts';
import { news } from './news-example.ts';
import { pageExamples } from './page-examples.ts';

/** The parameters of a request, and its response if that is JSON. */
export interface Example {
  parameters: Record<string, string | number | boolean | readonly (string | number)[]>;
  answer?: object;
}

/** By `operationId`. A test compares each with the response for the sample catalogs. */
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
  listProducts: {
    parameters: { page: 3, limit: 2 },
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
    parameters: { page: 1, limit: 2 },
    answer: success({
      list: [
        { id: 1, name: 'Announcements' },
        { id: 2, name: 'Maintenance' },
      ],
      pagination: { current_page: 1, total: 6 },
    } satisfies Page<NewsType>),
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
    } satisfies Page<Static<typeof IncludingNewsItemSchema>>),
  },
  readNews: {
    parameters: { id: 1 },
    answer: success({ ...news, img: 'data-centre-hall.webp', read: 101 } satisfies NewsDetail),
  },
  getImage: { parameters: { name: 'data-centre-hall.webp' } },
  getAtomFeed: { parameters: { type_id: 6 } },
  getRssFeed: { parameters: { type_id: 6 } },
  // Two of the items: one is plain text, the other HTML with an image.
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
    } satisfies JsonFeed,
  },
  ...pageExamples,
  ...historyExamples,
  getMetrics: { parameters: {} },
  isLive: { parameters: {}, answer: success({ status: 'live' }) },
  isReady: { parameters: {}, answer: success({ status: 'ready' }) },
  getHealth: { parameters: {}, answer: health },
};
