import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { CONFIGURATION_PRICE, type Price } from '../../contract/columns.ts';

const columns = ['id', 'product_id', 'rel_id', 'duration_id', 'price'] as const satisfies (keyof Price)[];

/**
 * The prices, as one array a column: a set of any size costs the garbage collector nothing. There is no column
 * `rel_type`, because only prices of configurations are served.
 */
export type PriceTable = Record<(typeof columns)[number], Float64Array>;

/**
 * Rows of {@link PriceTable} by configuration id, then by duration id, in the order of durations. The product needs no
 * key: a price has the product of its configuration.
 */
export type PriceIndex = ReadonlyMap<number, ReadonlyMap<number, number>>;

export function tabulatePrices(prices: readonly Price[]): PriceTable {
  const table = Object.fromEntries(
    columns.map(name => [name, Float64Array.from(prices.map(row => row[name]))]),
  );
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

/** A row of the table as a row of the prices catalog. */
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

/** How many rows are visited in a row: about a millisecond's work. */
const ROWS_PER_TURN = 2_000;

/** Calls `visit` for each row from 0, and yields to the event loop now and then, so that requests are answered. */
export async function eachRow(count: number, visit: (row: number) => void): Promise<void> {
  for (let row = 0; row < count; row += 1) {
    visit(row);
    if (row % ROWS_PER_TURN === ROWS_PER_TURN - 1) await yieldToEventLoop();
  }
}
