import { drop, isId, move, ofProduct, put, reversed, shiftedBy } from './edits.ts';
import { change, copy, type Deeds, first, number, times } from './site.ts';

const translated = (value: string) => `${value.split('').reverse().join('')} (fr)`;

/** What must go live at once. */
export const ordinaryEdits: Deeds = {
  'all prices rise by 5 to 20 %': put('prices', ({ id, price }) => ({
    price: Number((Number(price) * (1.05 + (id % 16) / 100)).toFixed(4)),
  })),
  'a price is a tenth of what it was': times('prices', 'price', 0.1, isId(41)),
  'a price is 40 times as high': times('prices', 'price', 40, isId(41)),
  'a product is added with the configurations and prices of another': ({
    products,
    configurations,
    prices,
  }) => {
    products.push({ id: 99, name: 'Copied', description: 'A copy' });
    const own = configurations.filter(row => row.product_id === 1);
    configurations.push(...own.map(row => ({ ...row, id: row.id + 900, product_id: 99 })));
    const its = prices.filter(row => row.product_id === 1);
    prices.push(
      ...its.map(row => ({ ...row, id: row.id + 9000, product_id: 99, rel_id: Number(row.rel_id) + 900 })),
    );
  },
  'hourly prices end but for those of a product': drop(
    'prices',
    row => row.duration_id === 1 && row.product_id !== 1,
  ),
  'hourly prices end': drop('prices', row => row.duration_id === 1),
  'titles and contents are translated': [
    change('news', 'title', translated),
    change('news', 'content', translated),
    change('news', 'keywords', translated),
  ],
  'descriptions are rewritten, shorter': change('products', 'description', (_, { id }) => `Short ${id}`),
  'contents are rewritten as one sentence': change('news', 'content', (_, { id }) => `See page ${id}.`),
  'a last line is taken from all contents': change('news', 'content', text =>
    text.replace(/[^.。]*[.。]?(<\/p>)?\s*$/, ''),
  ),
  'all hidden configurations are shown': put('configurations', { hidden: false }),
  'two configurations are hidden and two others shown': put('configurations', ({ id, hidden }) => ({
    hidden: hidden ? ![2, 7, 11, 26].includes(id) : [14, 15].includes(id),
  })),
  'the keywords of five items are cleared': put('news', { keywords: '' }, first(5)),
  'update_time is the time of creation': copy('news', 'create_time', 'update_time'),
  'durations are restated in days': put('durations', ({ num, unit }) => {
    const days = { hour: 1, day: 1, week: 7, month: 30, year: 365 }[String(unit)] ?? 1;
    return unit === 'hour'
      ? {}
      : { num: Number(num) * days, unit: 'day', name: `${Number(num) * days} days` };
  }),
  'the memory of a product is four times as much': times('configurations', 'memory', 4, ofProduct(2)),
  'three configurations get eight times the memory': times('configurations', 'memory', 8, isId(1, 2, 3)),
  'all configurations of a product have as many cpu': put('configurations', { cpu: 4 }, ofProduct(2)),
  'the order is turned round': move('configurations', 'order', reversed),
  'the order is in tens': times('configurations', 'order', 10),
  'news items are in another order, with their ids': ({ news }) => void news.reverse(),
  'prices are numbered anew': number('prices', 70_000),
  'three products exchange their descriptions': move('products', 'description', shiftedBy(1), first(3)),
  'five create_times are corrected, each by itself': put(
    'news',
    ({ id, create_time }) => ({ create_time: Number(create_time) + id * 40_000 }),
    first(5),
  ),
  'reads are those of today': put('news', ({ id, read }) => ({ read: Number(read ?? 0) + id * 3 + 7 })),
  'four news items are written': ({ news }) =>
    void news.push(
      ...[901, 902, 903, 904].map(id => ({
        ...{ id, type_id: 1, title: 'Maintenance', content: 'Tonight.', create_time: 1_790_000_000 },
      })),
    ),
  'a new line of configurations replaces that of a product': [
    shop =>
      void shop.prices.splice(
        0,
        shop.prices.length,
        ...shop.prices.map(row =>
          row.product_id === 2 ? { ...row, rel_id: Number(row.rel_id) + 600, id: row.id + 9000 } : row,
        ),
      ),
    put('configurations', row => ({ id: row.id + 600, name: `Gen 2 ${row.name}` }), ofProduct(2)),
  ],
};
