import {
  type Edit,
  each,
  enlarge,
  moveColumn,
  ofProduct,
  PAST,
  remove,
  reversed,
  swap,
  times,
  without,
} from './edits.ts';

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
    what: 'a third of the prices that visitors see are deleted',
    rows: ({ prices }) =>
      remove(prices, ({ id, duration_id }) => duration_id === 1 || [12, 22, 32].includes(id)),
  },
  {
    what: 'half of the prices are deleted with their durations',
    rows: ({ durations, prices }) => {
      remove(durations, ({ id }) => id < 3);
      remove(prices, ({ duration_id }) => Number(duration_id) < 3);
    },
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
  {
    what: 'value added tax is added to all prices',
    rows: ({ prices }) => each(prices, ({ price }) => ({ price: (Number(price) * 1.19).toFixed(2) })),
  },
  { what: 'all prices fall by a tenth', rows: ({ prices }) => each(prices, times(0.9)) },
  {
    what: 'all prices are in another currency, and rounded',
    rows: ({ prices }) => each(prices, ({ price }) => ({ price: (Number(price) * 4.31).toFixed(0) })),
  },
  {
    what: 'the prices of one product are doubled',
    rows: ({ prices }) => each(prices, times(2), ofProduct(3)),
  },
  {
    what: 'all prices of a product that has two are tripled',
    before: ({ prices }) => remove(prices, row => row.product_id === 3 && ![91, 92].includes(row.id)),
    rows: ({ prices }) => each(prices, times(3), ofProduct(3)),
  },
  {
    what: 'the prices of one product are higher, each by another factor of 3 or more',
    rows: ({ prices }) => each(prices, row => times(3 + Number(row.duration_id) / 4)(row), ofProduct(3)),
  },
  {
    what: 'each price becomes the next one of a scale',
    before: ({ prices }) => each(prices, ({ id }) => ({ price: 5 * Math.ceil(id / 10) })),
    rows: ({ prices }) => each(prices, ({ price }) => ({ price: Number(price) + 5 })),
  },
  {
    what: 'four prices change places',
    rows: ({ prices }) => moveColumn('price', prices.slice(20, 24), reversed),
  },
  {
    what: 'the rows are sorted by price',
    rows: ({ prices }) => void prices.sort((one, other) => Number(one.price) - Number(other.price)),
  },
  {
    what: 'two products change places with their configurations and prices',
    rows: ({ products, configurations, prices }) => {
      swap(products, 2, 3, ['name']);
      for (const of of [5, 6, 7, 8]) {
        swap(configurations, of, of + 4, ['name', 'cpu', 'memory']);
        for (const duration of [1, 2, 3, 4])
          swap(prices, of * 10 + duration, (of + 4) * 10 + duration, ['price']);
      }
    },
  },
  {
    what: 'all products change places with their prices',
    before: shop => {
      enlarge(shop, 6);
      each(
        shop.prices,
        () => ({ price: 3 }),
        ({ id }) => id === 11,
      );
    },
    rows: ({ products, prices }) => {
      for (const one of [1, 2, 3]) {
        swap(products, one, 7 - one, ['name']);
        for (const row of prices.filter(ofProduct(one)))
          swap(prices, row.id, row.id + (7 - 2 * one) * 40, ['price']);
      }
    },
  },
  {
    what: 'all configurations become larger by a step',
    before: ({ configurations }) => each(configurations, ({ id }) => ({ memory: 1024 * 2 ** (id % 6) })),
    rows: ({ configurations }) => each(configurations, ({ memory }) => ({ memory: Number(memory) * 2 })),
  },
  { what: 'titles are corrected', rows: ({ news }) => each(news, ({ title }) => ({ title: `${title}!` })) },
  { what: 'two titles change places', rows: ({ news }) => swap(news, 5, 6, ['title']) },
  {
    what: 'all news items appear a day later',
    before: ({ news }) => each(news, ({ id }) => ({ publish_time: `2024-01-${10 + id}` })),
    rows: ({ news }) => each(news, ({ id }) => ({ publish_time: `2024-01-${11 + id}` })),
  },
  {
    what: 'four of ten news items are deleted with their type',
    before: ({ news }) =>
      each(
        news,
        () => ({ type_id: 2 }),
        ({ id }) => id > 8,
      ),
    rows: ({ news, news_types }) => {
      remove(news, ({ id }) => id > 8);
      remove(news_types, ({ id }) => id === 2);
    },
  },
  {
    what: 'a third of the configurations are deleted with their prices',
    rows: ({ configurations, prices }) => {
      remove(configurations, ({ id }) => id % 4 === 1);
      remove(prices, ({ rel_id }) => Number(rel_id) % 4 === 1);
    },
  },
  {
    what: 'the only hidden news item is shown, so that its column is empty',
    rows: ({ news }) => each(news, () => ({ hidden: '' })),
  },
  {
    what: 'all hidden configurations are shown, and the column says so',
    rows: ({ configurations }) => each(configurations, () => ({ hidden: 'no' })),
  },
  {
    what: 'times of publication are emptied that have passed',
    before: ({ news }) => each(news, () => ({ publish_time: PAST })),
    rows: ({ news }) => each(news, () => ({ publish_time: '' })),
  },
];
