import { drop, isId, move, ofProduct, put, type Row, reversed, shiftedBy, swap } from './edits.ts';
import { change, copy, type Deeds, first, inSample, later, number, order, times } from './sites.ts';

const translated = (value: string) => `${value.split('').reverse().join('')} (fr)`;

/** What must go live at once. */
export const ordinaryEdits: Deeds = {
  'all prices rise by 5 to 20 %': put('prices', ({ id, price }) => ({
    price: Number((Number(price) * (1.05 + (id % 16) / 100)).toFixed(4)),
  })),
  'the prices of a product rise by 12 %': times('prices', 'price', 1.12, ofProduct(2)),
  'all prices fall by a third': times('prices', 'price', 2 / 3),
  'yearly prices are halved': times('prices', 'price', 0.5, ({ duration_id }) => Number(duration_id) > 4),
  'a price is a tenth of what it was': times('prices', 'price', 0.1, isId(41)),
  'a price is 40 times as high': times('prices', 'price', 40, isId(41)),
  'a product has the prices of another': ({ prices }) => {
    const [least] = prices.toSorted((one, other) => Number(other.product_id) - Number(one.product_id));
    const last = Number(least?.product_id);
    for (const row of prices.filter(({ product_id }) => product_id === last)) {
      const sizeOf = ({ rel_id }: Row) => Number(rel_id) - (last === 5 ? 33 : 10);
      const same = prices.find(
        other =>
          other.product_id === 1 &&
          sizeOf(other) + (last === 5 ? 33 : 10) === sizeOf(row) &&
          other.duration_id === row.duration_id,
      );
      row.price = same?.price ?? row.price;
    }
  },
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
  'hourly prices are introduced': [
    drop('prices', row => row.duration_id === 1 && row.product_id !== 1),
    ({ prices, configurations }) =>
      void prices.push(
        ...configurations
          .filter(row => row.product_id === 4)
          .map(({ id }) => ({
            id: id + 7000,
            product_id: 4,
            rel_id: id,
            duration_id: 1,
            price: (10 + id) / 1000,
          })),
      ),
  ],
  'hourly prices end': drop('prices', row => row.duration_id === 1),
  'hourly prices end with their duration': [
    drop('prices', row => row.duration_id === 1),
    drop('durations', isId(1)),
  ],
  'the prices of a configuration for a year and more end': drop(
    'prices',
    row => row.rel_id === 2 && Number(row.duration_id) > 5,
  ),
  'titles and contents are translated': [
    change('news', 'title', translated),
    change('news', 'content', translated),
    change('news', 'keywords', translated),
  ],
  'names of configurations are translated': change('configurations', 'name', translated),
  'names of durations are translated': change('durations', 'name', translated),
  'descriptions are rewritten, shorter': change('products', 'description', (_, { id }) => `Short ${id}`),
  'contents are rewritten as one sentence': change('news', 'content', (_, { id }) => `See page ${id}.`),
  'a last line is taken from all contents': change('news', 'content', text =>
    text.replace(/[^.。]*[.。]?(<\/p>)?\s*$/, ''),
  ),
  'titles get a prefix': change('news', 'title', text => `News: ${text}`),
  'all hidden configurations are shown': put('configurations', { hidden: false }),
  'two configurations are hidden and two others shown': put('configurations', ({ id, hidden }) => ({
    hidden: hidden ? ![2, 7, 11, 26].includes(id) : [14, 15].includes(id),
  })),
  'most configurations of a product are hidden': put(
    'configurations',
    { hidden: true },
    row => row.product_id === 2 && row.id % 5 !== 1,
  ),
  'five configurations are hidden': put('configurations', { hidden: true }, isId(1, 6, 11, 14, 15)),
  'two images are cleared': ({ news }) => {
    for (const row of news.filter(({ img }) => img).slice(0, 2)) row.img = '';
  },
  'the keywords of five items are cleared': put('news', { keywords: '' }, first(5)),
  'images are given to all that have none': put('news', ({ img }) => (img ? {} : { img: 'new.png' })),
  'keywords are filled in where they were missing': put('news', ({ keywords, title }) =>
    keywords ? {} : { keywords: title },
  ),
  'update_time of all items is set': put('news', { update_time: 1_790_000_000 }),
  'update_time is the time of creation': copy('news', 'create_time', 'update_time'),
  'the last item of a type is deleted': drop('news', ({ id }) => [35, 12].includes(id)),
  'the ten oldest items are deleted': inSample(drop('news', first(10))),
  'a type is deleted, and its items have another': [
    put('news', { type_id: 1 }, row => row.type_id === 3),
    drop('news_types', isId(3)),
  ],
  'five items get another type': put(
    'news',
    ({ type_id }) => ({ type_id: (Number(type_id) % 3) + 1 }),
    first(5),
  ),
  'types are added and used': [
    ({ news_types }) => void news_types.push({ id: 77, name: 'More' }),
    put('news', { type_id: 77 }, row => row.id % 4 === 0),
  ],
  'durations are restated in days': put('durations', ({ num, unit }) => {
    const days = { hour: 1, day: 1, week: 7, month: 30, year: 365 }[String(unit)] ?? 1;
    return unit === 'hour'
      ? {}
      : { num: Number(num) * days, unit: 'day', name: `${Number(num) * days} days` };
  }),
  'durations are restated in days, and keep their names': put('durations', ({ num, unit }) => {
    const days = { hour: 1, day: 1, week: 7, month: 30, year: 365 }[String(unit)] ?? 1;
    return { num: Number(num) * days, unit: 'day' };
  }),
  'a duration is added': ({ durations }) =>
    void durations.push({ id: 88, name: '2 years', num: 2, unit: 'year' }),
  'the memory of a product is four times as much': times('configurations', 'memory', 4, ofProduct(2)),
  'three configurations get eight times the memory': times('configurations', 'memory', 8, isId(1, 2, 3)),
  'memory is rounded to thousands': put('configurations', ({ memory }) => ({
    memory: Math.ceil(Number(memory) / 1024) * 1000,
  })),
  'all configurations of a product have as many cpu': put('configurations', { cpu: 4 }, ofProduct(2)),
  'the order is turned round': move('configurations', 'order', reversed),
  'the order is in tens': times('configurations', 'order', 10),
  'the order is by name': [
    order('configurations', 'name'),
    ({ configurations }) => {
      for (const [index, row] of configurations.entries()) row.order = index + 1;
    },
  ],
  'news items are sorted by title, with their ids': order('news', 'title'),
  'prices are numbered anew': number('prices', 70_000),
  'two configurations exchange their names': swap('configurations', 1, 3, 'name'),
  'two products exchange their descriptions': swap('products', 1, 2, 'description'),
  'three products exchange their descriptions': move('products', 'description', shiftedBy(1), first(3)),
  'two items exchange images and keywords': swap('news', 6, 9, 'img keywords'),
  'four create_times are corrected by a day': later('create_time', 86_400, first(4)),
  'five create_times are corrected, each by itself': put(
    'news',
    ({ id, create_time }) => ({ create_time: Number(create_time) + id * 40_000 }),
    first(5),
  ),
  'eight scheduled items are put off by a week': later(
    'publish_time',
    604_800,
    row => Number(row.publish_time) > 2e9,
  ),
  'reads are those of today': put('news', ({ id, read }) => ({ read: Number(read ?? 0) + id * 3 + 7 })),
  'four news items are written': ({ news }) =>
    void news.push(
      ...[901, 902, 903, 904].map(id => ({
        ...{ id, type_id: 1, title: 'Maintenance', content: 'Tonight.', create_time: 1_790_000_000 },
      })),
    ),
  'a news item is copied and edited': ({ news }) =>
    void news.push({ ...news[0], id: 905, title: 'Once more', create_time: 1_790_000_000 }),
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
  'a product is deleted with all that it has': [
    drop('products', isId(3)),
    drop('configurations prices', ofProduct(3)),
  ],
};
