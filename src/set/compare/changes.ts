import {
  type Change,
  type ChangesHead,
  type ComparedCatalog,
  shortened,
  unservedColumns,
} from '../../contract/changes.ts';
import { type CatalogName, columnNamesOf } from '../../contract/columns.ts';
import {
  type CatalogDifference,
  type FormerRow,
  type FormerValue,
  isConfigurationPrice,
} from './differences.ts';

type ChangedColumn = Change['columns'][number];

/** How a change shows values. */
interface ChangeStyle {
  /** Whether a column is shown. */
  has(column: string): boolean;
  /** Whether it is for visitors: long texts are cut off, and of a row that is gone no values are shown. */
  isPublic: boolean;
}

/** Everything. */
export const wholeChange: ChangeStyle = { has: () => true, isPublic: false };

const publicChange: ChangeStyle = { has: column => !unservedColumns.includes(column), isPublic: true };

/** The difference between two rows; undefined if no column that is shown differs. */
export function changeOf(
  catalog: CatalogName,
  before: FormerRow | undefined,
  after: FormerRow | undefined,
  differing: readonly string[],
  style: ChangeStyle,
): Change | undefined {
  const row = after ?? before;
  if (!row) return undefined;
  const isChanged = before !== undefined && after !== undefined;
  // Of a row that comes or goes, the columns in which it has a value.
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

/** Whether anything is counted. */
export function hasChanges(catalog: ComparedCatalog): boolean {
  const { file, added, removed, changed, columns_added, columns_removed } = catalog;
  return file !== undefined || added + removed + changed + columns_added.length + columns_removed.length > 0;
}

/** A report lists at most this many changes, */
const MAX_CHANGES = 100_000;
/** and no more once it takes this many bytes. Further changes are counted, but not listed. */
const MAX_BYTES = 2 ** 25;

/**
 * The report of what changes for visitors when a set replaces another. A row that becomes visible is added in it, and one
 * that does not stay visible is removed. It has nothing that visitors could not see, and no values of a row that they
 * cannot see any more: whoever takes a news item off the site means it.
 */
export function publicReport(
  differences: readonly CatalogDifference[],
  about: Omit<ChangesHead, 'catalogs'>,
): ChangeTable {
  const json = openBytes();
  const offsets = [0];
  const catalogs = differences.map(difference =>
    countChanges(difference, publicChange, change => {
      if (offsets.length <= MAX_CHANGES && json.length() < MAX_BYTES)
        offsets.push(json.add(`${JSON.stringify(change)},`));
    }),
  );
  const head = { ...about, catalogs: catalogs.filter(hasChanges) } satisfies ChangesHead;
  return {
    head: Buffer.from(JSON.stringify(head)),
    json: json.bytes(),
    itemOffsets: Uint32Array.from(offsets),
  };
}

/**
 * The public report of what a set changed, as JSON in UTF-8. Without an object a change, a report of any length costs the
 * garbage collector nothing, and a page of it is copied in one piece.
 */
export interface ChangeTable {
  /** The object with everything but the list. */
  head: Uint8Array;
  /** The changes, each with a comma after it. */
  json: Uint8Array;
  /** Byte offset in `json` where each change begins; and, as one more, where the last one ends. */
  itemOffsets: Uint32Array;
}

const NEWLINE = 10;
const COMMA = 44;

/** A report as lines of JSON, for a file: first the head, then each change. */
export function linesOf({ head, json, itemOffsets }: ChangeTable): Buffer {
  const lines = Buffer.concat([head, Buffer.from('\n'), json]);
  for (const end of itemOffsets.subarray(1)) lines[head.length + end] = NEWLINE;
  return lines;
}

/** The report of {@link linesOf}. JSON has its line feeds escaped, so each one ends a line. */
export function fromLines(lines: Buffer): ChangeTable {
  const start = lines.indexOf(NEWLINE);
  const json = Buffer.from(lines.subarray(start + 1));
  const offsets = [0];
  for (let end = json.indexOf(NEWLINE); end >= 0; end = json.indexOf(NEWLINE, end)) {
    json[end] = COMMA;
    offsets.push(end + 1);
  }
  return { head: lines.subarray(0, start), json, itemOffsets: Uint32Array.from(offsets) };
}

/** How many bytes of UTF-8 a UTF-16 unit may take. */
const MAX_UTF8_BYTES = 3;

/** Collects texts as UTF-8 in a buffer that doubles. The system provides memory only for the part in use. */
export function openBytes() {
  let bytes = Buffer.allocUnsafeSlow(2 ** 16);
  let length = 0;
  return {
    /** Returns where the text ends. */
    add(text: string): number {
      const most = length + MAX_UTF8_BYTES * text.length;
      if (most > bytes.length) {
        const larger = Buffer.allocUnsafeSlow(Math.max(most, 2 * bytes.length));
        bytes.copy(larger, 0, 0, length);
        bytes = larger;
      }
      length += bytes.write(text, length);
      return length;
    },
    length: () => length,
    bytes: () => bytes.subarray(0, length),
  };
}
