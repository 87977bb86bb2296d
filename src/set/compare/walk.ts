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

/** A catalog before and after a change of its file. */
export interface CatalogPair {
  catalog: CatalogName;
  before: CatalogContent<FormerRow> | undefined;
  after: CatalogContent | undefined;
}

/** Sees every difference between two sets, one catalog after the other. */
export interface ChangeVisitor {
  /** Called for each catalog that may differ, before its rows. */
  catalog?(pair: CatalogPair): void;
  /** Called for each row of such a catalog, also for those that are as they were. */
  each?(pair: RowPair): void;
  /** Called for each row that is not as it was, or not seen as it was. */
  row(pair: RowPair): void;
}

/**
 * Shows the differences between two sets to visitors. Each difference is gone when all have seen it, so that a report of
 * any length takes no memory. Prices are shown if configurations differ, since these decide which prices are served. What
 * visitors of the site see is that of `now` (Unix seconds); without it, they see all rows.
 */
export function walkChanges(
  former: FormerSet,
  set: SetContent,
  visitors: readonly ChangeVisitor[],
  now?: number,
): void {
  const { configurations } = set;
  const were = former.has('configurations') ? former.get('configurations') : configurations;
  const visibility =
    now === undefined
      ? undefined
      : {
          before: visibleRows(were?.rows ?? [], now),
          after: visibleRows(configurations?.rows ?? [], now),
        };
  for (const catalog of catalogNames) {
    const isSame = !former.has(catalog);
    if (isSame && !(catalog === 'prices' && former.has('configurations'))) continue;
    const after = set[catalog];
    const before = isSame ? after : former.get(catalog);
    walkCatalog({ catalog, before, after }, visitors, visibility);
  }
}

/** Shows the differences of one catalog to visitors. Without `visibility`, all rows are seen. */
export function walkCatalog(
  pair: CatalogPair,
  visitors: readonly ChangeVisitor[],
  visibility?: Visibility,
): void {
  const { catalog, before, after } = pair;
  const all = visitors.filter(({ each }) => each);
  for (const visitor of visitors) visitor.catalog?.(pair);
  for (const row of pairRows(catalog, before?.rows ?? [], after?.rows ?? [], visibility)) {
    for (const visitor of all) visitor.each?.(row);
    // Most rows are as they were.
    if (isOther(row)) for (const visitor of visitors) visitor.row(row);
  }
}

function isOther({ before, after, columns, seenBefore, seenAfter }: RowPair): boolean {
  if (!before || !after || columns.length > 0) return true;
  return (seenBefore === undefined) !== (seenAfter === undefined);
}

/** The columns that a file has gained and lost. An empty JSON file names no columns, which says nothing. */
export function columnChanges({ before, after }: CatalogPair): { gained: string[]; lost: string[] } {
  const [old, fresh] = [before?.columns ?? [], after?.columns ?? []];
  if (old.length === 0 || fresh.length === 0) return { gained: [], lost: [] };
  return {
    gained: fresh.filter(column => !old.includes(column)),
    lost: old.filter(column => !fresh.includes(column)),
  };
}

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
interface Visibility {
  before: IsVisible;
  after: IsVisible;
}

/**
 * Pairs the rows of a catalog before and after a change by what identifies them, in the order of that, however their files
 * are sorted. The price of a configuration is identified by product, configuration and duration, since an export may
 * number its records anew; any other row is identified by its id. Where the two begin or end with the same objects, which
 * are as they were, these come first.
 */
function* pairRows(
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
  const differs = (column: string) => !isSameValue(before[column], after[column]);
  return columns.some(differs) ? columns.filter(differs) : NONE;
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
  const values = Object.entries(row);
  if (!values.some(([, value]) => typeof value === 'string')) return row;
  const former = values.map(([column, value]) => [
    column,
    typeof value === 'string' ? compact(value) : value,
  ]);
  return { ...row, ...Object.fromEntries(former) };
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
 * Tells what visitors see of a set with these configurations at `now` (Unix seconds): no hidden rows, no prices but those
 * of configurations that are not hidden, and no news items before or after their time.
 */
export function visibleRows(configurations: readonly FormerRow[], now: number): IsVisible {
  const shown = new Set(configurations.filter(({ hidden }) => !hidden).map(({ id }) => id));
  return (catalog, row) => {
    switch (catalog) {
      case 'configurations':
        return !row.hidden;
      case 'prices':
        return row.rel_type === CONFIGURATION_PRICE && shown.has(Number(row.rel_id));
      case 'news':
        return !row.hidden && Number(row.publish_time) <= now && now < Number(row.unpublish_time ?? Infinity);
      default:
        return true;
    }
  };
}
