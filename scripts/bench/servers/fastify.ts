// The same endpoints as you write them with Fastify in an afternoon: rows in Maps, schemas of queries and answers, and
// a keyword search that scans all news items.
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { Omit, Pick } from '@sinclair/typebox/type';
import Fastify from 'fastify';
import { success } from '../../../src/answer/envelope.ts';
import { Envelope, PageSchema } from '../../../src/contract/envelope.ts';
import {
  ConfigurationsQuery,
  NewsDetailQuery,
  NewsQuery,
  newsIncludes,
  PriceQuery,
} from '../../../src/contract/queries.ts';
import {
  NewsDetailSchema,
  NewsListItemSchema,
  PriceRecordSchema,
  RecommendedConfigurationSchema,
} from '../../../src/contract/records.ts';
import type { Rows } from '../catalog.ts';
import { logListening, readPrepared } from './prepared.mjs';

const rows: Rows = readPrepared();
const durations = new Map(rows.durations.map(row => [row.id, row]));
const prices = new Map(rows.prices.map(row => [`${row.product_id} ${row.rel_id} ${row.duration_id}`, row]));
const pricesOf = groupBy(rows.prices, row => row.rel_id);
const configurationsOf = groupBy(rows.configurations, row => row.product_id);
const news = rows.news.sort((one, other) => other.create_time - one.create_time || other.id - one.id);
const newsById = new Map(news.map(row => [row.id, row]));
const searchTexts = new Map(
  news.map(row => [row, `${row.title}\n${row.keywords}\n${row.content}`.toLowerCase()]),
);

const app = Fastify().withTypeProvider<TypeBoxTypeProvider>();

app.get(
  '/api/recommend-config/price',
  { schema: { querystring: PriceQuery, response: { 200: Envelope(PriceRecordSchema) } } },
  ({ query }, reply) => {
    const row = prices.get(`${query.product_id} ${query.recommend_config_id} ${query.duration_id}`);
    return row ? success({ ...row, rel_type: 1 }) : reply.callNotFound();
  },
);

const configurationPage = Envelope(PageSchema(RecommendedConfigurationSchema));
app.get(
  '/api/recommend-config',
  { schema: { querystring: ConfigurationsQuery, response: { 200: configurationPage } } },
  ({ query }) => {
    const { list, pagination } = pageOf(configurationsOf.get(query.product_id) ?? [], query);
    if (!query.include_durations) return success({ list, pagination });
    return success({ list: list.map(row => ({ ...row, durations: durationsOf(row.id) })), pagination });
  },
);

const newsQuery = Pick(NewsQuery, ['page', 'limit', 'keyword']);
const newsPage = Envelope(PageSchema(Omit(NewsListItemSchema, newsIncludes)));
app.get('/api/news', { schema: { querystring: newsQuery, response: { 200: newsPage } } }, ({ query }) => {
  const terms = query.keyword?.toLowerCase().split(' ');
  const found = terms ? news.filter(row => terms.every(term => searchTexts.get(row)?.includes(term))) : news;
  const { list, pagination } = pageOf(found, query);
  return success({ list: list.map(withTimes), pagination });
});

app.get(
  '/api/news/:id',
  { schema: { params: NewsDetailQuery, response: { 200: Envelope(NewsDetailSchema) } } },
  ({ params }, reply) => {
    const row = newsById.get(params.id);
    if (!row) return reply.callNotFound();
    row.read += 1;
    return success({ ...withTimes(row), img: '' });
  },
);

await app.listen({ port: 0, host: '127.0.0.1' });
logListening(app.server);

function pageOf<Row>(all: Row[], { page, limit }: { page: number; limit: number }) {
  const start = (page - 1) * limit;
  return { list: all.slice(start, start + limit), pagination: { current_page: page, total: all.length } };
}

function durationsOf(configurationId: number) {
  const found = pricesOf.get(configurationId) ?? [];
  return found.map(({ duration_id, price }) => ({ duration_id, ...durations.get(duration_id), price }));
}

function withTimes(row: Rows['news'][number]) {
  return {
    ...row,
    create_time_formatted: formatted(row.create_time),
    update_time_formatted: formatted(row.update_time || row.create_time),
  };
}

function formatted(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ');
}

function groupBy<Row>(all: Row[], keyOf: (row: Row) => number): Map<number, Row[]> {
  const groups = new Map<number, Row[]>();
  for (const row of all) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row]);
  return groups;
}
