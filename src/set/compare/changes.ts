import {
  type Change,
  type ChangesHead,
  type ComparedCatalog,
  shortened,
  unservedColumns,
} from '../../contract/changes.ts';
import { type CatalogName, columnNamesOf } from '../../contract/columns.ts';
import { type AnyRow, type CatalogDifference, isConfigurationPrice, type Value } from './differences.ts';

type ChangedColumn = Change['columns'][number];

interface ChangeStyle {
  has(column: string): boolean;
  /** Whether it is for visitors: long texts are cut off, and of a row that is gone no values are shown. */
  isPublic: boolean;
}

export const wholeChange: ChangeStyle = { has: () => true, isPublic: false };

const publicChange: ChangeStyle = { has: column => !unservedColumns.includes(column), isPublic: true };

/** The difference between two rows; undefined if no column that is shown differs. */
export function changeOf(
  catalog: CatalogName,
  before: AnyRow | undefined,
  after: AnyRow | undefined,
  differing: readonly string[],
  style: ChangeStyle,
): Change | undefined {
  const row = after ?? before;
  if (!row) return undefined;
  const isChanged = before !== undefined && after !== undefined;
  const shown = (isChanged ? differing : columnNamesOf(catalog)).filter(
    column => style.has(column) && (isChanged || row[column] !== undefined),
  );
  if (shown.length === 0) return undefined;
  const key = keyOf(catalog, row);
  if (!after && style.isPublic) return { catalog, change: 'removed', key, columns: [] };
  const change = isChanged ? 'changed' : after ? 'added' : 'removed';
  const columns = shown.map(column => changedColumn(column, before?.[column], after?.[column], style));
  return { catalog, change, key, columns };
}

function keyOf(catalog: CatalogName, row: AnyRow): Change['key'] {
  const { id, product_id, rel_id, duration_id } = row;
  if (!isConfigurationPrice(catalog, row)) return { id };
  return { product_id: Number(product_id), rel_id: Number(rel_id), duration_id: Number(duration_id) };
}

function changedColumn(
  column: string,
  before: Value,
  after: Value,
  { isPublic }: ChangeStyle,
): ChangedColumn {
  const [from, to] = [shownValue(before, isPublic), shownValue(after, isPublic)];
  const percent = column === 'price' ? percentOf(from, to) : undefined;
  return { column, from, to, ...(percent !== undefined && { percent }) };
}

function shownValue(value: Value, isPublic: boolean): ChangedColumn['from'] {
  return typeof value === 'string' && isPublic ? shortened(value) : (value ?? null);
}

/** With two digits after the point; undefined unless there was a price, and is one. */
function percentOf(from: ChangedColumn['from'], to: ChangedColumn['to']): number | undefined {
  if (typeof from !== 'number' || typeof to !== 'number' || from === 0) return undefined;
  return Math.round(((to - from) / from) * 10_000) / 100;
}

/** Calls `onChange` with each change of a catalog, and counts them. Whether its file is new or gone is not public. */
export function countChanges(
  { catalog, file, gained, lost, rows }: CatalogDifference,
  style: ChangeStyle,
  onChange: (change: Change) => void,
): ComparedCatalog {
  const counts = { added: 0, removed: 0, changed: 0 };
  for (const { before, after, columns, seenBefore, seenAfter } of rows) {
    const change = style.isPublic
      ? changeOf(catalog, seenBefore, seenAfter, columns, style)
      : changeOf(catalog, before, after, columns, style);
    if (!change) continue;
    counts[change.change] += 1;
    onChange(change);
  }
  return {
    catalog,
    ...(file && !style.isPublic && { file }),
    ...counts,
    columns_added: gained.filter(style.has),
    columns_removed: lost.filter(style.has),
  };
}

export function hasChanges(catalog: ComparedCatalog): boolean {
  const { file, added, removed, changed, columns_added, columns_removed } = catalog;
  return file !== undefined || added + removed + changed + columns_added.length + columns_removed.length > 0;
}

/** The most changes that a report lists, and the most characters of them. It counts the others. */
const MAX_CHANGES = 100_000;
const MAX_LENGTH = 2 ** 25;

/** The public report of what a set changed, as JSON. */
export interface ChangeTable {
  /** The object with everything but the list. */
  head: string;
  /** The changes, by catalog and key. */
  changes: readonly string[];
}

/**
 * The report of what changes for visitors when a set replaces another. A row that becomes visible is added in it, and one
 * that does not stay visible is removed. It has nothing that visitors could not see, and no values of a row that they
 * cannot see any more: whoever takes a news item off the site means it.
 */
export function publicReport(
  differences: readonly CatalogDifference[],
  about: Omit<ChangesHead, 'catalogs'>,
): ChangeTable {
  const changes: string[] = [];
  let length = 0;
  const add = (change: Change) => {
    if (changes.length === MAX_CHANGES || length >= MAX_LENGTH) return;
    const json = JSON.stringify(change);
    length += json.length;
    changes.push(json);
  };
  const catalogs = differences.map(difference => countChanges(difference, publicChange, add));
  const head = { ...about, catalogs: catalogs.filter(hasChanges) } satisfies ChangesHead;
  return { head: JSON.stringify(head), changes };
}

/** A report as lines of JSON, for a file: first the head, then each change. */
export function linesOf({ head, changes }: ChangeTable): Buffer {
  return Buffer.from(`${[head, ...changes].join('\n')}\n`);
}

/** The report of {@link linesOf}. */
export function fromLines(lines: Buffer): ChangeTable {
  const [head = '', ...changes] = lines.toString().trimEnd().split('\n');
  return { head, changes };
}
