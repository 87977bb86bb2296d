import type { Files } from '../catalogs.ts';
import { shop } from './serve.ts';

const LONG = `W${'a'.repeat(300)}`;
/** An item of the news. */
const item = { type_id: 1, title: LONG, content: LONG, create_time: 1_600_000_000 };

/** A set with all that can be shown: images, pages, news of another time, and words that are too long. */
export const longWords: Files = {
  ...shop,
  'products.json': [
    { id: 1, name: LONG, description: LONG },
    { id: 2, name: 'Cloud server' },
  ],
  'durations.json': (shop['durations.json'] as object[]).map(duration => ({ ...duration, name: LONG })),
  'news_types.json': [{ id: 1, name: LONG }],
  'news.json': [
    ...Array.from({ length: 25 }, (_, index) => ({
      id: index + 1,
      type_id: 1,
      title: index === 24 ? LONG : 'Title',
      content: `<p>${index === 24 ? LONG : 'one'}</p><p>${LONG}</p>`,
      keywords: index === 24 ? LONG : 'a, b',
      img: 'launch.png',
      read: index,
      create_time: 1_700_000_000 + index,
    })),
    { ...item, id: 31, hidden: true },
    ...Array.from({ length: 9 }, (_, index) => ({
      ...item,
      id: 41 + index,
      publish_time: `219${index}-01-01`,
    })),
    { ...item, id: 51, unpublish_time: '2190-01-01' },
  ],
};

const rowsOf = (file: string) => longWords[file] as { id: number }[];
const withMore = (file: string, column: string) =>
  rowsOf(file).map(row => ({ ...row, [column]: `${LONG} ${LONG} ${row.id}` }));
const prices = String(shop['prices.csv']);

/** Prices with an id that stands twice, and with a long wrong word. */
export const spoiled = {
  'prices.csv': `${prices.replace('105,1,12', '101,1,12').trimEnd()}\n1,1,11,1,${LONG}\n`,
};
/** A change of prices, products and news, which goes live. */
export const changed = {
  'prices.csv': prices.replace('19.99', '18.99'),
  'products.json': JSON.stringify(withMore('products.json', 'description')),
  'news.json': JSON.stringify(withMore('news.json', 'content')),
};
/** The same, but held back: visitors would see no configuration of a product. */
export const drastic = {
  ...changed,
  'configurations.csv': String(shop['configurations.csv']).replace(/^(1.*,)\w*$/gm, '$1yes'),
};
