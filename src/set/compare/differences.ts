import { hash } from 'node:crypto';
import { beginningOf, SHORT_LENGTH } from '../../contract/changes.ts';
import {
  type CatalogName,
  CONFIGURATION_PRICE,
  catalogNames,
  columnNamesOf,
} from '../../contract/columns.ts';

/** All rows of a catalog, hidden ones included. */
export interface CatalogContent<Row = AnyRow> {
  rows: readonly Row[];
  /** The columns that its file has and that are read. */
  columns: readonly string[];
  /** The columns of one of its files in which no row of that has a value; undefined if they are not known. */
  empty?: readonly string[];
  /** Whether it has Markdown files, whose columns are those that one of them has a line for. */
  isMarkdown?: boolean;
}

/** All rows of a set; undefined for a catalog without a file. */
export type SetContent = Readonly<Record<CatalogName, CatalogContent | undefined>>;

/** The catalogs of a former set that may differ, undefined for one without a file. The others are as they were. */
export type FormerSet = ReadonlyMap<CatalogName, CatalogContent<FormerRow> | undefined>;

/** What differs between two states of a catalog. */
export interface CatalogDifference {
  catalog: CatalogName;
  /** Whether its whole file is new or gone. */
  file: 'added' | 'removed' | undefined;
  /** The columns that its file has gained and lost. An empty JSON file names no columns, which says nothing. */
  gained: string[];
  lost: string[];
  /** The columns that keep their heading, and in which no row has a value any more. */
  emptied: string[];
  /** Whether it has Markdown files. */
  isMarkdown: boolean;
  /** The rows that are not as they were, or not seen as they were, in the order of what identifies them. */
  rows: RowPair[];
  /** How many rows visitors see before and after. */
  seen: { before: number; after: number };
}

/** A row before and after a change. */
export interface RowPair {
  /** Undefined for a row that is added. */
  before: FormerRow | undefined;
  /** Undefined for a row that is removed. */
  after: AnyRow | undefined;
  /** The columns whose values differ; none for a row that is added or removed, or as it was. */
  columns: readonly string[];
  /** `before`, if visitors see it. */
  seenBefore: FormerRow | undefined;
  /** `after`, if visitors see it. */
  seenAfter: AnyRow | undefined;
}

/**
 * The differences between two sets, by catalog. Prices are compared if configurations differ, since these decide which
 * prices are served. What visitors see is that of `now` (Unix seconds).
 */
export function differencesOf(former: FormerSet, set: SetContent, now: number): CatalogDifference[] {
  const { configurations } = set;
  const were = former.has('configurations') ? former.get('configurations') : configurations;
  const isSeen = {
    before: visibleRows(were?.rows ?? [], now),
    after: visibleRows(configurations?.rows ?? [], now),
  };
  return catalogNames.flatMap(catalog => {
    const isSame = !former.has(catalog);
    if (isSame && !(catalog === 'prices' && former.has('configurations'))) return [];
    return [differenceOf(catalog, isSame ? set[catalog] : former.get(catalog), set[catalog], isSeen)];
  });
}

/** What differs between two states of a catalog, undefined for one without a file. Without `isSeen`, all rows are seen. */
export function differenceOf(
  catalog: CatalogName,
  before: CatalogContent<FormerRow> | undefined,
  after: CatalogContent | undefined,
  isSeen?: { before: IsVisible; after: IsVisible },
): CatalogDifference {
  const columns = columnNamesOf(catalog);
  const seen = { before: 0, after: 0 };
  const rows: RowPair[] = [];
  const add = (old: FormerRow | undefined, fresh: AnyRow | undefined) => {
    const seenBefore = old && isSeen?.before(catalog, old) === false ? undefined : old;
    const seenAfter = fresh && isSeen?.after(catalog, fresh) === false ? undefined : fresh;
    if (seenBefore) seen.before += 1;
    if (seenAfter) seen.after += 1;
    const differing = old && fresh ? otherColumns(old, fresh, columns) : NONE;
    const isSame = old && fresh && differing.length === 0 && !seenBefore === !seenAfter;
    if (!isSame) rows.push({ before: old, after: fresh, columns: differing, seenBefore, seenAfter });
  };
  const order = catalog === 'prices' ? byPrice : byId;
  const old = (before?.rows ?? []).toSorted(order);
  let at = 0;
  for (const row of (after?.rows ?? []).toSorted(order)) {
    for (let next = old[at]; next && order(next, row) < 0; next = old[at]) {
      add(next, undefined);
      at += 1;
    }
    const same = old[at];
    const isPaired = same !== undefined && order(same, row) === 0;
    add(isPaired ? same : undefined, row);
    if (isPaired) at += 1;
  }
  for (const row of old.slice(at)) add(row, undefined);

  const [had, has] = [before?.columns ?? [], after?.columns ?? []];
  const areKnown = had.length > 0 && has.length > 0;
  const isOther = (before === undefined) !== (after === undefined);
  return {
    catalog,
    file: isOther ? (after ? 'added' : 'removed') : undefined,
    gained: areKnown ? has.filter(column => !had.includes(column)) : [],
    lost: areKnown ? had.filter(column => !has.includes(column)) : [],
    emptied: (after?.empty ?? []).filter(column => !before?.empty?.includes(column)),
    isMarkdown: after?.isMarkdown === true,
    rows,
    seen,
  };
}

