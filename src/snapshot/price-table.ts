import { CONFIGURATION_PRICE, type Price } from '../contract/columns.ts';

const columns = ['id', 'product_id', 'rel_id', 'duration_id', 'price'] as const satisfies (keyof Price)[];

/** The prices, one array per column, which costs the garbage collector nothing. All have the `rel_type` of configurations. */
export type PriceTable = Record<(typeof columns)[number], Float64Array> & {
  /** When a row comes into force, 0 for always; absent if all are. A row that only ends an offer has NaN as its price. */
  valid_from?: Float64Array;
};

/** Finds the rows in force. The product needs no key: a price has the product of its configuration. */
export type PriceIndex = ReturnType<typeof indexPrices>;

/** Makes the table, sorted by duration and, within a combination, by date. */
export function tabulatePrices(prices: readonly Price[]): PriceTable {
  const valuesOf = (valueIn: (row: Price) => number) => Float64Array.from(prices.map(valueIn));
  const table = Object.fromEntries(columns.map(name => [name, valuesOf(row => row[name])])) as PriceTable;
  if (!prices.some(row => row.valid_from)) return table;
  const price = valuesOf(row => (row.hidden ? Number.NaN : row.price));
  return { ...table, price, valid_from: valuesOf(row => row.valid_from ?? 0) };
}

/** Indexes the prices in force at `now` (Unix seconds): of each combination the last whose date has come. */
export function indexPrices({ rel_id, duration_id, price, valid_from }: PriceTable, now: number) {
  const [rows, coming] = [new Map<number, number[]>(), new Map<number, number[]>()];
  /** The index is valid from `from` until just before `until`, in Unix seconds. */
  let [from, until] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (const [row, configurationId] of rel_id.entries()) {
    const date = valid_from?.[row] ?? from;
    if (date > now) until = Math.min(until, date);
    else from = Math.max(from, date);
    const index = date > now ? coming : rows;
    const ofConfiguration = index.get(configurationId) ?? [];
    index.set(configurationId, ofConfiguration);
    const last = ofConfiguration.at(-1) ?? -1;
    if (index === rows && duration_id[last] === duration_id[row]) ofConfiguration.pop();
    if (index === coming || !Number.isNaN(price[row])) ofConfiguration.push(row);
  }
  const count = [...rows.values()].reduce((sum, { length }) => sum + length, 0);
  const rowsOf = (configurationId: number): readonly number[] => rows.get(configurationId) ?? [];
  const comingOf = (configurationId: number, durationId?: number): readonly number[] =>
    coming.get(configurationId)?.filter(row => [undefined, duration_id[row]].includes(durationId)) ?? [];
  return {
    ...{ from, until, count },
    /** The future rows of a configuration, or of it and a duration. */
    comingOf,
    /** When the next of them comes, in Unix seconds; Infinity for never. */
    nextOf: (...combination: Parameters<typeof comingOf>) =>
      // One configuration may have more future prices than a call may have arguments.
      comingOf(...combination).reduce((next, row) => Math.min(next, valid_from?.[row] ?? until), Infinity),
    /** The rows of a configuration, by duration; empty for an unknown one. */
    rowsOf,
    /** Undefined if the combination has no price. */
    rowOf: (configurationId: number, durationId: number) =>
      rowsOf(configurationId).find(row => duration_id[row] === durationId),
  };
}

export function priceAt(table: PriceTable, row: number): Price {
  const valueIn = (column: Float64Array) => column[row] ?? Number.NaN;
  return {
    id: valueIn(table.id),
    product_id: valueIn(table.product_id),
    rel_id: valueIn(table.rel_id),
    duration_id: valueIn(table.duration_id),
    price: valueIn(table.price),
    rel_type: CONFIGURATION_PRICE,
  };
}
