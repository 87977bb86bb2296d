import { type Change, shortened } from '../../contract/changes.ts';
import { type CatalogName, columnNamesOf } from '../../contract/columns.ts';
import type { FormerRow, FormerValue } from './former-rows.ts';
import { isConfigurationPrice, type RowPair } from './row-pairs.ts';

type ChangedColumn = Change['columns'][number];

/** How a change shows values. */
export interface ChangeStyle {
  /** Whether a column is shown. */
  has(column: string, catalog: CatalogName): boolean;
  /** Whether it is for visitors: long texts are cut off, and of a row that is gone no values are shown. */
  isPublic: boolean;
}

/** Everything. */
export const wholeChange: ChangeStyle = { has: () => true, isPublic: false };

/** The difference between two rows; undefined if no column that is shown differs. */
export function changeOf(
  { catalog, before, after, columns: differing }: Omit<RowPair, 'seenBefore' | 'seenAfter'>,
  style: ChangeStyle,
): Change | undefined {
  const row = after ?? before;
  if (!row) return undefined;
  const isChanged = before !== undefined && after !== undefined;
  // Of a row that comes or goes, the columns in which it has a value.
  const shown = (isChanged ? differing : columnNamesOf(catalog)).filter(
    column => style.has(column, catalog) && (isChanged || row[column] !== undefined),
  );
  if (shown.length === 0) return undefined;
  const key = keyOf(catalog, row);
  if (!after && style.isPublic) return { catalog, change: 'removed', key, columns: [] };
  const change = isChanged ? 'changed' : after ? 'added' : 'removed';
  const columns = shown.map(column => changedColumn(column, before?.[column], after?.[column], style));
  return { catalog, change, key, columns };
}

function keyOf(catalog: CatalogName, row: FormerRow): Change['key'] {
  const { id, product_id, rel_id, duration_id } = row;
  if (!isConfigurationPrice(catalog, row)) return { id };
  return { product_id: Number(product_id), rel_id: Number(rel_id), duration_id: Number(duration_id) };
}

function changedColumn(
  column: string,
  before: FormerValue,
  after: FormerValue,
  { isPublic }: ChangeStyle,
): ChangedColumn {
  const [from, to] = [shownValue(before, isPublic), shownValue(after, isPublic)];
  const percent = column === 'price' ? percentOf(from, to) : undefined;
  return { column, from, to, ...(percent !== undefined && { percent }) };
}

function shownValue(value: FormerValue, isPublic: boolean): ChangedColumn['from'] {
  if (typeof value === 'object') return `${value.start}…`;
  if (typeof value !== 'string' || !isPublic) return value ?? null;
  return shortened(value);
}

/** With two digits after the point; undefined unless there was a price, and is one. */
function percentOf(from: ChangedColumn['from'], to: ChangedColumn['to']): number | undefined {
  if (typeof from !== 'number' || typeof to !== 'number' || from === 0) return undefined;
  return Math.round(((to - from) / from) * 10_000) / 100;
}
