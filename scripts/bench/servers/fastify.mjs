// The same endpoints as you write them with Fastify in an afternoon: rows in Maps, schemas of queries and answers, and
// a keyword search that scans all news items.
import Fastify from 'fastify';
import * as answers from './fastify-schemas.mjs';
import { logListening } from './listening.mjs';
import { readRows } from './rows.mjs';

/**
 * @typedef {{ id: number, product_id: number, rel_id: number, duration_id: number, price: number }} Price
 * @typedef {{ id: number, type_id: number, title: string, content: string, keywords: string, read: number,
 *   create_time: number, update_time: number }} News
 * @typedef {{ page: number, limit: number }} Paging
 */

/** @type {{ id: number }[]} */
const durationRows = readRows('durations');
const durations = new Map(durationRows.map(row => [row.id, row]));
/** @type {Price[]} */
const priceRows = readRows('prices');
const prices = new Map(priceRows.map(row => [`${row.product_id} ${row.rel_id} ${row.duration_id}`, row]));
const pricesOf = groupBy(priceRows, row => row.rel_id);
/** @type {{ id: number, product_id: number }[]} */
const configurations = readRows('configurations');
const configurationsOf = groupBy(configurations, row => row.product_id);
/** @type {News[]} */
const news = readRows('news');
news.sort((one, other) => other.create_time - one.create_time || other.id - one.id);
const newsById = new Map(news.map(row => [row.id, row]));
const searchTexts = new Map(
  news.map(row => [row, `${row.title}\n${row.keywords}\n${row.content}`.toLowerCase()]),
);

const id = { type: 'integer', minimum: 1 };
const paging = {
  page: { type: 'integer', minimum: 1, default: 1 },
  limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
};
/** @type {(properties: object, required?: string[]) => object} */
const object = (properties, required = []) => ({ type: 'object', properties, required });

const app = Fastify();

const priceQuery = { product_id: id, recommend_config_id: id, duration_id: id };
app.get(
  '/api/recommend-config/price',
  { schema: { querystring: object(priceQuery, Object.keys(priceQuery)), response: answers.price } },
  (request, reply) => {
    const query = /** @type {Record<keyof typeof priceQuery, number>} */ (request.query);
    const row = prices.get(`${query.product_id} ${query.recommend_config_id} ${query.duration_id}`);
    return row ? success({ ...row, rel_type: 1 }) : notFound(reply);
  },
);

const listQuery = { product_id: id, ...paging, include_durations: { type: 'boolean', default: false } };
app.get(
  '/api/recommend-config',
  { schema: { querystring: object(listQuery, ['product_id']), response: answers.configurations } },
  request => {
    const query = /** @type {Paging & { product_id: number, include_durations: boolean }} */ (request.query);
    const { list, pagination } = pageOf(configurationsOf.get(query.product_id) ?? [], query);
    if (!query.include_durations) return success({ list, pagination });
    return success({ list: list.map(row => ({ ...row, durations: durationsOf(row.id) })), pagination });
  },
);

const newsQuery = { ...paging, keyword: { type: 'string', maxLength: 64 }, type_id: id };
app.get('/api/news', { schema: { querystring: object(newsQuery), response: answers.newsList } }, request => {
  const query = /** @type {Paging & { keyword?: string, type_id?: number }} */ (request.query);
  const keyword = query.keyword?.toLowerCase();
  const matches = (/** @type {News} */ row) =>
    (query.type_id === undefined || row.type_id === query.type_id) &&
    (keyword === undefined || searchTexts.get(row)?.includes(keyword));
  const isFiltered = query.type_id !== undefined || keyword !== undefined;
  const { list, pagination } = pageOf(isFiltered ? news.filter(matches) : news, query);
  return success({ list: list.map(withTimes), pagination });
});

app.get(
  '/api/news/:id',
  { schema: { params: object({ id }), response: answers.newsItem } },
  (request, reply) => {
    const params = /** @type {{ id: number }} */ (request.params);
    const row = newsById.get(params.id);
    if (!row) return notFound(reply);
    row.read += 1;
    return success({ ...withTimes(row), img: '' });
  },
);

await app.listen({ port: 0, host: '127.0.0.1' });
logListening(app.server);

/** @param {object} data */
function success(data) {
  return { success: true, code: 200, message: 'query succeeded', data };
}

/** @param {import('fastify').FastifyReply} reply */
function notFound(reply) {
  return reply.code(404).send({ success: false, code: 404, message: 'not found', data: {} });
}

/** @type {<Row>(rows: Row[], paging: Paging) => { list: Row[], pagination: object }} */
function pageOf(rows, { page, limit }) {
  const start = (page - 1) * limit;
  return { list: rows.slice(start, start + limit), pagination: { current_page: page, total: rows.length } };
}

/** @param {number} configurationId */
function durationsOf(configurationId) {
  const rows = pricesOf.get(configurationId) ?? [];
  return rows.map(({ duration_id, price }) => ({ duration_id, ...durations.get(duration_id), price }));
}

/** @param {News} row */
function withTimes(row) {
  return {
    ...row,
    create_time_formatted: formatted(row.create_time),
    update_time_formatted: formatted(row.update_time || row.create_time),
  };
}

/** @param {number} seconds */
function formatted(seconds) {
  return new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ');
}

/** @type {<Row>(rows: Row[], keyOf: (row: Row) => number) => Map<number, Row[]>} */
function groupBy(rows, keyOf) {
  const groups = new Map();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group) group.push(row);
    else groups.set(keyOf(row), [row]);
  }
  return groups;
}
