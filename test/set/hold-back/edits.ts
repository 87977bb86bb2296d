import type { Files } from '../../support/catalogs.ts';

type Value = string | number | boolean | undefined;
export type Row = { id: number } & Record<string, Value>;

export type Shop = Record<
  'products' | 'configurations' | 'durations' | 'prices' | 'news_types' | 'news',
  Row[]
>;

export const FUTURE = '2099-01-01';
export const PAST = '2024-06-01';
export const range = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

/**
 * Products with four configurations each, of which the last of each product is hidden; four durations; prices for all, those
 * of hidden configurations included; twelve news items, of which one is hidden, one scheduled, and one that will expire.
 */
export function shopToEdit(): Shop {
  const configurations = range(12).map(id => ({
    ...{ id, product_id: Math.ceil(id / 4), name: `Size ${id}`, cpu: 1, memory: 1024, order: id },
    hidden: id % 4 === 0 ? 'yes' : 'no',
  }));
  const durations = range(4).map(id => ({ id, name: `Months ${id}`, num: 10 ** id, unit: 'month' }));
  return {
    products: range(3).map(id => ({ id, name: `Product ${id}` })),
    configurations,
    durations,
    prices: configurations.flatMap(({ id: rel_id, product_id }) =>
      durations.map(({ id, num }) => ({
        ...{ id: rel_id * 10 + id, product_id, rel_id, duration_id: id },
        price: (rel_id === 1 && id === 1 ? 0 : num * 1.95 + rel_id).toFixed(2),
      })),
    ),
    news_types: range(3).map(id => ({ id, name: `Type ${id}` })),
    news: range(12).map(id => ({
      ...{ id, title: `Title ${id}`, content: `Content ${id}`, create_time: '2024-01-05', type_id: 1 },
      publish_time: id === 2 ? FUTURE : '2024-01-06',
      unpublish_time: id === 3 ? FUTURE : '',
      hidden: id === 1 ? 'yes' : '',
    })),
  };
}

/** The files of a set: CSV but for products, durations and types. */
export function filesOf(shop: Shop): Files {
  const { products, durations, news_types, ...others } = shop;
  const tables = Object.entries(others).map(([name, rows]) => [`${name}.csv`, csv(rows)]);
  return {
    'products.json': products,
    'durations.json': durations,
    'news_types.json': news_types,
    ...Object.fromEntries(tables),
  };
}

function csv(rows: readonly Row[]): string {
  const columns = Object.keys(rows[0] ?? { id: 0 });
  return `${[columns, ...rows.map(row => columns.map(column => row[column]))].map(cells => `${cells.join(',')}\n`).join('')}`;
}

/** What somebody does to the rows of a set. */
export type Edit = (shop: Shop) => void;

/** Whether an edit concerns a row. */
export type Pick = (row: Row, index: number) => boolean;
const any: Pick = () => true;
export const ofProduct = (id: number) => (row: Row) => row.product_id === id;
export const isId =
  (...ids: number[]) =>
  ({ id }: Row) =>
    ids.includes(id);

export const put =
  (catalog: keyof Shop, values: object | ((row: Row) => object), isPicked = any): Edit =>
  shop => {
    for (const row of shop[catalog].filter(isPicked))
      Object.assign(row, typeof values === 'function' ? values(row) : values);
  };

export const scale = (factor: number, isPicked = any, digits = 4): Edit =>
  put('prices', ({ price }) => ({ price: (Number(price) * factor).toFixed(digits) }), isPicked);

export const drop =
  (names: string, isPicked: Pick): Edit =>
  shop => {
    for (const name of names.split(' ') as (keyof Shop)[])
      shop[name] = shop[name].filter((row, index) => !isPicked(row, index));
  };

export const add =
  (catalog: keyof Shop, row: Row): Edit =>
  shop =>
    void shop[catalog].push(row);

export const without =
  (catalog: keyof Shop, column: string): Edit =>
  shop => {
    for (const row of shop[catalog]) delete row[column];
  };

/** Puts the values of a column into another order. The other columns stay. */
export const move =
  (catalog: keyof Shop, column: string, order: (values: Value[]) => Value[], isPicked = any): Edit =>
  shop => {
    const rows = shop[catalog].filter(isPicked);
    const values = order(rows.map(row => row[column]));
    for (const [index, row] of rows.entries()) Object.assign(row, { [column]: values[index] });
  };

/** Orders of {@link move}. */
export const sorted = (values: Value[]): Value[] =>
  values.toSorted((one, other) => Number(one) - Number(other) || String(one).localeCompare(String(other)));
export const reversed = (values: Value[]): Value[] => values.toReversed();
export const shiftedBy =
  (count: number) =>
  (values: Value[]): Value[] => [...values.slice(count), ...values.slice(0, count)];

/** Swaps what two rows of a catalog say, and not their ids. */
export const swap =
  (catalog: keyof Shop, one: number, other: number, columns: string): Edit =>
  shop => {
    const [first, second] = [one, other].map(id => shop[catalog].find(row => row.id === id));
    if (!first || !second) return;
    for (const column of columns.split(' '))
      [first[column], second[column]] = [second[column], first[column]];
  };

/** The files of the shop after edits. */
export function edited(shop: Shop, edits: readonly Edit[]): Files {
  for (const edit of edits) edit(shop);
  return filesOf(shop);
}
