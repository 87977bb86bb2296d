import { drop, isId, move, put, shiftedBy, sorted } from './edits.ts';
import {
  change,
  copy,
  cut,
  type Deeds,
  exchange,
  fillDown,
  first,
  later,
  number,
  repeat,
  times,
} from './site.ts';

/** Accidents with a whole site and with whole columns, by the rules that see them. */
export const columnAccidents: Record<string, Deeds> = {
  LOST_ROWS: {
    'all news items are deleted': drop('news', () => true),
    'the file of all news items is deleted': site => void Reflect.deleteProperty(site, 'news'),
  },
  // Columns take the values of others.
  MOVED_VALUES: {
    'cpu and memory are exchanged': exchange('configurations', 'cpu', 'memory'),
    'name and description of products are exchanged': exchange('products', 'name', 'description'),
    'the title is pasted over the content': copy('news', 'title', 'content'),
    'memory moves up a row': move('configurations', 'memory', shiftedBy(1)),
    'hidden is sorted': move('configurations', 'hidden', sorted),
    'type_id is sorted': move('news', 'type_id', sorted),
  },
  MOVED_IDS: {
    'names of products move up a row': move('products', 'name', shiftedBy(1)),
    'all news items get other ids': number('news', 1001),
    'all news items are there twice': repeat('news'),
  },
  // Numbers are in another unit.
  SCALED_VALUES: {
    'memory is in GB': times('configurations', 'memory', 1 / 1024),
    'memory is in GB but for some new values': [
      times('configurations', 'memory', 1 / 1024),
      put('configurations', { memory: 3 }, isId(5, 9)),
    ],
    'num is 24 times as many': times('durations', 'num', 24),
    'read is a hundred times as many': times('news', 'read', 100),
  },
  // Columns lose what told their rows apart.
  LOST_VALUES: {
    'all types are equal': fillDown('news', 'type_id'),
    'all units are days': put('durations', { unit: 'day' }),
    'nine of ten titles are equal': fillDown('news', 'title', (_, index) => index % 10 !== 3),
    'all contents are blank': put('news', { content: '<p>&nbsp;</p>' }),
    'five contents are cut at 150 characters': change(
      'news',
      'content',
      text => text.slice(0, 150),
      first(5),
    ),
    'contents are cut at 120 characters, with an ellipsis': cut('news', 'content', 120, '…'),
    'contents are cut at 90 characters, and closed': cut('news', 'content', 90, '…</p>'),
    'img is emptied': put('news', { img: '' }),
    'the keywords of nine of ten items are emptied': put(
      'news',
      { keywords: '' },
      (_, index) => index % 10 !== 3,
    ),
    'the column order is filled down': fillDown('configurations', 'order'),
  },
  MOVED_TIMES: {
    'create_times are one or two hours later': later('create_time', 3600, ({ id }) => id % 2 === 0),
    'seven create_times are a day later': later('create_time', 86_400, first(7)),
    'all create_times are now': put('news', { create_time: 1_790_000_000 }),
  },
  LOST_PART: {
    'all prices of two configurations but one are deleted': drop(
      'prices',
      row => [1, 3].includes(Number(row.rel_id)) && Number(row.duration_id) !== 4,
    ),
    'most configurations of a product are deleted with their prices': [
      drop('configurations', row => row.product_id === 2 && row.id % 5 !== 1),
      drop('prices', row => row.product_id === 2 && Number(row.rel_id) % 5 !== 1),
    ],
  },
  FAR_PRICE: {
    'a price is a hundred times as high': times('prices', 'price', 100, isId(41)),
    'a price is a hundredth': times('prices', 'price', 0.01, isId(41)),
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
