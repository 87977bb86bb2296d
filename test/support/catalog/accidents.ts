import {
  add,
  asJson,
  drop,
  type Edit,
  enlarge,
  FUTURE,
  isId,
  lastItems,
  move,
  ofProduct,
  PAST,
  type Pick,
  put,
  reversed,
  type Shop,
  save,
  scale,
  scheduled,
  shiftedBy,
  sorted,
  swap,
  without,
} from './edits.ts';

/** What somebody does to a set; `before` makes another set to begin with. */
export type HarmlessEdit = [what: string, edits: Edit[], before?: Edit[]];

/** What somebody does to a set, and what must hold it back, refuse it or warn of it. */
export type Accident = [codes: string, ...HarmlessEdit];

const guarded = put('news', ({ id }) => ({ unpublish_time: id === 2 ? '' : FUTURE }));
const heading = (file: string, from: string, to: string) => save(file, text => text.replace(from, to));
/** Numbers all news items from 1 on. */
const numberAnew: Edit = ({ news }) => {
  for (const [index, row] of news.entries()) row.id = index + 1;
};

/** Each rule alone is the reason for one of these at least. */
export const accidents: Accident[] = [
  [
    'LOST_ROWS',
    'all news items are deleted',
    [save('news.csv', text => text.slice(0, text.indexOf('\n') + 1))],
  ],
  ...['news.csv', 'durations.json', 'prices.csv'].map(
    (file): Accident => ['LOST_ROWS', `${file} is deleted`, [save(file, null)]],
  ),
  [
    'LOST_ROWS',
    'a news file without news items is saved as JSON',
    [{ files: () => ({ 'news.csv': null, 'news.json': [] }) }],
  ],
  ['LOST_ROWS', 'the types are deleted', [drop('news_types', () => true), without('news', 'type_id')]],
  [
    'LOST_ROWS',
    'two of three products are deleted with all that they have',
    [drop('products', isId(1, 2)), drop('configurations prices', row => Number(row.product_id) < 3)],
  ],
  ['LOST_ROWS EMPTY_PRODUCT', 'every configuration is hidden', [put('configurations', { hidden: 'yes' })]],
  ['LOST_ROWS', 'most news items are hidden', [put('news', { hidden: 'yes' }, ({ id }) => id > 4)]],
  [
    'LOST_ROWS',
    'all news items are scheduled for later',
    [put('news', { publish_time: FUTURE, unpublish_time: '' })],
  ],
  [
    'LOST_ROWS EMPTY_GUARD',
    'all news items have expired',
    [put('news', { publish_time: '', unpublish_time: PAST })],
  ],
  ...(['configurations hidden', 'news hidden', 'news publish_time', 'news unpublish_time'] as const).map(
    (what): Accident => {
      const [catalog = '', column = ''] = what.split(' ');
      return [
        'LOST_GUARD',
        `the column ${column} of ${catalog} is deleted`,
        [without(catalog as keyof Shop, column)],
      ];
    },
  ),
  [
    'LOST_GUARD',
    'the column draft is deleted',
    [without('news', 'draft')],
    [put('news', ({ id }) => ({ hidden: '', draft: Number(id) < 3 ? 'yes' : '' }))],
  ],
  [
    'EMPTY_GUARD',
    'the column published is emptied',
    [put('news', { published: '' })],
    [put('news', ({ id }) => ({ publish_time: '', published: id < 3 ? FUTURE : id < 5 ? 'no' : '' }))],
  ],
  [
    'LOST_GUARD',
    'configurations are saved as JSON without the key hidden',
    [asJson('configurations', column => column !== 'hidden' && column !== 'order')],
  ],
  [
    'EMPTY_PRODUCT',
    'all configurations of one product are hidden',
    [put('configurations', { hidden: 'yes' }, ofProduct(2))],
  ],
  [
    'EMPTY_PRODUCT',
    'all configurations of one product are deleted, and the product is not',
    [drop('configurations prices', ofProduct(1))],
  ],
  [
    'EMPTY_PRODUCT',
    'the configurations of one product are moved to another',
    [put('configurations', { product_id: 1 }, ofProduct(2)), put('prices', { product_id: 1 }, ofProduct(2))],
  ],
  ['ZERO_PRICE', 'one price becomes 0', [put('prices', { price: '0' }, isId(23))]],
  ['SHIFTED_PRICES', 'all prices are in cents', [scale(100)]],
  [
    'SHIFTED_PRICES SCALED_PRODUCT',
    'the prices of one product are ten times as high',
    [scale(10, ofProduct(3))],
  ],
  ['SHIFTED_PRICES', 'four of 36 prices are five times as high', [scale(5, ({ rel_id }) => rel_id === 5)]],
  ['SHIFTED_PRICES MOVED_VALUES', 'the column price is sorted by itself', [move('prices', 'price', sorted)]],
  [
    'MOVED_VALUES',
    'the prices of each duration are sorted by themselves, from the highest',
    [1, 2, 3, 4].map(duration =>
      move('prices', 'price', reversed, row => row.id > 20 && row.duration_id === duration),
    ),
  ],
  [
    'MOVED_VALUES',
    'a cell of the column price is deleted, and those below move up',
    [move('prices', 'price', shiftedBy(1)), put('prices', { price: 77.5 }, isId(124))],
    [put('prices', ({ id }) => ({ price: 50 + ((Number(id) * 37) % 50) }))],
  ],
  ['MOVED_IDS', 'the column title is sorted by itself', [move('news', 'title', sorted)]],
  ['MOVED_VALUES', 'the column content is sorted by itself', [move('news', 'content', reversed)]],
  [
    'MOVED_VALUES',
    'the column keywords is sorted by itself, and an item is corrected',
    [move('news', 'keywords', sorted), put('news', { keywords: 'new' }, isId(12))],
    [put('news', ({ id }) => ({ keywords: `word ${(Number(id) * 7) % 12}` }))],
  ],
  [
    'MOVED_VALUES',
    'the column create_time is sorted by itself',
    [move('news', 'create_time', sorted)],
    [put('news', ({ id }) => ({ create_time: `2024-01-${10 + ((Number(id) * 7) % 12)}` }))],
  ],
  [
    'MOVED_VALUES',
    'the column publish_time is reversed by itself',
    [move('news', 'publish_time', reversed)],
    [scheduled],
  ],
  ['MOVED_IDS', 'the names of configurations are sorted', [move('configurations', 'name', sorted)]],
  [
    'MOVED_VALUES',
    'the names of products are sorted by themselves',
    [move('products', 'name', sorted)],
    [enlarge(6), move('products', 'name', shiftedBy(2))],
  ],
  ['MOVED_IDS', 'the news items are numbered anew after they were sorted', [move('news', 'id', reversed)]],
  [
    'MOVED_IDS',
    'a news item is inserted at the top, and all are numbered anew',
    [({ news }) => void news.unshift({ ...news[4], id: 0, title: 'New' }), numberAnew],
  ],
  [
    'MOVED_IDS',
    'the ids of configurations are filled in anew after they were sorted',
    [1, 2, 3].map(product => move('configurations', 'id', shiftedBy(1), ofProduct(product))),
  ],
  ['EMPTY_GUARD', 'the column hidden of configurations is emptied', [put('configurations', { hidden: '' })]],
  [
    'EMPTY_GUARD',
    'the column hidden of news is emptied',
    [put('news', { hidden: '' })],
    [put('news', { hidden: 'yes' }, isId(4))],
  ],
  ['EMPTY_GUARD', 'the column publish_time is emptied', [put('news', { publish_time: '' })]],
  ['EMPTY_GUARD', 'the column unpublish_time is emptied', [put('news', { unpublish_time: '' })], [guarded]],
  [
    'LOST_PART',
    'half of the prices that visitors see are deleted, and their durations stay',
    [drop('prices', ({ duration_id }) => Number(duration_id) < 3)],
  ],
  ['LOST_PART', 'four of ten news items are deleted', [drop('news', lastItems)]],
  [
    'LOST_PART',
    'four of nine configurations are deleted with their prices',
    [
      drop('configurations', isId(1, 5, 6, 9)),
      drop('prices', ({ rel_id }) => [1, 5, 6, 9].includes(Number(rel_id))),
    ],
  ],
  ['SCALED_PRODUCT', 'the prices of one product are tripled', [scale(3, ofProduct(3))]],
  [
    'SCALED_PRODUCT',
    'the prices of one of many products are in cents',
    [scale(100, ofProduct(12))],
    [enlarge(20)],
  ],
  [
    'SCALED_PRODUCT',
    'the prices of one of many products are a tenth',
    [scale(0.1, ofProduct(12), 2)],
    [enlarge(20)],
  ],
  ['WRONG_PRODUCT', 'the column rel_id is sorted by itself', [move('prices', 'rel_id', reversed)]],
  [
    'WRONG_PRODUCT',
    'the column product_id of configurations is reversed by itself',
    [move('configurations', 'product_id', reversed)],
  ],
  ['DUPLICATE_PRICE', 'the column duration_id is filled down', [put('prices', { duration_id: 1 })]],
  ['UNKNOWN_REFERENCE', 'a duration is deleted, and its prices are not', [drop('durations', isId(4))]],
  ['UNKNOWN_REFERENCE', 'a product is deleted, and what it has is not', [drop('products', isId(3))]],
  [
    'DUPLICATE_ID DUPLICATE_PRICE',
    'all prices are pasted twice',
    [({ prices }) => void prices.push(...prices.map(row => ({ ...row })))],
  ],
  ['BAD_NUMBER', 'a price becomes a word', [put('prices', { price: 'gratis' }, isId(23))]],
  ['MISSING_COLUMN', 'the column price is deleted', [without('prices', 'price')]],
  [
    'TITLE_ROW',
    'a title is inserted above the headings',
    [save('prices.csv', text => `Prices of 2026,,,,\n${text}`)],
  ],
  [
    'NEVER_SHOWN',
    'the columns publish_time and unpublish_time change places',
    [heading('news.csv', 'publish_time,unpublish_time', 'unpublish_time,publish_time')],
    [guarded],
  ],
  [
    'NOT_READ',
    'the prices are saved under another name beside the former ones',
    [{ files: ({ 'prices.csv': text = '' }) => ({ 'prices (1).csv': text }) }],
  ],
  ['NO_PRICE', 'the prices of a configuration are deleted', [drop('prices', ({ rel_id }) => rel_id === 6)]],
];

