import { drop, isId, move, put, reversed, shiftedBy, sorted, without } from './edits.ts';
import {
  copy,
  cut,
  type Deeds,
  dropShare,
  exchange,
  fillDown,
  first,
  inSample,
  later,
  number,
  order,
  renumber,
  repeat,
  times,
} from './sites.ts';

/** Accidents with whole columns, by the rules that see them. */
export const columnAccidents: Record<string, Deeds> = {
  // Columns take the values of others.
  MOVED_VALUES: {
    'cpu and memory are exchanged': exchange('configurations', 'cpu', 'memory'),
    'title and keywords are exchanged': exchange('news', 'title', 'keywords'),
    'keywords and content are exchanged': exchange('news', 'keywords', 'content'),
    'name and description of products are exchanged': exchange('products', 'name', 'description'),
    'the title is pasted over the keywords': copy('news', 'title', 'keywords'),
    'the title is pasted over the content': copy('news', 'title', 'content'),
    'the cpu is pasted over the memory': copy('configurations', 'cpu', 'memory'),
    'the name is pasted over the description': inSample(copy('products', 'name', 'description')),
    'cpu is sorted': move('configurations', 'cpu', sorted),
    'memory moves up a row': move('configurations', 'memory', shiftedBy(1)),
    'hidden is sorted': move('configurations', 'hidden', sorted),
    'hidden moves down a row': move('configurations', 'hidden', shiftedBy(-1)),
    'type_id is sorted': move('news', 'type_id', sorted),
    'keywords move up three rows': move('news', 'keywords', shiftedBy(3)),
    'img moves up a row': move('news', 'img', shiftedBy(1)),
    'read is sorted': inSample(move('news', 'read', sorted)),
    'create_time is reversed': move('news', 'create_time', reversed),
    'descriptions move up a row': inSample(move('products', 'description', shiftedBy(1))),
    'unit moves up a row': inSample(move('durations', 'unit', shiftedBy(1))),
  },
  MOVED_IDS: {
    'products are sorted by name and numbered anew': inSample(order('products', 'name'), number('products')),
    'names of products move up a row': move('products', 'name', shiftedBy(1)),
    'a product is inserted at the top, and all are numbered anew': [
      ({ products }) => void products.unshift({ id: 0, name: 'New', description: '' }),
      number('products'),
    ],
    'durations are sorted by name and numbered anew': inSample(
      order('durations', 'name'),
      number('durations'),
    ),
    'durations are reversed and numbered anew': [
      ({ durations }) => void durations.reverse(),
      number('durations'),
    ],
    'products are numbered anew from the last on, with what they have': renumber(
      'products',
      'product_id',
      id => (id % 3) + 1 + (id > 3 ? 3 : 0),
    ),
    'all news items get other ids': number('news', 1001),
    'all configurations get other ids': renumber('configurations', 'rel_id', id => id + 500),
    'all news items are there twice': repeat('news'),
    'the first two thirds of the news items are there twice': repeat('news', row => row.id % 3 !== 0),
    'all configurations are there twice': repeat('configurations'),
    'all configurations are there twice, with their prices': [
      shop =>
        void shop.prices.push(
          ...shop.prices.map(row => ({ ...row, id: row.id + 5000, rel_id: Number(row.rel_id) + 5000 })),
        ),
      repeat('configurations'),
    ],
    'all products are there twice': inSample(repeat('products')),
  },
  // Numbers are in another unit.
  SCALED_VALUES: {
    'memory is in GB': times('configurations', 'memory', 1 / 1024),
    'memory is in GB, a thousand each': times('configurations', 'memory', 1 / 1000),
    'cpu is in thousandths': times('configurations', 'cpu', 1000),
    'cpu and memory are a hundred times as high': times('configurations', 'cpu memory', 100),
    'memory is in GB but for some new values': [
      times('configurations', 'memory', 1 / 1024),
      put('configurations', { memory: 3 }, isId(5, 9)),
    ],
    'num is 24 times as many': times('durations', 'num', 24),
    'read is a thousandth': inSample(
      put('news', ({ read }) => ({ read: Math.round(Number(read) / 10) * 100 })),
    ),
  },
  // Columns lose what told their rows apart.
  LOST_VALUES: {
    'all titles are equal': fillDown('news', 'title'),
    'all keywords are equal': fillDown('news', 'keywords'),
    'all names of configurations are equal': fillDown('configurations', 'name'),
    'all names of types are equal': inSample(fillDown('news_types', 'name')),
    'all memory is equal': fillDown('configurations', 'memory'),
    'all types are equal': fillDown('news', 'type_id'),
    'all units are days': put('durations', { unit: 'day' }),
    'all units are months': inSample(put('durations', { unit: 'month' })),
    'all images are equal': inSample(put('news', { img: 'cable-map.svg' })),
    'all reads are equal': fillDown('news', 'read'),
    'nine of ten titles are equal': fillDown('news', 'title', (_, index) => index % 10 !== 3),
    'all contents are blank': put('news', { content: '<p>&nbsp;</p>' }),
    'all contents are a dash': put('news', { content: '-' }),
    'contents are cut at 150 characters': cut('news', 'content', 150),
    'contents are cut at 120 characters, with an ellipsis': cut('news', 'content', 120, '…'),
    'contents are cut at 90 characters, and closed': cut('news', 'content', 90, '…</p>'),
    'long contents are cut at 900 characters': inSample(cut('news', 'content', 900)),
    'titles are cut at 12 characters': cut('news', 'title', 12),
    'keywords are cut at 20 characters': inSample(cut('news', 'keywords', 20)),
    'descriptions are cut at 80 characters': inSample(cut('products', 'description', 80)),
    'img is emptied': put('news', { img: '' }),
    'the heading of img is renamed': [copy('news', 'img', 'picture'), without('news', 'img')],
    'the column keywords is deleted': without('news', 'keywords'),
    'the column keywords is emptied': put('news', { keywords: '' }),
    'the keywords of nine of ten items are emptied': put(
      'news',
      { keywords: '' },
      (_, index) => index % 10 !== 3,
    ),
    'the column description is deleted': inSample(without('products', 'description')),
    'the column order is deleted': without('configurations', 'order'),
    'the column order is filled down': fillDown('configurations', 'order'),
  },
  MOVED_TIMES: {
    'create_times are an hour later': later('create_time', 3600),
    'create_times are one or two hours later': later('create_time', 3600, ({ id }) => id % 2 === 0),
    'create_times are four years and a day later': later('create_time', 1462 * 86_400),
    'seven create_times are a day later': later('create_time', 86_400, first(7)),
    'all create_times are now': put('news', { create_time: 1_790_000_000 }),
    'six create_times are today': put('news', { create_time: 1_790_000_000 }, first(6)),
  },
  LOST_PART: {
    'all news items of a type with five are deleted, and the type stays': inSample(
      drop('news', row => row.type_id === 2),
    ),
    'most news items of two types are deleted, and the types stay': inSample(
      drop('news', row => [3, 4].includes(Number(row.type_id)) && row.id < 37),
    ),
    'all news items of two types are deleted, and the types stay': inSample(
      drop('news', row => [2, 5].includes(Number(row.type_id))),
    ),
    'all prices of two configurations but one are deleted': inSample(
      drop('prices', row => [1, 2].includes(Number(row.rel_id)) && Number(row.duration_id) !== 4),
    ),
    'nearly all prices of a product are deleted': dropShare('prices', 'product_id', [3], 0.8),
    'most configurations of a product are deleted with their prices': [
      drop('configurations', row => row.product_id === 2 && row.id % 5 !== 1),
      drop('prices', row => row.product_id === 2 && Number(row.rel_id) % 5 !== 1),
    ],
  },
  FAR_PRICE: {
    'a price is a hundred times as high': times('prices', 'price', 100, isId(41)),
    'a price is a hundredth': times('prices', 'price', 0.01, isId(41)),
    'a price is sixty times as high': times('prices', 'price', 60, isId(100)),
    'two prices are in cents': times('prices', 'price', 100, isId(41, 62)),
    'a new price is a thousandth of what others are': [
      drop('durations', isId(99)),
      ({ configurations, prices }) => {
        const row = { id: 999, product_id: 1, name: 'New', cpu: 3, memory: 3000, order: 0 };
        configurations.push(row);
        const others = prices.filter(({ product_id, duration_id }) => product_id === 1 && duration_id === 4);
        const least = Math.min(...others.map(({ price }) => Number(price)));
        const ids = { id: 9999, product_id: 1, rel_id: 999, duration_id: 4 };
        prices.push({ ...ids, price: Number((least / 1000).toFixed(4)) });
      },
    ],
  },
};
