import type { CatalogName } from '../../../src/contract/columns.ts';

/** What a cell of a workbook holds, however its format shows it. Dates are in UTC; an empty cell holds null. */
export type Value = string | number | boolean | Date | null;

/** What a column holds, which decides how its cells can be formatted. */
export type Kind = 'id' | 'count' | 'amount' | 'text' | 'flag' | 'date' | 'time';

export interface Column {
  /** The heading, as the catalog names the column. */
  name: string;
  kind: Kind;
  required?: true;
}

export interface Sheet {
  catalog: CatalogName;
  columns: Column[];
  rows: Value[][];
}

/** More than the 16 rows that Excel writes with the same number of columns. */
const ROWS = 20;
const each = <Item>(make: (index: number) => Item): Item[] => Array.from({ length: ROWS }, (_, i) => make(i));
const pick = <Item>(items: readonly Item[], index: number): Item | null =>
  items[index % items.length] ?? null;

const required = (name: string, kind: Kind): Column => ({ name, kind, required: true });
const optional = (name: string, kind: Kind): Column => ({ name, kind });

/** Texts that a program may quote, or take for something else. */
const trickyTexts = [
  'He said "yes", twice',
  'one line\nand another; with\ttab | and bar,',
  '=1+1 is a title',
  "'in quotes'",
  '0123',
  '1e5',
  'TRUE',
  '12,5',
  '3/4/2026',
  ' spaces ',
];

/** Prices of each kind: with places that tell the decimal sign, without places, and with three places only. */
export const priceLists = {
  mixed: [0.00595, 99999999.9999, 1.928, 1928, 1234.5, 12, 0.1, 19.99, 12.345, 0],
  whole: [1928, 500, 12000, 7, 1234567],
  ambiguous: [1.928, 12, 12.345, 123.456, 1928],
} as const;
export type PriceList = keyof typeof priceLists;

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

/** The sheets of a shop whose names and news are these texts, and texts that are difficult to write. */
export function workbook(texts: readonly string[], prices: readonly number[] = priceLists.mixed): Sheet[] {
  const all = [...texts, ...trickyTexts];
  const memories = prices === priceLists.whole ? [1024, 512, 16384] : [1024, 2048.5, 512];
  return [
    {
      catalog: 'products',
      columns: [required('id', 'id'), required('name', 'text'), optional('description', 'text')],
      // The last rows have no description, so that Excel writes them shorter.
      rows: each(index => [index + 1, pick(all, index), index < 9 ? pick(texts, index) : null]),
    },
    {
      catalog: 'configurations',
      columns: [
        required('id', 'id'),
        required('product_id', 'id'),
        required('name', 'text'),
        required('cpu', 'amount'),
        required('memory', 'amount'),
        optional('order', 'count'),
        optional('hidden', 'flag'),
      ],
      rows: each(index => [
        100_000 + index,
        index + 1,
        pick(all, index + 3),
        pick([0.5, 1, 2, 16], index),
        pick(memories, index),
        pick([10, null, 0], index),
        pick([false, null, true, null, null], index),
      ]),
    },
    {
      catalog: 'durations',
      columns: [
        required('id', 'id'),
        required('name', 'text'),
        required('num', 'count'),
        required('unit', 'text'),
      ],
      rows: [
        [1, pick(texts, 0), 1, 'month'],
        [2, pick(texts, 1), 1, 'year'],
      ],
    },
    {
      catalog: 'prices',
      columns: [
        required('id', 'id'),
        required('product_id', 'id'),
        required('rel_id', 'id'),
        required('duration_id', 'id'),
        required('price', 'amount'),
        optional('rel_type', 'count'),
      ],
      rows: each(index => [
        1001 + index,
        index + 1,
        100_000 + index,
        1 + (index % 2),
        pick(prices, index),
        index < 3 ? 1 : null,
      ]),
    },
    {
      catalog: 'news',
      columns: [
        required('id', 'id'),
        required('title', 'text'),
        required('content', 'text'),
        required('create_time', 'time'),
        optional('update_time', 'date'),
        optional('keywords', 'text'),
        optional('hidden', 'flag'),
      ],
      rows: each(index => [
        index + 1,
        pick(all, index),
        pick(all, index + 5),
        new Date(Date.UTC(2024, 0, 5, 9, 5) + index * (17 * DAY + 101 * MINUTE)),
        index % 3 === 0 ? null : new Date(Date.UTC(2026, 2, 3 + index)),
        pick([null, pick(texts, 1)], index),
        index < 12 ? pick([true, false, null], index) : null,
      ]),
    },
  ];
}