const NONE: readonly string[] = [];

/** Most rows are as they were, and need no list. */
function otherColumns(before: FormerRow, after: AnyRow, columns: readonly string[]): readonly string[] {
  if (before === after) return NONE;
  const differs = (column: string) => !isSameValue(before[column], after[column]);
  return columns.some(differs) ? columns.filter(differs) : NONE;
}

/**
 * The order of rows by what identifies them: a price of a configuration by product, configuration and duration, since an
 * export may number its records anew; any other row by its id.
 */
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

/** What identifies a row in its catalog. */
export function rowKey(catalog: CatalogName, row: FormerRow): number | string {
  if (!isConfigurationPrice(catalog, row)) return row.id;
  return `${row.product_id} ${row.rel_id} ${row.duration_id}`;
}

/** Whether a row is identified by product, configuration and duration rather than by its id. */
export function isConfigurationPrice(catalog: CatalogName, row: FormerRow): boolean {
  return catalog === 'prices' && isOfConfiguration(row);
}

/** A value of a row. */
type Value = string | number | boolean | undefined;

/** A row of any catalog. */
export type AnyRow = { readonly id: number } & Readonly<Record<string, Value>>;

/** A long text of a former row: enough to see whether it changed, and to show its beginning. */
interface TextDigest {
  start: string;
  hash: string;
}

/** A value of a row that was served before. */
export type FormerValue = Value | TextDigest;

/** A row that was served before, whose long texts may be digests: only their successors are needed as a whole. */
export type FormerRow = { readonly id: number } & Readonly<Record<string, FormerValue>>;

/** A row that takes little memory, and does not keep the text of its file in memory. */
export function formerRow(row: AnyRow): FormerRow {
  const texts = Object.entries(row).flatMap(([column, value]) =>
    typeof value === 'string' ? [[column, compact(value)] as const] : [],
  );
  return texts.length > 0 ? { ...row, ...Object.fromEntries(texts) } : row;
}

function isSameValue(before: FormerValue, after: Value): boolean {
  if (typeof before !== 'object') return before === after;
  return typeof after === 'string' && after.length > SHORT_LENGTH && before.hash === hashOf(after);
}

/** A text that is cut out of a file refers to that file, until it is copied. */
function compact(text: string): string | TextDigest {
  if (text.length <= SHORT_LENGTH) return copyOf(text);
  return { start: copyOf(beginningOf(text)), hash: hashOf(text) };
}

function copyOf(text: string): string {
  return JSON.parse(JSON.stringify(text));
}

function hashOf(text: string): string {
  return hash('sha1', Buffer.from(text, 'utf16le'));
}

/** Whether visitors see a row of a catalog. */
type IsVisible = (catalog: CatalogName, row: FormerRow) => boolean;

/**
 * What visitors see of a set with these configurations at `now` (Unix seconds): no hidden rows, no prices but those
 * of configurations that are not hidden, and no news items before or after their time.
 */
export function visibleRows(configurations: readonly FormerRow[], now: number): IsVisible {
  const shown = new Set(configurations.filter(({ hidden }) => !hidden).map(({ id }) => id));
  return (catalog, row) => {
    if (catalog === 'configurations') return !row.hidden;
    if (catalog === 'prices') return row.rel_type === CONFIGURATION_PRICE && shown.has(Number(row.rel_id));
    if (catalog !== 'news') return true;
    return !row.hidden && Number(row.publish_time) <= now && now < Number(row.unpublish_time ?? Infinity);
  };
}
