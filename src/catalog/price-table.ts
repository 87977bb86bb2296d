import { CONFIGURATION_PRICE } from './relation.ts';
import type { Price } from './schemas.ts';
import { eachRow } from './strides.ts';

const columns = ['id', 'product_id', 'rel_id', 'duration_id', 'price'] as const satisfies (keyof Price)[];

/**
 * The prices that are served, a column each: numbers alone, and no object a row. Their `rel_type` is that of the prices
 * of configurations, which alone are served.
 */
export type PriceTable = Record<(typeof columns)[number], Float64Array>;

/**
 * The rows of {@link PriceTable} by configuration and duration; the durations of a configuration in their order. The
 * product of a price is that of its configuration.
 */
export type PriceIndex = ReadonlyMap<number, ReadonlyMap<number, number>>;

export function tabulatePrices(prices: readonly Price[]): PriceTable {
  const table = Object.fromEntries(columns.map(name => [name, Float64Array.from(prices, row => row[name])]));
  // Its keys are the columns.
  return table as PriceTable;
}

export async function indexPrices({ id, rel_id, duration_id }: PriceTable): Promise<PriceIndex> {
  const index = new Map<number, Map<number, number>>();
  await eachRow(id.length, row => {
    const configurationId = valueAt(rel_id, row);
    const rows = index.get(configurationId) ?? new Map<number, number>();
    rows.set(valueAt(duration_id, row), row);
    index.set(configurationId, rows);
  });
  return index;
}

/** A row of the table as it stood in the catalog. */
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
