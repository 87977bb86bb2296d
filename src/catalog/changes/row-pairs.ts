import { type CatalogName, CONFIGURATION_PRICE, columnNamesOf } from '../../contract/columns.ts';
import { type AnyRow, type FormerRow, isSameValue } from './former-rows.ts';
import type { IsVisible } from './visible-rows.ts';

/** A row before and after a change. */
export interface RowPair {
  catalog: CatalogName;
  /** Undefined for a row that is added. */
  before: FormerRow | undefined;
  /** Undefined for a row that is removed. */
  after: AnyRow | undefined;
  /** The columns whose values differ; none for a row that is added or removed, or as it was. */
  columns: readonly string[];
  /** `before`, if it is seen. */
  seenBefore: FormerRow | undefined;
  /** `after`, if it is seen. */
  seenAfter: AnyRow | undefined;
}

/** Which rows are seen of the two sets. */
export interface Visibility {
  before: IsVisible;
  after: IsVisible;
}

/**
 * Pairs the rows of a catalog before and after a change by what identifies them, in the order of that, however their files
 * are sorted. The price of a configuration is identified by product, configuration and duration, since an export may
 * number its records anew; any other row is identified by its id. Where the two begin or end with the same objects, which
 * are as they were, these come first.
 */
export function* pairRows(
  catalog: CatalogName,
  before: readonly FormerRow[],
  after: readonly AnyRow[],
  visibility?: Visibility,
): Generator<RowPair> {
  const columns = columnNamesOf(catalog);
  const pair = (old: FormerRow | undefined, fresh: AnyRow | undefined): RowPair => ({
    catalog,
    before: old,
    after: fresh,
    columns: old && fresh ? otherColumns(old, fresh, columns) : NONE,
    seenBefore: old && visibility?.before(catalog, old) === false ? undefined : old,
    seenAfter: fresh && visibility?.after(catalog, fresh) === false ? undefined : fresh,
  });
  const [start, end] = sameEnds(before, after);
  for (const row of after.slice(0, start)) yield pair(row, row);
  for (const row of after.slice(after.length - end)) yield pair(row, row);

  const order = orderOf(catalog);
  const old = before.slice(start, before.length - end).sort(order);
  const fresh = after.slice(start, after.length - end).sort(order);
  let at = 0;
  for (const row of fresh) {
    for (let next = old[at]; next && order(next, row) < 0; next = old[at]) {
      yield pair(next, undefined);
      at += 1;
    }
    const same = old[at];
    const isPaired = same !== undefined && order(same, row) === 0;
    yield pair(isPaired ? same : undefined, row);
    if (isPaired) at += 1;
  }
  for (const row of old.slice(at)) yield pair(row, undefined);
}

/** How many objects two lists have in common at their beginning, and how many of the others at their end. */
function sameEnds(some: readonly object[], others: readonly object[]): [start: number, end: number] {
  const most = Math.min(some.length, others.length);
  let start = 0;
  while (start < most && some[start] === others[start]) start += 1;
  let end = 0;
  while (end < most - start && some.at(-1 - end) === others.at(-1 - end)) end += 1;
  return [start, end];
}

const NONE: readonly string[] = [];

/** Most rows are as they were, and need no list. */
function otherColumns(before: FormerRow, after: AnyRow, columns: readonly string[]): readonly string[] {
  if (before === after) return NONE;
  const isOther = (column: string) => !isSameValue(before[column], after[column]);
  return columns.some(isOther) ? columns.filter(isOther) : NONE;
}

/** How many rows two lists have in common at their beginning, by what identifies them. */
export function sameStart(
  catalog: CatalogName,
  before: readonly FormerRow[],
  after: readonly FormerRow[],
): number {
  const order = orderOf(catalog);
  const start = before.findIndex((row, index) => {
    const other = after[index];
    return !other || order(row, other) !== 0;
  });
  return start === -1 ? before.length : start;
}

type Order = (one: FormerRow, other: FormerRow) => number;

const orderOf = (catalog: CatalogName): Order => (catalog === 'prices' ? byPrice : byId);

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

/** What identifies a row in its catalog; see {@link pairRows}. */
export function rowKey(catalog: CatalogName, row: FormerRow): number | string {
  if (!isConfigurationPrice(catalog, row)) return row.id;
  return `${row.product_id} ${row.rel_id} ${row.duration_id}`;
}

/** Whether a row is identified by product, configuration and duration rather than by its id. */
export function isConfigurationPrice(catalog: CatalogName, row: FormerRow): boolean {
  return catalog === 'prices' && isOfConfiguration(row);
}
