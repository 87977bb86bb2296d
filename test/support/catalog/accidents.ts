import type { ProblemCode } from '../../../src/contract/problems.ts';
import type { HoldCode } from '../../../src/set/hold-back/hold-back.ts';
import {
  type Edit,
  each,
  enlarge,
  FUTURE,
  moveColumn,
  ofProduct,
  PAST,
  remove,
  reversed,
  shiftedBy,
  sorted,
  times,
  without,
} from './edits.ts';

/** An edit that nobody means, and why it is held back, refused or warned of. */
type Accident = Edit & { codes: (HoldCode | ProblemCode)[] };

export const accidents: Accident[] = [
  {
    what: 'more than half of the prices are deleted',
    rows: ({ prices }) => remove(prices, (_, index) => index < 30),
    codes: ['LOST_ROWS', 'NO_PRICE'],
  },
  {
    what: 'all news items are deleted',
    files: ({ 'news.csv': news = '' }) => ({ 'news.csv': news.slice(0, news.indexOf('\n') + 1) }),
    codes: ['LOST_ROWS'],
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
    codes: ['LOST_ROWS', 'EMPTY_GUARD'],
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
    what: 'the column draft is deleted',
    before: ({ news }) => each(news, ({ id }) => ({ hidden: '', draft: id < 3 ? 'yes' : '' })),
    rows: ({ news }) => without('draft', news),
    codes: ['LOST_GUARD'],
  },
  {
    what: 'the column published is emptied',
    before: ({ news }) =>
      each(news, ({ id }) => ({ publish_time: '', published: id < 3 ? FUTURE : id < 5 ? 'no' : '' })),
    rows: ({ news }) => each(news, () => ({ published: '' })),
    codes: ['EMPTY_GUARD'],
  },
  {
    what: 'the heading hidden is misspelt',
    files: files => ({
      'configurations.csv': String(files['configurations.csv']).replace(',hidden', ',hiden'),
    }),
    codes: ['LOST_GUARD', 'UNKNOWN_COLUMN'],
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
    codes: ['SHIFTED_PRICES', 'SCALED_PRODUCT'],
  },
  {
    what: 'four of 36 prices are five times as high',
    rows: ({ prices }) => each(prices, times(5), ({ rel_id }) => rel_id === 5),
    codes: ['SHIFTED_PRICES'],
  },
  {
    what: 'the column price is moved by some rows',
    rows: ({ prices }) => moveColumn('price', prices, shiftedBy(3)),
    codes: ['SHIFTED_PRICES', 'MOVED_VALUES'],
  },
  {
    what: 'the column price is sorted by itself',
    rows: ({ prices }) => moveColumn('price', prices, sorted),
    codes: ['SHIFTED_PRICES', 'MOVED_VALUES'],
  },
  {
    what: 'the decimal points are lost',
    rows: ({ prices }) =>
      each(prices, ({ price }) => ({ price: String(price).replace('.', '').replace('000', '0') })),
    codes: ['SHIFTED_PRICES', 'SCALED_PRODUCT'],
  },
  {
    what: 'the prices of each duration are sorted by themselves, from the highest',
    rows: ({ prices }) => {
      for (const duration of [1, 2, 3, 4])
        moveColumn(
          'price',
          prices.filter(({ id, duration_id }) => id > 20 && duration_id === duration),
          reversed,
        );
    },
    codes: ['MOVED_VALUES'],
  },
  {
    what: 'a cell of the column price is deleted, and those below move up',
    before: ({ prices }) => each(prices, ({ id }) => ({ price: 50 + ((id * 37) % 50) })),
    rows: ({ prices }) => {
      moveColumn('price', prices, shiftedBy(1));
      each(
        prices,
        () => ({ price: 77.5 }),
        ({ id }) => id === 124,
      );
    },
    codes: ['MOVED_VALUES'],
  },
  {
    what: 'the column title is sorted by itself',
    rows: ({ news }) => moveColumn('title', news, sorted),
    codes: ['MOVED_IDS'],
  },
  {
    what: 'the column content is sorted by itself',
    rows: ({ news }) => moveColumn('content', news, reversed),
    codes: ['MOVED_VALUES'],
  },
  {
    what: 'long texts are sorted by themselves',
    before: ({ news }) => each(news, ({ id }) => ({ content: `${id}${' word'.repeat(100)}` })),
    rows: ({ news }) => moveColumn('content', news, reversed),
    codes: ['MOVED_VALUES'],
  },
  {
    what: 'the column keywords is sorted by itself, and two items are corrected',
    before: ({ news }) => each(news, ({ id }) => ({ keywords: `word ${(id * 7) % 12}` })),
    rows: ({ news }) => {
      moveColumn('keywords', news, sorted);
      each(
        news,
        () => ({ keywords: 'new' }),
        ({ id }) => id === 12,
      );
    },
    codes: ['MOVED_VALUES'],
  },
  {
    what: 'the column img is moved by a row',
    before: ({ news }) => each(news, ({ id }) => ({ img: `${id}.png` })),
    rows: ({ news }) => moveColumn('img', news, shiftedBy(1)),
    codes: ['MOVED_VALUES'],
  },
  {
    what: 'the column create_time is sorted by itself',
    before: ({ news }) => each(news, ({ id }) => ({ create_time: `2024-01-${10 + ((id * 7) % 12)}` })),
    rows: ({ news }) => moveColumn('create_time', news, sorted),
    codes: ['MOVED_VALUES'],
  },
  {
    what: 'the column publish_time is reversed by itself',
    before: ({ news }) => each(news, ({ id }) => ({ publish_time: `2024-01-${10 + id}` })),
    rows: ({ news }) => moveColumn('publish_time', news, reversed),
    codes: ['MOVED_VALUES'],
  },
  {
    what: 'the names of configurations are sorted by themselves',
    rows: ({ configurations }) => moveColumn('name', configurations, sorted),
    codes: ['MOVED_IDS'],
  },
  {
    what: 'the column memory is sorted by itself',
    before: ({ configurations }) =>
      each(configurations, ({ id }) => ({ memory: 1024 * ((id * 7) % 12 || 12) })),
    rows: ({ configurations }) => moveColumn('memory', configurations, sorted),
    codes: ['MOVED_VALUES'],
  },
  {
    what: 'the names of products are sorted by themselves',
    before: shop => {
      enlarge(shop, 6);
      moveColumn('name', shop.products, shiftedBy(2));
    },
    rows: ({ products }) => moveColumn('name', products, sorted),
    codes: ['MOVED_VALUES'],
  },
  {
    what: 'the descriptions of products are moved by a row',
    before: shop => {
      enlarge(shop, 6);
      each(shop.products, ({ id }) => ({ description: `Text ${id}` }));
    },
    rows: ({ products }) => moveColumn('description', products, shiftedBy(1)),
    codes: ['MOVED_VALUES'],
  },
  {
    what: 'the news items are numbered anew after they were sorted',
    rows: ({ news }) => moveColumn('id', news, reversed),
    codes: ['MOVED_IDS'],
  },
  {
    what: 'a news item is inserted at the top, and all are numbered anew',
    rows: ({ news }) => {
      each(news, ({ id }) => ({ id: id + 1 }));
      news.unshift({ ...(news[4] ?? { id: 0 }), id: 1, title: 'New' });
    },
    codes: ['MOVED_IDS'],
  },
  {
    what: 'a news item is deleted, and the others are numbered anew',
    rows: ({ news }) => {
      news.splice(4, 1);
      each(news, row => ({ id: 1 + news.indexOf(row as (typeof news)[number]) }));
    },
    codes: ['MOVED_IDS'],
  },
  {
    what: 'the ids of configurations are filled in anew after they were sorted',
    rows: ({ configurations }) => {
      for (const product of [1, 2, 3])
        moveColumn('id', configurations.filter(ofProduct(product)), shiftedBy(1));
    },
    codes: ['MOVED_IDS'],
  },
  {
    what: 'the column hidden of configurations is emptied',
    rows: ({ configurations }) => each(configurations, () => ({ hidden: '' })),
    codes: ['EMPTY_GUARD'],
  },
  {
    what: 'the column hidden of news is emptied',
    before: ({ news }) =>
      each(
        news,
        () => ({ hidden: 'yes' }),
        ({ id }) => id === 4,
      ),
    rows: ({ news }) => each(news, () => ({ hidden: '' })),
    codes: ['EMPTY_GUARD'],
  },
  {
    what: 'the column publish_time is emptied',
    rows: ({ news }) => each(news, () => ({ publish_time: '' })),
    codes: ['EMPTY_GUARD'],
  },
  {
    what: 'the column unpublish_time is emptied',
    before: ({ news }) => each(news, ({ id }) => ({ unpublish_time: id === 2 ? '' : FUTURE })),
    rows: ({ news }) => each(news, () => ({ unpublish_time: '' })),
    codes: ['EMPTY_GUARD'],
  },
  {
    what: 'half of the prices that visitors see are deleted, and their durations stay',
    rows: ({ prices }) => remove(prices, ({ duration_id }) => Number(duration_id) < 3),
    codes: ['LOST_PART'],
  },
  {
    what: 'a filter is saved: each second product keeps its prices',
    before: shop => enlarge(shop, 10),
    rows: ({ prices }) => remove(prices, ({ product_id }) => Number(product_id) % 2 === 0),
    codes: ['LOST_PART', 'NO_PRICE'],
  },
  {
    what: 'four of ten news items are deleted',
    rows: ({ news }) => remove(news, ({ id }) => id > 8),
    codes: ['LOST_PART'],
  },
  {
    what: 'four of nine configurations are deleted with their prices',
    rows: ({ configurations, prices }) => {
      remove(configurations, ({ id }) => [1, 5, 6, 9].includes(id));
      remove(prices, ({ rel_id }) => [1, 5, 6, 9].includes(Number(rel_id)));
    },
    codes: ['LOST_PART'],
  },
  {
    what: 'the prices of one product are tripled',
    rows: ({ prices }) => each(prices, times(3), ofProduct(3)),
    codes: ['SCALED_PRODUCT'],
  },
  {
    what: 'the prices of two products are four times as high',
    rows: ({ prices }) => each(prices, times(4), ({ product_id }) => product_id !== 1),
    codes: ['SCALED_PRODUCT'],
  },
  {
    what: 'the prices of one of many products are in cents',
    before: shop => enlarge(shop, 20),
    rows: ({ prices }) => each(prices, times(100), ofProduct(12)),
    codes: ['SCALED_PRODUCT'],
  },
  {
    what: 'the prices of one of many products are a tenth',
    before: shop => enlarge(shop, 20),
    rows: ({ prices }) =>
      each(prices, ({ price }) => ({ price: (Number(price) / 10).toFixed(2) }), ofProduct(12)),
    codes: ['SCALED_PRODUCT'],
  },
  {
    what: 'the column rel_id is sorted by itself',
    rows: ({ prices }) => moveColumn('rel_id', prices, reversed),
    codes: ['WRONG_PRODUCT'],
  },
  {
    what: 'the column product_id of configurations is reversed by itself',
    rows: ({ configurations }) => moveColumn('product_id', configurations, reversed),
    codes: ['WRONG_PRODUCT'],
  },
  {
    what: 'the column duration_id is filled down',
    rows: ({ prices }) => each(prices, () => ({ duration_id: 1 })),
    codes: ['DUPLICATE_PRICE'],
  },
  {
    what: 'a duration is deleted, and its prices are not',
    rows: ({ durations }) => void durations.pop(),
    codes: ['UNKNOWN_REFERENCE'],
  },
  {
    what: 'a product is deleted, and what it has is not',
    rows: ({ products }) => void products.pop(),
    codes: ['UNKNOWN_REFERENCE'],
  },
  {
    what: 'all prices are pasted twice',
    rows: ({ prices }) => void prices.push(...prices.map(row => ({ ...row }))),
    codes: ['DUPLICATE_ID', 'DUPLICATE_PRICE'],
  },
  {
    what: 'a price becomes a word',
    rows: ({ prices }) =>
      each(
        prices,
        () => ({ price: 'gratis' }),
        ({ id }) => id === 23,
      ),
    codes: ['BAD_NUMBER'],
  },
  {
    what: 'the column price is deleted',
    rows: ({ prices }) => without('price', prices),
    codes: ['MISSING_COLUMN'],
  },
  {
    what: 'the column price is emptied',
    rows: ({ prices }) => each(prices, () => ({ price: '' })),
    codes: ['MISSING_VALUE'],
  },
  {
    what: 'a title is inserted above the headings',
    files: ({ 'prices.csv': prices }) => ({ 'prices.csv': `Prices of 2026,,,,\n${prices}` }),
    codes: ['TITLE_ROW'],
  },
  {
    what: 'the columns publish_time and unpublish_time change places',
    before: ({ news }) => each(news, ({ id }) => ({ unpublish_time: id === 2 ? '' : FUTURE })),
    files: ({ 'news.csv': news = '' }) => ({
      'news.csv': news.replace('publish_time,unpublish_time', 'unpublish_time,publish_time'),
    }),
    codes: ['NEVER_SHOWN'],
  },
  {
    what: 'the prices are saved under another name beside the former ones',
    files: ({ 'prices.csv': prices = '' }) => ({ 'prices (1).csv': prices }),
    codes: ['NOT_READ'],
  },
  {
    what: 'the prices of a configuration are deleted',
    rows: ({ prices }) => remove(prices, ({ rel_id }) => rel_id === 6),
    codes: ['NO_PRICE'],
  },
  {
    what: 'the heading keywords is misspelt',
    before: ({ news }) => each(news, ({ id }) => ({ keywords: `word ${id}` })),
    files: ({ 'news.csv': news = '' }) => ({ 'news.csv': news.replace('keywords', 'keyowrds') }),
    codes: ['UNKNOWN_COLUMN'],
  },
];
