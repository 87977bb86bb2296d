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

/** For visitors, long texts are cut off, and neither unserved columns nor values of a row that is gone are shown. */
type Audience = 'editors' | 'visitors';

const isFor = (audience: Audience) => (column: string) =>
  audience === 'editors' || !unservedColumns.includes(column);

/** The difference between two rows; undefined if no column that is shown differs. */
export function changeOf(
  catalog: CatalogName,
  before: AnyRow | undefined,
  after: AnyRow | undefined,
  differing: readonly string[],
  audience: Audience,
): Change | undefined {
  const row = after ?? before;
  if (!row) return undefined;
  const isChanged = before !== undefined && after !== undefined;
  const shown = (isChanged ? differing : columnNamesOf(catalog)).filter(
    column => isFor(audience)(column) && (isChanged || row[column] !== undefined),
  );
  if (shown.length === 0) return undefined;
  const key = keyOf(catalog, row);
  if (!after && audience === 'visitors') return { catalog, change: 'removed', key, columns: [] };
  const change = isChanged ? 'changed' : after ? 'added' : 'removed';
  const columns = shown.map(column => changedColumn(column, before?.[column], after?.[column], audience));
  return { catalog, change, key, columns };
}

function keyOf(catalog: CatalogName, row: AnyRow): Change['key'] {
  const { id, product_id, rel_id, duration_id } = row;
  if (!isConfigurationPrice(catalog, row)) return { id };
  return { product_id: Number(product_id), rel_id: Number(rel_id), duration_id: Number(duration_id) };
}

function changedColumn(column: string, before: Value, after: Value, audience: Audience): ChangedColumn {
  const shown = (value: Value) =>
    typeof value === 'string' && audience === 'visitors' ? shortened(value) : (value ?? null);
  const [from, to] = [shown(before), shown(after)];
  const percent = column === 'price' ? percentOf(from, to) : undefined;
  return { column, from, to, ...(percent !== undefined && { percent }) };
}

/** With two digits after the point; undefined unless there was a price, and is one. */
function percentOf(from: ChangedColumn['from'], to: ChangedColumn['to']): number | undefined {
  if (typeof from !== 'number' || typeof to !== 'number' || from === 0) return undefined;
  return Math.round(((to - from) / from) * 10_000) / 100;
}

/** Calls `onChange` with each change of a catalog, and counts them. Whether its file is new or gone is not public. */
export function countChanges(
  { catalog, file, gained, lost, rows }: CatalogDifference,
  audience: Audience,
  onChange: (change: Change) => void,
): ComparedCatalog {
  const isAll = audience === 'editors';
  const counts = { added: 0, removed: 0, changed: 0 };
  for (const { before, after, columns, seenBefore, seenAfter } of rows) {
    const [from, to] = isAll ? [before, after] : [seenBefore, seenAfter];
    const change = changeOf(catalog, from, to, columns, audience);
    if (!change) continue;
    counts[change.change] += 1;
    onChange(change);
  }
  return {
    catalog,
    ...(file && isAll && { file }),
    ...counts,
    columns_added: gained.filter(isFor(audience)),
    columns_removed: lost.filter(isFor(audience)),
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
  const catalogs = differences.map(difference => countChanges(difference, 'visitors', add));
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
