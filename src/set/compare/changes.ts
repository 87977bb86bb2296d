import {
  type Change,
  type ChangesHead,
  type ComparedCatalog,
  shortened,
  unservedColumns,
} from '../../contract/changes.ts';
import { type CatalogName, columnNamesOf } from '../../contract/columns.ts';
import {
  type CatalogPair,
  type ChangeVisitor,
  columnChanges,
  type FormerRow,
  type FormerValue,
  isConfigurationPrice,
  type RowPair,
} from './walk.ts';

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

/** All changes with whole values, as `vitrine diff --json` writes them. */
interface ChangeList extends ChangeVisitor {
  /** Those that differ, once all rows were seen. */
  readonly catalogs: readonly ComparedCatalog[];
  changes: readonly Change[];
}

export function openChangeList(): ChangeList {
  const catalogs: ComparedCatalog[] = [];
  const changes: Change[] = [];
  return {
    get catalogs() {
      return catalogs.filter(hasChanges);
    },
    changes,
    catalog: pair => void catalogs.push(openCounts(pair, wholeChange)),
    row(pair) {
      const change = changeOf(pair, wholeChange);
      const counts = catalogs.at(-1);
      if (!change || !counts) return;
      counts[change.change] += 1;
      changes.push(change);
    },
  };
}

/** A report lists at most this many changes, */
const MAX_CHANGES = 100_000;
/** and no more once it takes this many bytes. Further changes are counted, but not listed. */
const MAX_BYTES = 2 ** 25;

/** Writes a report of changes as JSON. */
interface ChangeReport extends ChangeVisitor {
  /** The report of all changes that it has seen. */
  table(about: Omit<ChangesHead, 'catalogs'>): ChangeTable;
}

const publicChange: ChangeStyle = { has: column => !unservedColumns.includes(column), isPublic: true };

/**
 * Opens the report of what changes for visitors when a set replaces another. A row that becomes visible is added in it, and
 * one that does not stay visible is removed. It has nothing that visitors could not see, and no values of a row that they
 * cannot see any more: whoever takes a news item off the site means it.
 */
export function openPublicReport(): ChangeReport {
  const json = openBytes();
  const offsets = [0];
  const catalogs: ComparedCatalog[] = [];
  return {
    catalog: pair => void catalogs.push(openCounts(pair, publicChange)),
    row({ catalog, seenBefore: before, seenAfter: after, columns }) {
      const change = changeOf({ catalog, before, after, columns }, publicChange);
      const counts = catalogs.at(-1);
      if (!change || !counts) return;
      counts[change.change] += 1;
      if (offsets.length <= MAX_CHANGES && json.length() < MAX_BYTES)
        offsets.push(json.add(`${JSON.stringify(change)},`));
    },
    table(about) {
      const head = { ...about, catalogs: catalogs.filter(hasChanges) } satisfies ChangesHead;
      return {
        head: Buffer.from(JSON.stringify(head)),
        json: json.bytes(),
        itemOffsets: Uint32Array.from(offsets),
      };
    },
  };
}

/** The changes of a catalog before any row is counted. Whether its file is new or gone is not public. */
function openCounts(pair: CatalogPair, { has, isPublic }: ChangeStyle): ComparedCatalog {
  const { catalog, before, after } = pair;
  const { gained, lost } = columnChanges(pair);
  const isOther = (before === undefined) !== (after === undefined);
  const isShown = (column: string) => has(column, catalog);
  return {
    catalog,
    ...(isOther && !isPublic && { file: after ? 'added' : 'removed' }),
    ...{ added: 0, removed: 0, changed: 0 },
    columns_added: gained.filter(isShown),
    columns_removed: lost.filter(isShown),
  };
}

function hasChanges(catalog: ComparedCatalog): boolean {
  const { file, added, removed, changed, columns_added, columns_removed } = catalog;
  return file !== undefined || added + removed + changed + columns_added.length + columns_removed.length > 0;
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
