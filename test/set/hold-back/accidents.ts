import type { Files } from '../../support/catalogs.ts';
import {
  add,
  drop,
  type Edit,
  edited,
  FUTURE,
  isId,
  move,
  ofProduct,
  PAST,
  type Pick,
  put,
  scale,
  shiftedBy,
  shopToEdit,
  sorted,
  swap,
  without,
} from './edits.ts';

/** What people do to a set, by what it is; `before` makes another set to begin with. */
export type Deeds = Record<string, Edits | { before: Edits; edits: Edits }>;
type Edits = Edit | Edit[];

export function filesAround(deed: Deeds[string]): { before: Files; after: Files } {
  const { before, edits } = 'before' in deed ? deed : { before: [], edits: deed };
  const first = [before].flat();
  return { before: edited(shopToEdit(), first), after: edited(shopToEdit(), [...first, edits].flat()) };
}

const guarded = put('news', ({ id }) => ({ unpublish_time: id === 2 ? '' : FUTURE }));

/** What must be held back, by the codes of what is said. Each rule alone is the reason for one at least. */
export const accidents: Record<string, Deeds> = {
  LOST_ROWS: {
    'most news items are hidden': put('news', { hidden: 'yes' }, ({ id }) => id > 4),
    'all news items are scheduled for later': put('news', { publish_time: FUTURE, unpublish_time: '' }),
  },
  LOST_GUARD: {
    'the column hidden of news is deleted': without('news', 'hidden'),
    'the column publish_time of news is deleted': without('news', 'publish_time'),
    'the column unpublish_time of news is deleted': without('news', 'unpublish_time'),
    'the column isDraft is deleted': {
      before: put('prices', ({ id }) => ({ isDraft: Number(id) < 13 ? 'yes' : '' })),
      edits: without('prices', 'isDraft'),
    },
  },
  EMPTY_GUARD: {
    'the column hidden of news is emptied': {
      before: put('news', { hidden: 'yes' }, isId(4)),
      edits: put('news', { hidden: '' }),
    },
    'the column unpublish_time is emptied': { before: guarded, edits: put('news', { unpublish_time: '' }) },
  },
  EMPTY_PRODUCT: {
    'all configurations of one product are hidden': put('configurations', { hidden: 'yes' }, ofProduct(2)),
    'all configurations of one product are deleted, and the product is not': drop(
      'configurations prices',
      ofProduct(1),
    ),
  },
  ZERO_PRICE: { 'one price becomes 0': put('prices', { price: '0' }, isId(23)) },
  ZERO_SIZE: { 'two configurations lose their size': put('configurations', { cpu: '0' }, ofProduct(1)) },
  SHIFTED_PRICES: {
    'all prices are in cents': scale(100),
    'four of 36 prices are five times as high': scale(5, ({ rel_id }) => rel_id === 5),
  },
  MOVED_VALUES: {
    'a cell of the column price is deleted, and those below move up': {
      before: put('prices', ({ id }) => ({ price: 50 + ((Number(id) * 37) % 50) })),
      edits: [move('prices', 'price', shiftedBy(1)), put('prices', { price: 77.5 }, isId(124))],
    },
    'the column keywords is sorted by itself, and an item is corrected': {
      before: put('news', ({ id }) => ({ keywords: `word ${(Number(id) * 7) % 12}` })),
      edits: [move('news', 'keywords', sorted), put('news', { keywords: 'new' }, isId(12))],
    },
    'the column create_time is sorted by itself': {
      before: put('news', ({ id }) => ({ create_time: `2024-01-${10 + ((Number(id) * 7) % 12)}` })),
      edits: move('news', 'create_time', sorted),
    },
  },
  MOVED_IDS: {
    'the column title is sorted by itself': move('news', 'title', sorted),
    'the ids of configurations are filled in anew after they were sorted': [1, 2, 3].map(product =>
      move('configurations', 'id', shiftedBy(1), ofProduct(product)),
    ),
  },
  LOST_PART: {
    'half of the prices that visitors see are deleted, and their durations stay': drop(
      'prices',
      ({ duration_id }) => Number(duration_id) < 3,
    ),
    'four of ten news items are deleted': drop('news', ({ id }) => id > 8),
  },
  SCALED_VALUES: {
    'the prices of one product are tripled': scale(3, ofProduct(3)),
  },
};

const ofHidden: Pick = ({ rel_id }) => Number(rel_id) % 4 === 0;
const past = put('news', { publish_time: PAST });

/** What must go live at once. */
export const harmlessEdits: Deeds = {
  'all prices times 4.9': scale(4.9),
  'all prices are in another currency, and rounded': scale(4.31, undefined, 0),
  'three of 36 prices are ten times as high': scale(10, isId(52, 53, 54)),
  'the prices of hidden configurations are ten times as high': scale(10, ofHidden),
  'a price that was 0 becomes 5': put('prices', { price: '5' }, isId(11)),
  'a new configuration is free': [
    add('configurations', { id: 13, product_id: 1, name: 'Free', cpu: 1, memory: 1, order: 1, hidden: 'no' }),
    add('prices', { id: 999, product_id: 1, rel_id: 13, duration_id: 1, price: '0' }),
  ],
  'a third of the prices that visitors see are deleted': drop(
    'prices',
    ({ id, duration_id }) => duration_id === 1 || [12, 22, 32].includes(id),
  ),
  'half of the prices are deleted with their durations': [
    drop('durations', isId(1, 2)),
    drop('prices', ({ duration_id }) => Number(duration_id) < 3),
  ],
  'a product is hidden, and all of its configurations': [
    put('products', { hidden: 1 }, isId(3)),
    put('configurations', { hidden: 'yes' }, ofProduct(3)),
  ],
  'the scheduled news item is published': put('news', { publish_time: PAST }, isId(2)),
  'all news items are replaced by as many others': put('news', ({ id }) => ({
    id: Number(id) + 100,
    title: 'New',
    content: 'New',
  })),
  'the column hidden is deleted, and hides nothing': {
    before: put('configurations', { hidden: 'no' }),
    edits: without('configurations', 'hidden'),
  },
  'the column publish_time is deleted, and all its times have passed': {
    before: past,
    edits: without('news', 'publish_time'),
  },
  'all prices of a product that has two are tripled': {
    before: drop('prices', row => row.product_id === 3 && ![91, 92].includes(row.id)),
    edits: scale(3, ofProduct(3)),
  },
  'the prices of one product are higher, each by another factor of 3 or more': [1, 2, 3, 4].map(duration =>
    scale(3 + duration / 4, row => row.product_id === 3 && row.duration_id === duration),
  ),
  'each price becomes the next one of a scale': {
    before: put('prices', ({ id }) => ({ price: 5 * Math.ceil(Number(id) / 10) })),
    edits: put('prices', ({ price }) => ({ price: Number(price) + 5 })),
  },
  'two products change places with their configurations and prices': [
    swap('products', 2, 3, 'name'),
    ...[5, 6, 7, 8].flatMap(of => [
      swap('configurations', of, of + 4, 'name cpu memory'),
      ...[1, 2, 3, 4].map(at => swap('prices', of * 10 + at, (of + 4) * 10 + at, 'price')),
    ]),
  ],
  'two titles change places': swap('news', 5, 6, 'title'),
  'a third of the configurations are deleted with their prices': [
    drop('configurations', ({ id }) => id % 4 === 1),
    drop('prices', ({ rel_id }) => Number(rel_id) % 4 === 1),
  ],
};
