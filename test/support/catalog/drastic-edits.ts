import type { HoldCode } from '../../../src/catalog/changes/hold-back/hold-back.ts';
import type { Files } from '../catalogs.ts';

type Value = string | number | undefined;
type Row = { id: number } & Record<string, Value>;

/** The rows of a set, by catalog. */
export type Shop = Record<
  'products' | 'configurations' | 'durations' | 'prices' | 'news_types' | 'news',
  Row[]
>;

const FUTURE = '2099-01-01';
const PAST = '2024-06-01';
const range = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

/**
 * Three products with four configurations each, of which the last of each product is hidden; four durations; 36 prices that
 * visitors see and 12 that they do not; twelve news items, of which one is hidden, one scheduled, and one that will expire.
 */
export function shopToEdit(): Shop {
  const configurations = range(12).map(id => ({
    ...{ id, product_id: Math.ceil(id / 4), name: `Size ${id}`, cpu: 1, memory: 1024, order: id },
    hidden: id % 4 === 0 ? 'yes' : 'no',
  }));
  const durations = range(4).map(id => ({ id, name: `Months ${id}`, num: 10 ** id, unit: 'month' }));
  return {
    products: range(3).map(id => ({ id, name: `Product ${id}` })),
    configurations,
    durations,
    prices: configurations.flatMap(({ id: rel_id, product_id }) =>
      durations.map(({ id, num }) => ({
        ...{ id: rel_id * 10 + id, product_id, rel_id, duration_id: id },
        price: (rel_id === 1 && id === 1 ? 0 : num * 1.95 + rel_id).toFixed(2),
      })),
    ),
    news_types: range(3).map(id => ({ id, name: `Type ${id}` })),
    news: range(12).map(id => ({
      ...{ id, title: `Title ${id}`, content: `Content ${id}`, create_time: '2024-01-05', type_id: 1 },
      publish_time: id === 2 ? FUTURE : '2024-01-06',
      unpublish_time: id === 3 ? FUTURE : '',
      hidden: id === 1 ? 'yes' : '',
    })),
  };
}

/** The files of a set: CSV but for products, durations and types. */
export function filesOf(shop: Shop): Files {
  const { products, durations, news_types, ...others } = shop;
  const tables = Object.entries(others).map(([name, rows]) => [`${name}.csv`, csv(rows)]);
  return {
    'products.json': products,
    'durations.json': durations,
    'news_types.json': news_types,
    ...Object.fromEntries(tables),
  };
}

function csv(rows: readonly Row[]): string {
  const columns = Object.keys(rows[0] ?? { id: 0 });
  return `${[columns, ...rows.map(row => columns.map(column => row[column]))].map(cells => `${cells.join(',')}\n`).join('')}`;
}

/** What somebody does to a set: to its rows, or to its files. */
export interface Edit {
  what: string;
  rows?(shop: Shop): void;
  files?(files: Record<string, string>): Files;
  /** Another set than {@link shopToEdit} to begin with. */
  before?(shop: Shop): void;
}

export type DrasticEdit = Edit & { codes: HoldCode[] };

/** Changes each row of a list, or those that a test picks. */
function each<R extends Row>(
  rows: R[],
  change: (row: Row) => Record<string, Value>,
  isPicked = (_: Row) => true,
) {
  for (const row of rows) if (isPicked(row)) Object.assign(row, change(row));
}

function without(column: string, rows: Row[]): void {
  for (const row of rows) delete row[column];
}

function remove(rows: Row[], isPicked: (row: Row, index: number) => boolean): void {
  rows.splice(0, rows.length, ...rows.filter((row, index) => !isPicked(row, index)));
}

const times = (factor: number) => (row: Row) => ({ price: (Number(row.price) * factor).toFixed(4) });
const ofProduct = (id: number) => (row: Row) => row.product_id === id;
const cut = (name: string, isEnd: (text: string) => number) => (files: Record<string, string>) => ({
  [name]: String(files[name]).slice(0, isEnd(String(files[name]))),
});
const endOfRow = (rows: number) => (text: string) => text.split('\n').slice(0, rows).join('\n').length + 1;

