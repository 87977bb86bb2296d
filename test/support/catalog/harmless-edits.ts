import {
  add,
  asJson,
  drop,
  type Edit,
  enlarge,
  isId,
  lastItems,
  move,
  ofProduct,
  PAST,
  type Pick,
  put,
  reversed,
  save,
  scale,
  scheduled,
  swap,
  without,
} from './edits.ts';

/** What somebody does to a set; `before` makes another set to begin with. */
export type HarmlessEdit = [what: string, edits: Edit[], before?: Edit[]];

const ofHidden: Pick = ({ rel_id }) => Number(rel_id) % 4 === 0;
const past = put('news', { publish_time: PAST });

/** What must go live at once. */
export const harmlessEdits: HarmlessEdit[] = [
  ['one price rises', [scale(1.1, isId(23))]],
  ...[1.33, 4.9, 0.5, 0.9].map((factor): HarmlessEdit => [`all prices times ${factor}`, [scale(factor)]]),
  ['value added tax is added to all prices', [scale(1.19, undefined, 2)]],
  ['all prices are in another currency, and rounded', [scale(4.31, undefined, 0)]],
  ['three of 36 prices are ten times as high', [scale(10, isId(52, 53, 54))]],
  [
    'as many prices rise by a large factor as fall by one, each less than a tenth',
    [scale(10, isId(52, 53, 54)), scale(0.1, isId(62, 63, 64))],
  ],
  ['the prices of hidden configurations are ten times as high', [scale(10, ofHidden)]],
  ['the price of a hidden configuration becomes 0', [put('prices', { price: '0' }, isId(41))]],
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
  ['the first news item is deleted', [drop('news', isId(1))]],
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
  ['a product without configurations is added', [add('products', { id: 4, name: 'New' })]],
  ['a news item is hidden', [put('news', { hidden: 'yes' }, isId(5))]],
  ['a news item expires', [put('news', { unpublish_time: PAST }, isId(5))]],
  ['the scheduled news item is published', [put('news', { publish_time: PAST }, isId(2))]],
  [
    'a news item is added at the end',
    [save('news.csv', text => `${text}13,Title 13,Content 13,2024-01-07,1,,,\n`)],
  ],
  [
    'all news items are replaced by as many others',
    [put('news', ({ id }) => ({ id: Number(id) + 100, title: 'New', content: 'New' }))],
  ],
  ['all texts are rewritten', [put('news', { title: 'New', content: 'Text' })]],
  ['the rows are sorted in another order', [({ prices }) => void prices.reverse()]],
  ['the prices are numbered anew', [put('prices', ({ id }) => ({ id: 5000 - Number(id) }))]],
  ['the column order is deleted', [without('configurations', 'order')]],
  [
    'the column hidden is deleted, and hides nothing',
    [without('configurations', 'hidden')],
    [put('configurations', { hidden: 'no' })],
  ],
  [
    'the column hidden is deleted with the news item that it hides',
    [drop('news', isId(1)), without('news', 'hidden')],
  ],
  [
    'the column publish_time is deleted, and all its times have passed',
    [without('news', 'publish_time')],
    [past],
  ],
  ['the files are saved with CRLF', [save('prices.csv', text => text.replaceAll('\n', '\r\n'))]],
  [
    'the prices are saved with semicolons and decimal commas',
    [save('prices.csv', text => text.replaceAll(',', ';').replaceAll('.', ','))],
  ],
  [
    'the news is saved as UTF-16 with tabs',
    [save('news.csv', text => Buffer.from(`\uFEFF${text.replaceAll(',', '\t')}`, 'utf16le'))],
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
  ['four prices change places', [move('prices', 'price', reversed, (_, at) => at >= 20 && at < 24)]],
  [
    'the rows are sorted by price',
    [({ prices }) => void prices.sort((one, other) => Number(one.price) - Number(other.price))],
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
    'all news items appear a day later',
    [put('news', ({ id }) => ({ publish_time: `2024-01-${11 + Number(id)}` }))],
    [scheduled],
  ],
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
  ['times of publication are emptied that have passed', [put('news', { publish_time: '' })], [past]],
];
