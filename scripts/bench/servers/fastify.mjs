// The same endpoints as you write them with Fastify in an afternoon: rows in Maps, schemas of queries and answers, and
// a keyword search that scans all news items.
import Fastify from 'fastify';
import { logListening, readRows } from './rows.mjs';

/**
 * @typedef {{ id: number, product_id: number, rel_id: number, duration_id: number, price: number }} Price
 * @typedef {{ id: number, type_id: number, title: string, content: string, keywords: string, read: number,
 *   create_time: number, update_time: number }} News
 * @typedef {{ page: number, limit: number }} Paging
 * @type {{ durations: { id: number }[], prices: Price[], configurations: { product_id: number, id: number }[], news: News[] }}
 */
const { durations: durationRows, prices: priceRows, configurations, news } = readRows();
const durations = new Map(durationRows.map(row => [row.id, row]));
const prices = new Map(priceRows.map(row => [`${row.product_id} ${row.rel_id} ${row.duration_id}`, row]));
const pricesOf = groupBy(priceRows, row => row.rel_id);
const configurationsOf = groupBy(configurations, row => row.product_id);
news.sort((one, other) => other.create_time - one.create_time || other.id - one.id);
const newsById = new Map(news.map(row => [row.id, row]));
const searchTexts = new Map(
  news.map(row => [row, `${row.title}\n${row.keywords}\n${row.content}`.toLowerCase()]),
);

const [integer, number, string] = ['integer', 'number', 'string'].map(type => ({ type }));
/** @type {(properties: object, required?: string[]) => object} */
const object = (properties, required = []) => ({ type: 'object', properties, required });
/** @type {(items: object) => object} */
const array = items => ({ type: 'array', items });
/** @type {(data: object) => object} */
const envelope = data => ({
  200: object({ success: { type: 'boolean' }, code: integer, message: string, data }),
});
/** @type {(items: object) => object} */
const page = items =>
  envelope(object({ list: array(items), pagination: object({ current_page: integer, total: integer }) }));
const ids = { id: integer, product_id: integer };
const texts = { id: integer, title: string, content: string, keywords: string };
const times = { create_time_formatted: string, update_time_formatted: string };
const duration = object({ duration_id: integer, name: string, num: integer, unit: string, price: number });

const id = { type: 'integer', minimum: 1 };
const paging = { page: { ...id, default: 1 }, limit: { ...id, maximum: 100, default: 20 } };

const app = Fastify();

const priceQuery = { product_id: id, recommend_config_id: id, duration_id: id };
const price = object({ ...ids, rel_id: integer, duration_id: integer, price: number, rel_type: integer });
app.get(
  '/api/recommend-config/price',
  { schema: { querystring: object(priceQuery, Object.keys(priceQuery)), response: envelope(price) } },
  (request, reply) => {
    const query = /** @type {Record<keyof typeof priceQuery, number>} */ (request.query);
    const row = prices.get(`${query.product_id} ${query.recommend_config_id} ${query.duration_id}`);
    return row ? success({ ...row, rel_type: 1 }) : notFound(reply);
  },
);

const listQuery = { product_id: id, ...paging, include_durations: { type: 'boolean', default: false } };
const configuration = object({
  ...{ ...ids, name: string, cpu: number, memory: number },
  durations: array(duration),
});
app.get(
  '/api/recommend-config',
  { schema: { querystring: object(listQuery, ['product_id']), response: page(configuration) } },
  request => {
    const query = /** @type {Paging & { product_id: number, include_durations: boolean }} */ (request.query);
    const { list, pagination } = pageOf(configurationsOf.get(query.product_id) ?? [], query);
    if (!query.include_durations) return success({ list, pagination });
    return success({ list: list.map(row => ({ ...row, durations: durationsOf(row.id) })), pagination });
  },
);

const newsQuery = { ...paging, keyword: { type: 'string', maxLength: 64 } };
const newsRow = object({ ...texts, read: integer, create_time: integer, ...times });
app.get('/api/news', { schema: { querystring: object(newsQuery), response: page(newsRow) } }, request => {
  const query = /** @type {Paging & { keyword?: string }} */ (request.query);
  const keyword = query.keyword?.toLowerCase();
  const found = keyword ? news.filter(row => searchTexts.get(row)?.includes(keyword)) : news;
  const { list, pagination } = pageOf(found, query);
  return success({ list: list.map(withTimes), pagination });
});

const newsItem = object({ ...texts, img: string, read: integer, create_time_formatted: string });
app.get(
  '/api/news/:id',
  { schema: { params: object({ id }), response: envelope(newsItem) } },
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
  const [created, updated] = [row.create_time, row.update_time || row.create_time].map(seconds =>
    new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' '),
  );
  return { ...row, create_time_formatted: created, update_time_formatted: updated };
}

/** @type {<Row>(rows: Row[], keyOf: (row: Row) => number) => Map<number, Row[]>} */
function groupBy(rows, keyOf) {
  const groups = new Map();
  for (const row of rows) groups.set(keyOf(row), []);
  for (const row of rows) groups.get(keyOf(row)).push(row);
  return groups;
}
