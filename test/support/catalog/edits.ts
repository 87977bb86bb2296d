import type { Files } from '../catalogs.ts';

type Value = string | number | undefined;
type Row = { id: number } & Record<string, Value>;

/** The rows of a set, by catalog. */
export type Shop = Record<
  'products' | 'configurations' | 'durations' | 'prices' | 'news_types' | 'news',
  Row[]
>;

export const FUTURE = '2099-01-01';
export const PAST = '2024-06-01';
const range = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

/**
 * Three products with four configurations each, of which the last of each product is hidden; four durations; 36 prices that
 * visitors see and 12 that they do not; twelve news items, of which one is hidden, one scheduled, and one that will expire.
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

/** More products, with four configurations each, as in {@link shopToEdit}. */
export function enlarge(shop: Shop, products: number): void {
  for (const { id, name } of range(products)
    .map(id => ({ id, name: `Product ${id}` }))
    .slice(3)) {
    shop.products.push({ id, name });
    for (const of of range(4)) {
      const rel_id = (id - 1) * 4 + of;
      shop.configurations.push({
        ...{ id: rel_id, product_id: id, name: `Size ${rel_id}`, cpu: 1, memory: 1024, order: rel_id },
        hidden: of === 4 ? 'yes' : 'no',
      });
      for (const duration_id of range(4))
        shop.prices.push({
          ...{ id: rel_id * 10 + duration_id, product_id: id, rel_id, duration_id },
          price: (10 ** duration_id * 1.95 + rel_id).toFixed(2),
        });
    }
  }
}

/** What somebody does to a set: to its rows, or to its files. */
export interface Edit {
  what: string;
  rows?(shop: Shop): void;
  files?(files: Record<string, string>): Files;
  /** Another set than {@link shopToEdit} to begin with. */
  before?(shop: Shop): void;
}

/** Puts the values of a column into another order. The other columns stay. */
export function moveColumn(column: string, rows: Row[], order: (values: Value[]) => Value[]): void {
  const values = order(rows.map(row => row[column]));
  for (const [index, row] of rows.entries()) Object.assign(row, { [column]: values[index] });
}

/** Orders of {@link moveColumn}. */
export const sorted = (values: Value[]): Value[] =>
  values.toSorted((one, other) => Number(one) - Number(other) || String(one).localeCompare(String(other)));
export const reversed = (values: Value[]): Value[] => values.toReversed();
export const shiftedBy =
  (count: number) =>
  (values: Value[]): Value[] => [...values.slice(count), ...values.slice(0, count)];

/** Swaps what two rows say, and not their ids. */
export function swap(rows: Row[], one: number, other: number, columns: readonly string[]): void {
  const [first, second] = [one, other].map(id => rows.find(row => row.id === id));
  if (!first || !second) return;
  for (const column of columns) [first[column], second[column]] = [second[column], first[column]];
}

/** Changes each row of a list, or those that a test picks. */
export function each<R extends Row>(
  rows: R[],
  change: (row: Row) => Record<string, Value>,
  isPicked = (_: Row) => true,
) {
  for (const row of rows) if (isPicked(row)) Object.assign(row, change(row));
}

/** Deletes a column. */
export function without(column: string, rows: Row[]): void {
  for (const row of rows) delete row[column];
}

/** Deletes rows. */
export function remove(rows: Row[], isPicked: (row: Row, index: number) => boolean): void {
  rows.splice(0, rows.length, ...rows.filter((row, index) => !isPicked(row, index)));
}

/** Multiplies a price. */
export const times = (factor: number) => (row: Row) => ({ price: (Number(row.price) * factor).toFixed(4) });
/** Whether a row is of this product. */
export const ofProduct = (id: number) => (row: Row) => row.product_id === id;
