// The same endpoints with Express over SQLite: an index for each query, and LIKE for keywords.
import express from 'express';
import { logListening } from '../servers/listening.mjs';
import { openDatabase } from './database.mjs';

const database = openDatabase();
const times = `datetime(create_time, 'unixepoch') AS create_time_formatted`;
const updated = `datetime(iif(update_time, update_time, create_time), 'unixepoch') AS update_time_formatted`;
const listed = `SELECT id, title, content, keywords, read, create_time, ${times}, ${updated} FROM news`;
const hasKeyword = 'WHERE title LIKE @like OR keywords LIKE @like OR content LIKE @like';
const page = 'ORDER BY create_time DESC, id DESC LIMIT @limit OFFSET @offset';

const statements = {
  price: database.prepare(
    `SELECT id, product_id, rel_id, duration_id, price, 1 AS rel_type FROM prices
     WHERE rel_id = @recommend_config_id AND duration_id = @duration_id AND product_id = @product_id`,
  ),
  configurations: database.prepare(
    `SELECT id, product_id, name, cpu, memory FROM configurations WHERE product_id = @product_id
     ORDER BY "order", id LIMIT @limit OFFSET @offset`,
  ),
  countConfigurations: database.prepare('SELECT count(*) FROM configurations WHERE product_id = ?').pluck(),
  durations: database.prepare(
    `SELECT duration_id, name, num, unit, price FROM prices JOIN durations ON durations.id = duration_id
     WHERE rel_id = ? ORDER BY duration_id`,
  ),
  news: database.prepare(`${listed} ${page}`),
  countNews: database.prepare('SELECT count(*) FROM news').pluck(),
  search: database.prepare(`${listed} ${hasKeyword} ${page}`),
  countSearch: database.prepare(`SELECT count(*) FROM news ${hasKeyword}`).pluck(),
  raise: database.prepare('UPDATE news SET read = read + 1 WHERE id = ?'),
  item: database.prepare(
    `SELECT id, title, content, keywords, '' AS img, read, ${times} FROM news WHERE id = ?`,
  ),
};

const app = express();

app.get('/api/recommend-config/price', ({ query }, response) => {
  const { product_id, recommend_config_id, duration_id } = query;
  answer(
    response,
    statements.price.get({
      product_id: Number(product_id),
      recommend_config_id: Number(recommend_config_id),
      duration_id: Number(duration_id),
    }),
  );
});

app.get('/api/recommend-config', ({ query }, response) => {
  const product_id = Number(query.product_id);
  const list = statements.configurations.all({ product_id, ...rangeOf(query) });
  if (query.include_durations === 'true') {
    for (const row of list) row.durations = statements.durations.all(row.id);
  }
  answer(response, { list, pagination: pagination(query, statements.countConfigurations.get(product_id)) });
});

app.get('/api/news', ({ query }, response) => {
  if (query.keyword) {
    const like = `%${query.keyword}%`;
    const list = statements.search.all({ like, ...rangeOf(query) });
    answer(response, { list, pagination: pagination(query, statements.countSearch.get({ like })) });
  } else {
    const list = statements.news.all(rangeOf(query));
    answer(response, { list, pagination: pagination(query, statements.countNews.get()) });
  }
});

app.get('/api/news/:id', ({ params }, response) => {
  statements.raise.run(Number(params.id));
  answer(response, statements.item.get(Number(params.id)));
});

const server = app.listen(0, '127.0.0.1', () => logListening(server));

function rangeOf({ page = 1, limit = 20 }) {
  return { limit: Number(limit), offset: (Number(page) - 1) * Number(limit) };
}

function pagination({ page = 1 }, total) {
  return { current_page: Number(page), total };
}

function answer(response, data) {
  if (data) response.json({ success: true, code: 200, message: 'query succeeded', data });
  else response.status(404).json({ success: false, code: 404, message: 'not found', data: {} });
}