const ofHidden: Pick = ({ rel_id }) => Number(rel_id) % 4 === 0;
const past = put('news', { publish_time: PAST });

/** What must go live at once. */
export const harmlessEdits: HarmlessEdit[] = [
  ['one price rises', [scale(1.1, isId(23))]],
  ...[1.33, 4.9, 0.5, 0.9].map((factor): HarmlessEdit => [`all prices times ${factor}`, [scale(factor)]]),
  ['all prices are in another currency, and rounded', [scale(4.31, undefined, 0)]],
  ['three of 36 prices are ten times as high', [scale(10, isId(52, 53, 54))]],
  [
    'as many prices rise by a large factor as fall by one, each less than a tenth',
    [scale(10, isId(52, 53, 54)), scale(0.1, isId(62, 63, 64))],
  ],
  ['the prices of hidden configurations are ten times as high', [scale(10, ofHidden)]],
  ['a price that was 0 becomes 5', [put('prices', { price: '5' }, isId(11))]],
  [
    'a new configuration is free',
    [
      add('configurations', {
        id: 13,
        product_id: 1,
        name: 'Free',
        cpu: 1,
        memory: 1,
        order: 1,
        hidden: 'no',
      }),
      add('prices', { id: 999, product_id: 1, rel_id: 13, duration_id: 1, price: '0' }),
    ],
  ],
  [
    'a third of the prices that visitors see are deleted',
    [drop('prices', ({ id, duration_id }) => duration_id === 1 || [12, 22, 32].includes(id))],
  ],
  [
    'half of the prices are deleted with their durations',
    [drop('durations', isId(1, 2)), drop('prices', ({ duration_id }) => Number(duration_id) < 3)],
  ],
  ['the last row is deleted and another one is edited', [drop('prices', isId(124)), scale(1.1, isId(23))]],
  [
    'a product is deleted with all that it has',
    [drop('products', isId(2)), drop('configurations prices', ofProduct(2))],
  ],
  ['one of three configurations is hidden', [put('configurations', { hidden: 'yes' }, isId(1))]],
  [
    'the hidden configurations are deleted',
    [drop('configurations', ({ id }) => id % 4 === 0), drop('prices', ofHidden)],
  ],
  [
    'a configuration is moved to another product',
    [
      put('configurations', { product_id: 2 }, isId(1)),
      put('prices', { product_id: 2 }, ({ rel_id }) => rel_id === 1),
    ],
  ],
  ['a news item expires', [put('news', { unpublish_time: PAST }, isId(5))]],
  ['the scheduled news item is published', [put('news', { publish_time: PAST }, isId(2))]],
  [
    'all news items are replaced by as many others',
    [put('news', ({ id }) => ({ id: Number(id) + 100, title: 'New', content: 'New' }))],
  ],
  ['the rows are sorted in another order', [({ prices }) => void prices.reverse()]],
  ['the prices are numbered anew', [put('prices', ({ id }) => ({ id: 5000 - Number(id) }))]],
  [
    'the column hidden is deleted, and hides nothing',
    [without('configurations', 'hidden')],
    [put('configurations', { hidden: 'no' })],
  ],
  [
    'the column publish_time is deleted, and all its times have passed',
    [without('news', 'publish_time')],
    [past],
  ],
  [
    'the prices are saved with semicolons and decimal commas',
    [save('prices.csv', text => text.replaceAll(',', ';').replaceAll('.', ','))],
  ],
  ['the prices are saved as JSON', [asJson('prices')]],
  ['the prices of one product are doubled', [scale(2, ofProduct(3))]],
  [
    'all prices of a product that has two are tripled',
    [scale(3, ofProduct(3))],
    [drop('prices', row => row.product_id === 3 && ![91, 92].includes(row.id))],
  ],
  [
    'the prices of one product are higher, each by another factor of 3 or more',
    [1, 2, 3, 4].map(duration =>
      scale(3 + duration / 4, row => row.product_id === 3 && row.duration_id === duration),
    ),
  ],
  [
    'each price becomes the next one of a scale',
    [put('prices', ({ price }) => ({ price: Number(price) + 5 }))],
    [put('prices', ({ id }) => ({ price: 5 * Math.ceil(Number(id) / 10) }))],
  ],
  [
    'two products change places with their configurations and prices',
    [
      swap('products', 2, 3, 'name'),
      ...[5, 6, 7, 8].flatMap(of => [
        swap('configurations', of, of + 4, 'name cpu memory'),
        ...[1, 2, 3, 4].map(at => swap('prices', of * 10 + at, (of + 4) * 10 + at, 'price')),
      ]),
    ],
  ],
  [
    'all products change places with their prices',
    [1, 2, 3].flatMap(one => [
      swap('products', one, 7 - one, 'name'),
      ...[1, 2, 3, 4].flatMap(of =>
        [1, 2, 3, 4].map(at => {
          const id = ((one - 1) * 4 + of) * 10 + at;
          return swap('prices', id, id + (7 - 2 * one) * 40, 'price');
        }),
      ),
    ]),
    [enlarge(6), put('prices', { price: 3 }, isId(11))],
  ],
  [
    'all configurations become larger by a step',
    [put('configurations', ({ memory }) => ({ memory: Number(memory) * 2 }))],
    [put('configurations', ({ id }) => ({ memory: 1024 * 2 ** (Number(id) % 6) }))],
  ],
  ['titles are corrected', [put('news', ({ title }) => ({ title: `${title}!` }))]],
  ['two titles change places', [swap('news', 5, 6, 'title')]],
  [
    'four of ten news items are deleted with their type',
    [drop('news', lastItems), drop('news_types', isId(2))],
    [put('news', { type_id: 2 }, lastItems)],
  ],
  [
    'a third of the configurations are deleted with their prices',
    [
      drop('configurations', ({ id }) => id % 4 === 1),
      drop('prices', ({ rel_id }) => Number(rel_id) % 4 === 1),
    ],
  ],
  ['the only hidden news item is shown, so that its column is empty', [put('news', { hidden: '' })]],
  ['all hidden configurations are shown', [put('configurations', { hidden: 'no' })]],
];
