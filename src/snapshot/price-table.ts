import { CONFIGURATION_PRICE, type Price } from '../contract/columns.ts';

const columns = ['id', 'product_id', 'rel_id', 'duration_id', 'price'] as const satisfies (keyof Price)[];

/**
 * The prices, as one array a column: a set of any size costs the garbage collector nothing. There is no column
 * `rel_type`, because only prices of configurations are served.
 */
export type PriceTable = Record<(typeof columns)[number], Float64Array>;

/** Finds rows of a {@link PriceTable}. The product needs no key: a price has the product of its configuration. */
export type PriceIndex = ReturnType<typeof indexPrices>;

export function tabulatePrices(prices: readonly Price[]): PriceTable {
  const table = Object.fromEntries(
    columns.map(name => [name, Float64Array.from(prices.map(row => row[name]))]),
  );
  return table as PriceTable;
}

export function indexPrices({ rel_id, duration_id }: PriceTable) {
  const rows = new Map<number, number[]>();
  for (const [row, configurationId] of rel_id.entries()) {
    const ofConfiguration = rows.get(configurationId) ?? [];
    ofConfiguration.push(row);
    rows.set(configurationId, ofConfiguration);
  }
  const rowsOf = (configurationId: number): readonly number[] => rows.get(configurationId) ?? [];
  return {
    /** The rows of a configuration, in the order of durations; empty for an unknown one. */
    rowsOf,
    /** The row of a configuration and a duration; undefined if they have no price. */
    rowOf: (configurationId: number, durationId: number) =>
      rowsOf(configurationId).find(row => duration_id[row] === durationId),
  };
}

export function priceAt(table: PriceTable, row: number): Price {
  return {
    id: valueAt(table.id, row),
    product_id: valueAt(table.product_id, row),
    rel_id: valueAt(table.rel_id, row),
    duration_id: valueAt(table.duration_id, row),
    price: valueAt(table.price, row),
    rel_type: CONFIGURATION_PRICE,
  };
}

function valueAt(column: Float64Array, row: number): number {
  return column[row] ?? Number.NaN;
}