export const drasticEdits: DrasticEdit[] = [
  {
    what: 'more than half of the prices are deleted',
    rows: ({ prices }) => remove(prices, (_, index) => index < 30),
    codes: ['LOST_ROWS'],
  },
  {
    what: 'all news items are deleted',
    files: cut('news.csv', endOfRow(1)),
    codes: ['CUT_OFF', 'LOST_ROWS'],
  },
  { what: 'the news file is deleted', files: () => ({ 'news.csv': null }), codes: ['LOST_ROWS'] },
  { what: 'the durations file is deleted', files: () => ({ 'durations.json': null }), codes: ['LOST_ROWS'] },
  { what: 'the prices file is deleted', files: () => ({ 'prices.csv': null }), codes: ['LOST_ROWS'] },
  {
    what: 'a news file without news items is saved as JSON',
    files: () => ({ 'news.csv': null, 'news.json': [] }),
    codes: ['LOST_ROWS'],
  },
  {
    what: 'the types are deleted, and no news item has one',
    rows: shop => {
      shop.news_types = [];
      without('type_id', shop.news);
    },
    codes: ['LOST_ROWS'],
  },
  {
    what: 'two of three products are deleted with all that they have',
    rows: shop => {
      remove(shop.products, ({ id }) => id < 3);
      for (const rows of [shop.configurations, shop.prices]) remove(rows, row => Number(row.product_id) < 3);
    },
    codes: ['LOST_ROWS'],
  },
  {
    what: 'every configuration is hidden',
    rows: ({ configurations }) => each(configurations, () => ({ hidden: 'yes' })),
    codes: ['LOST_ROWS', 'EMPTY_PRODUCT'],
  },
  {
    what: 'most news items are hidden',
    rows: ({ news }) =>
      each(
        news,
        () => ({ hidden: 'yes' }),
        ({ id }) => id > 4,
      ),
    codes: ['LOST_ROWS'],
  },
  {
    what: 'all news items are scheduled for later',
    rows: ({ news }) => each(news, () => ({ publish_time: FUTURE, unpublish_time: '' })),
    codes: ['LOST_ROWS'],
  },
  {
    what: 'all news items have expired',
    rows: ({ news }) => each(news, () => ({ publish_time: '', unpublish_time: PAST })),
    codes: ['LOST_ROWS'],
  },
  {
    what: 'the column hidden of configurations is deleted',
    rows: ({ configurations }) => without('hidden', configurations),
    codes: ['LOST_GUARD'],
  },
  {
    what: 'the column hidden of news is deleted',
    rows: ({ news }) => without('hidden', news),
    codes: ['LOST_GUARD'],
  },
  {
    what: 'the column publish_time is deleted',
    rows: ({ news }) => without('publish_time', news),
    codes: ['LOST_GUARD'],
  },
  {
    what: 'the column unpublish_time is deleted',
    rows: ({ news }) => without('unpublish_time', news),
    codes: ['LOST_GUARD'],
  },
  {
    what: 'the heading hidden is misspelt',
    files: files => ({
      'configurations.csv': String(files['configurations.csv']).replace(',hidden', ',hiden'),
    }),
    codes: ['LOST_GUARD'],
  },
  {
    what: 'configurations are saved as JSON without the key hidden',
    rows: ({ configurations }) => without('hidden', configurations),
    files: files => ({
      'configurations.csv': null,
      'configurations.json': String(files['configurations.csv'])
        .trim()
        .split('\n')
        .slice(1)
        .map(line => {
          const [id, product_id, name, cpu, memory] = line.split(',');
          return {
            id: Number(id),
            product_id: Number(product_id),
            name,
            cpu: Number(cpu),
            memory: Number(memory),
          };
        }),
    }),
    codes: ['LOST_GUARD'],
  },
  {
    what: 'all configurations of one product are hidden',
    rows: ({ configurations }) => each(configurations, () => ({ hidden: 'yes' }), ofProduct(2)),
    codes: ['EMPTY_PRODUCT'],
  },
  {
    what: 'all configurations of one product are deleted, and the product is not',
    rows: ({ configurations, prices }) => {
      for (const rows of [configurations, prices]) remove(rows, ofProduct(1));
    },
    codes: ['EMPTY_PRODUCT'],
  },
  {
    what: 'the configurations of one product are moved to another',
    rows: ({ configurations, prices }) => {
      for (const rows of [configurations, prices]) each(rows, () => ({ product_id: 1 }), ofProduct(2));
    },
    codes: ['EMPTY_PRODUCT'],
  },
  {
    what: 'one price becomes 0',
    rows: ({ prices }) =>
      each(
        prices,
        () => ({ price: '0' }),
        ({ id }) => id === 23,
      ),
    codes: ['ZERO_PRICE'],
  },
  {
    what: 'all prices become 0',
    rows: ({ prices }) => each(prices, () => ({ price: '0.00' })),
    codes: ['ZERO_PRICE'],
  },
  {
    what: 'all prices are a thousand times too low',
    rows: ({ prices }) => each(prices, times(1 / 1000)),
    codes: ['SHIFTED_PRICES'],
  },
  {
    what: 'all prices are in cents',
    rows: ({ prices }) => each(prices, times(100)),
    codes: ['SHIFTED_PRICES'],
  },
  {
    what: 'the prices of one product are ten times as high',
    rows: ({ prices }) => each(prices, times(10), ofProduct(3)),
    codes: ['SHIFTED_PRICES'],
  },
  {
    what: 'four of 36 prices are five times as high',
    rows: ({ prices }) => each(prices, times(5), ({ rel_id }) => rel_id === 5),
    codes: ['SHIFTED_PRICES'],
  },
  {
    what: 'the column price is moved by some rows',
    rows: ({ prices }) => {
      const moved = prices.map((_, index) => prices[(index + 3) % prices.length]?.price);
      prices.forEach((row, index) => {
        row.price = moved[index];
      });
    },
    codes: ['SHIFTED_PRICES'],
  },
  {
    what: 'the decimal points are lost',
    rows: ({ prices }) =>
      each(prices, ({ price }) => ({ price: String(price).replace('.', '').replace('000', '0') })),
    codes: ['SHIFTED_PRICES'],
  },
  {
    what: 'the prices are cut off at the end of a row',
    files: cut('prices.csv', endOfRow(40)),
    codes: ['CUT_OFF'],
  },
  {
    what: 'the prices are cut off inside the last number',
    files: cut('prices.csv', text => text.length - 2),
    codes: ['CUT_OFF'],
  },
  {
    what: 'the last row of the news is deleted',
    files: cut('news.csv', endOfRow(12)),
    codes: ['CUT_OFF'],
  },
  {
    what: 'a new file of prices is cut off inside its last row',
    rows: ({ prices }) => each(prices, times(1.1)),
    files: cut('prices.csv', text => endOfRow(44)(text) - 2),
    codes: ['CUT_OFF'],
  },
];

