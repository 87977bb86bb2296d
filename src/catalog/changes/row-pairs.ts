import { type CatalogName, CONFIGURATION_PRICE, columnNamesOf } from '../../contract/columns.ts';
import { type AnyRow, type FormerRow, isSameValue } from './former-rows.ts';

/** A row before and after a change. */
export interface RowPair {
  catalog: CatalogName;
  /** Undefined for a row that is added. */
  before: FormerRow | undefined;
  /** Undefined for a row that is removed. */
  after: AnyRow | undefined;
  /** The columns whose values differ; none for a row that is added or removed, or as it was. */
  columns: readonly string[];
}

/**
 * Pairs the rows of a catalog before and after a change by what identifies them, in the order of that, however their files
 * are sorted. The price of a configuration is identified by product, configuration and duration, since an export may
 * number its records anew; any other row is identified by its id.
 */
export function* pairRows(
  catalog: CatalogName,
  before: readonly FormerRow[],
  after: readonly AnyRow[],
): Generator<RowPair> {
  const order = catalog === 'prices' ? byPrice : byId;
  const columns = columnNamesOf(catalog);
  const [old, fresh] = [before.toSorted(order), after.toSorted(order)];
  let at = 0;
  for (const row of fresh) {
    for (let next = old[at]; next && order(next, row) < 0; next = old[at]) {
      yield { catalog, before: next, after: undefined, columns: [] };
      at += 1;
    }
    const same = old[at];
    if (same && order(same, row) === 0) {
      yield { catalog, before: same, after: row, columns: otherColumns(same, row, columns) };
      at += 1;
    } else {
      yield { catalog, before: undefined, after: row, columns: [] };
    }
  }
  for (const row of old.slice(at)) yield { catalog, before: row, after: undefined, columns: [] };
}

const NONE: readonly string[] = [];

/** Most rows are as they were, and need no list. */
function otherColumns(before: FormerRow, after: AnyRow, columns: readonly string[]): readonly string[] {
  if (before === after) return NONE;
  const isOther = (column: string) => !isSameValue(before[column], after[column]);
  return columns.some(isOther) ? columns.filter(isOther) : NONE;
}

type Order = (one: FormerRow, other: FormerRow) => number;

const byId: Order = (one, other) => one.id - other.id;

/** Prices of anything but configurations come last. Named columns are faster than a list of them. */
const byPrice: Order = (one, other) => {
  if (!isOfConfiguration(one) || !isOfConfiguration(other))
    return Number(isOfConfiguration(other)) - Number(isOfConfiguration(one)) || one.id - other.id;
  return (
    Number(one.product_id) - Number(other.product_id) ||
    Number(one.rel_id) - Number(other.rel_id) ||
    Number(one.duration_id) - Number(other.duration_id)
  );
};

function isOfConfiguration({ rel_type }: FormerRow): boolean {
  return rel_type === CONFIGURATION_PRICE;
}

/** Whether a row is identified by product, configuration and duration rather than by its id. */
export function isConfigurationPrice(catalog: CatalogName, row: FormerRow): boolean {
  return catalog === 'prices' && isOfConfiguration(row);
}
