import type { HoldCode } from '../../../src/set/hold-back/hold-back.ts';
import { cut, type Edit, each, endOfRow, FUTURE, ofProduct, PAST, remove, times, without } from './edits.ts';

/** An edit, and the rules that hold it back. */
export type DrasticEdit = Edit & { codes: HoldCode[] };

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