export const harmlessEdits: Edit[] = [
  { what: 'one price rises', rows: ({ prices }) => each(prices, times(1.1), ({ id }) => id === 23) },
  { what: 'all prices rise by a third', rows: ({ prices }) => each(prices, times(1.33)) },
  { what: 'all prices are 4.9 times as high', rows: ({ prices }) => each(prices, times(4.9)) },
  { what: 'all prices are halved', rows: ({ prices }) => each(prices, times(0.5)) },
  {
    what: 'three of 36 prices are ten times as high',
    rows: ({ prices }) => each(prices, times(10), ({ id }) => [52, 53, 54].includes(id)),
  },
  {
    what: 'as many prices rise by a large factor as fall by one, each less than a tenth',
    rows: ({ prices }) => {
      each(prices, times(10), ({ id }) => [52, 53, 54].includes(id));
      each(prices, times(0.1), ({ id }) => [62, 63, 64].includes(id));
    },
  },
  {
    what: 'the prices of hidden configurations are ten times as high',
    rows: ({ prices }) => each(prices, times(10), ({ rel_id }) => Number(rel_id) % 4 === 0),
  },
  {
    what: 'the price of a hidden configuration becomes 0',
    rows: ({ prices }) =>
      each(
        prices,
        () => ({ price: '0' }),
        ({ id }) => id === 41,
      ),
  },
  {
    what: 'a price that was 0 becomes 5',
    rows: ({ prices }) =>
      each(
        prices,
        () => ({ price: '5' }),
        ({ id }) => id === 11,
      ),
  },
  {
    what: 'a new configuration is free',
    rows: ({ configurations, prices }) => {
      configurations.push({ id: 13, product_id: 1, name: 'Free', cpu: 1, memory: 1, order: 1, hidden: 'no' });
      prices.push({ id: 999, product_id: 1, rel_id: 13, duration_id: 1, price: '0' });
    },
  },
  {
    what: 'half of the prices that visitors see are deleted',
    rows: ({ prices }) => remove(prices, ({ duration_id }) => Number(duration_id) < 3),
  },
  {
    what: 'the last row is deleted and another one is edited',
    rows: ({ prices }) => {
      prices.pop();
      each(prices, times(1.1), ({ id }) => id === 23);
    },
  },
  { what: 'the first news item is deleted', rows: ({ news }) => void news.shift() },
  {
    what: 'a product is deleted with all that it has',
    rows: shop => {
      remove(shop.products, ({ id }) => id === 2);
      for (const rows of [shop.configurations, shop.prices]) remove(rows, ofProduct(2));
    },
  },
  {
    what: 'one of three configurations is hidden',
    rows: ({ configurations }) =>
      each(
        configurations,
        () => ({ hidden: 'yes' }),
        ({ id }) => id === 1,
      ),
  },
  {
    what: 'all configurations are shown',
    rows: ({ configurations }) => each(configurations, () => ({ hidden: 'no' })),
  },
  {
    what: 'the hidden configurations are deleted',
    rows: ({ configurations, prices }) => {
      remove(configurations, ({ id }) => id % 4 === 0);
      remove(prices, ({ rel_id }) => Number(rel_id) % 4 === 0);
    },
  },
  {
    what: 'a configuration is moved to another product',
    rows: ({ configurations, prices }) => {
      each(
        configurations,
        () => ({ product_id: 2 }),
        ({ id }) => id === 1,
      );
      each(
        prices,
        () => ({ product_id: 2 }),
        ({ rel_id }) => rel_id === 1,
      );
    },
  },
  {
    what: 'a product without configurations is added',
    rows: ({ products }) => void products.push({ id: 4, name: 'New' }),
  },
  {
    what: 'a news item is hidden',
    rows: ({ news }) =>
      each(
        news,
        () => ({ hidden: 'yes' }),
        ({ id }) => id === 5,
      ),
  },
  {
    what: 'a news item expires',
    rows: ({ news }) =>
      each(
        news,
        () => ({ unpublish_time: PAST }),
        ({ id }) => id === 5,
      ),
  },
  {
    what: 'the scheduled news item is published',
    rows: ({ news }) =>
      each(
        news,
        () => ({ publish_time: PAST }),
        ({ id }) => id === 2,
      ),
  },
  {
    what: 'a news item is added at the end',
    files: files => ({ 'news.csv': `${files['news.csv']}13,Title 13,Content 13,2024-01-07,1,,,\n` }),
  },
  {
    what: 'all news items are replaced by as many others',
    rows: ({ news }) => each(news, ({ id }) => ({ id: id + 100, title: 'New', content: 'New' })),
  },
  {
    what: 'all texts are rewritten',
    rows: ({ news }) => each(news, () => ({ title: 'New', content: 'Text' })),
  },
  { what: 'the rows are sorted in another order', rows: ({ prices }) => void prices.reverse() },
  {
    what: 'the prices are numbered anew',
    rows: ({ prices }) => each(prices, ({ id }) => ({ id: 5000 - id })),
  },
  { what: 'the column order is deleted', rows: ({ configurations }) => without('order', configurations) },
  {
    what: 'the column hidden is deleted, and hides nothing',
    before: ({ configurations }) => each(configurations, () => ({ hidden: 'no' })),
    rows: ({ configurations }) => without('hidden', configurations),
  },
  {
    what: 'the column hidden is deleted with the news item that it hides',
    rows: ({ news }) => {
      news.shift();
      without('hidden', news);
    },
  },
  {
    what: 'the column publish_time is deleted, and all its times have passed',
    before: ({ news }) => each(news, () => ({ publish_time: PAST })),
    rows: ({ news }) => without('publish_time', news),
  },
  {
    what: 'the files are saved with CRLF',
    files: files => ({ 'prices.csv': String(files['prices.csv']).replaceAll('\n', '\r\n') }),
  },
  {
    what: 'the prices are saved with semicolons and decimal commas',
    files: files => ({ 'prices.csv': String(files['prices.csv']).replaceAll(',', ';').replaceAll('.', ',') }),
  },
  {
    what: 'the news is saved as UTF-16 with tabs',
    files: files => ({
      'news.csv': Buffer.from(`\uFEFF${String(files['news.csv']).replaceAll(',', '\t')}`, 'utf16le'),
    }),
  },
  {
    what: 'the prices are saved as JSON',
    files: files => {
      const [header = '', ...lines] = String(files['prices.csv']).trim().split('\n');
      const columns = header.split(',');
      const rows = lines.map(line =>
        Object.fromEntries(line.split(',').map((cell, index) => [columns[index], Number(cell)])),
      );
      return { 'prices.csv': null, 'prices.json': rows };
    },
  },
  { what: 'the last line break is lost', files: cut('prices.csv', text => text.length - 1) },
];
