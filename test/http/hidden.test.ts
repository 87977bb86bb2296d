import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Files, shopWith } from '../support/catalogs.ts';
import { readFiles } from '../support/read-source.ts';
import { startService } from '../support/service.ts';

type Row = { id: number } & Record<string, string | number | boolean>;
type Shop = Record<'products' | 'configurations' | 'durations' | 'prices' | 'news', Row[]>;

const ids = [1, 2, 3];
/** Products, configurations and durations with a price for each of them. */
const shop: Shop = {
  products: ids.map(id => ({ id, name: `Product ${id}`, description: 'Text' })),
  configurations: ids.flatMap(product_id =>
    ids.map(id => ({ id: product_id * 10 + id, product_id, name: `Size ${id}`, cpu: 1, memory: 1024 })),
  ),
  durations: ids.map(id => ({ id, name: `${id} months`, num: id, unit: 'month' })),
  prices: ids.flatMap(product_id =>
    ids.flatMap(size =>
      ids.map(duration_id => ({
        ...{ id: product_id * 100 + size * 10 + duration_id, product_id, rel_id: product_id * 10 + size },
        ...{ duration_id, price: product_id + size / 2 + duration_id / 4 },
      })),
    ),
  ),
  news: ids.map(id => ({ id, title: `Item ${id}`, content: 'Text', create_time: `2024-01-0${id}` })),
};

/** The id of the row that is hidden in each catalog. */
const hiddenIds = { products: 1, configurations: 22, durations: 3, prices: 211, news: 2 };

const mapRows = (map: (name: keyof Shop, rows: Row[]) => Row[]): Shop =>
  Object.fromEntries(
    Object.entries(shop).map(([name, rows]) => [name, map(name as keyof Shop, rows)]),
  ) as Shop;
const hidden = mapRows((name, rows) => rows.map(row => ({ ...row, hidden: row.id === hiddenIds[name] })));
/** Without the hidden rows, and without those that belong to them. */
const without = mapRows((name, rows) =>
  rows.filter(
    row => row.id !== hiddenIds[name] && row.product_id !== 1 && row.rel_id !== 22 && row.duration_id !== 3,
  ),
);

const filesOf = (rows: Shop): Files =>
  shopWith({
    ...{ 'configurations.csv': null, 'prices.csv': null, 'news_types.json': [{ id: 1, name: 'Notices' }] },
    ...Object.fromEntries(Object.entries(rows).map(([name, list]) => [`${name}.json`, list])),
  });

const paths = [
  ...['/api/products', '/api/news', '/api/news/2', '/api/news?keyword=Item', '/feeds/news.json', '/overview'],
  ...['/changes', '/openapi.json', '/metrics'],
  ...['products', 'configurations', 'durations', 'prices', 'news'].flatMap(name => [
    `/overview/rows?catalog=${name}`,
    `/overview/rows?catalog=${name}&keyword=1`,
    `/overview/rows?catalog=${name}&only=changed`,
  ]),
  ...ids.flatMap(id => [
    `/api/recommend-config?product_id=${id}&include_durations=true`,
    `/overview/prices?product_id=${id}`,
  ]),
  ...shop.prices.map(
    ({ product_id, rel_id, duration_id }) =>
      `/api/recommend-config/price?product_id=${product_id}&recommend_config_id=${rel_id}&duration_id=${duration_id}`,
  ),
];

test('visitors get the same answers whether rows are hidden, or deleted with what belongs to them', async t => {
  const [one = [], other = []] = await Promise.all(
    [hidden, without].map(async rows => {
      const options = { newsUrl: 'https://example.com/news/{id}', holdBack: 'off' } as const;
      const { dispatch, save } = await startService(t, filesOf(shop), options);
      await save(filesOf(rows));
      const answers: string[] = [];
      for (const path of paths) {
        const { statusCode, body } = await dispatch(path);
        const lines = body.split('\n').filter(line => path !== '/metrics' || line.includes('catalog_rows'));
        const text = lines.join('\n').replace(/"time":"[^"]*"|"place":\{[^}]*\}/g, '');
        answers.push(`${path} ${statusCode} ${text}`);
      }
      return answers;
    }),
  );
  assert.deepEqual(one, other);
  assert.deepEqual((await readFiles(filesOf(hidden))).report.problems, []);
  assert.match(one.join('\n'), /"catalog":"durations","change":"removed"/);
});
