import {
  type CatalogName,
  CONFIGURATION_PRICE,
  catalogNames,
  columnNamesOf,
} from '../../contract/columns.ts';

/** All rows of a catalog, hidden ones included. */
export interface CatalogContent {
  rows: readonly AnyRow[];
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
export type FormerSet = ReadonlyMap<CatalogName, CatalogContent | undefined>;

export type CatalogDifference = ReturnType<typeof differenceOf>;

export interface RowPair {
  before: AnyRow | undefined;
  after: AnyRow | undefined;
  /** The columns whose values differ; none for a row that is added or removed, or as it was. */
  columns: readonly string[];
  /** `before`, if visitors see it. */
  seenBefore: AnyRow | undefined;
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
  before: CatalogContent | undefined,
  after: CatalogContent | undefined,
  isSeen?: { before: IsVisible; after: IsVisible },
) {
  const columns = columnNamesOf(catalog);
  const seen = { before: 0, after: 0 };
  const rows: RowPair[] = [];
  const add = (old: AnyRow | undefined, fresh: AnyRow | undefined) => {
    const seenBefore = old && isSeen?.before(catalog, old) === false ? undefined : old;
    const seenAfter = fresh && isSeen?.after(catalog, fresh) === false ? undefined : fresh;
    if (seenBefore) seen.before += 1;
    if (seenAfter) seen.after += 1;
    const differing = old && fresh ? columns.filter(column => old[column] !== fresh[column]) : [];
    const isSame = old && fresh && differing.length === 0 && !seenBefore === !seenAfter;
    if (!isSame) rows.push({ before: old, after: fresh, columns: differing, seenBefore, seenAfter });
  };
  const order = orderOf(catalog);
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
  const file: 'added' | 'removed' | undefined = isOther ? (after ? 'added' : 'removed') : undefined;
  return {
    catalog,
    /** Whether its whole file is new or gone. */
    file,
    /** The columns that its file has gained and lost. An empty JSON file names no columns, which says nothing. */
    gained: areKnown ? has.filter(column => !had.includes(column)) : [],
    lost: areKnown ? had.filter(column => !has.includes(column)) : [],
    /** The columns that keep their heading, and in which no row has a value any more. */
    emptied: (after?.empty ?? []).filter(column => !before?.empty?.includes(column)),
    isMarkdown: after?.isMarkdown === true,
    /** The rows that are not as they were, or not seen as they were, in the order of what identifies them. */
    rows,
    /** How many rows visitors see before and after. */
    seen,
  };
}

/** Orders the rows of a catalog by what identifies them (see {@link rowKey}). Prices of anything but configurations come last. */
function orderOf(catalog: CatalogName): (one: AnyRow, other: AnyRow) => number {
  return (one, other) => {
    const [isOwn, isOther] = [isConfigurationPrice(catalog, one), isConfigurationPrice(catalog, other)];
    if (!isOwn || !isOther) return Number(isOther) - Number(isOwn) || one.id - other.id;
    return (
      Number(one.product_id) - Number(other.product_id) ||
      Number(one.rel_id) - Number(other.rel_id) ||
      Number(one.duration_id) - Number(other.duration_id)
    );
  };
}

/**
 * What identifies a row in its catalog: its id, or of a price product, configuration and duration, since an export may number
 * its records anew.
 */
export function rowKey(catalog: CatalogName, row: AnyRow): number | string {
  if (!isConfigurationPrice(catalog, row)) return row.id;
  return `${row.product_id} ${row.rel_id} ${row.duration_id}`;
}

/** Whether a row is identified by product, configuration and duration rather than by its id. */
export function isConfigurationPrice(catalog: CatalogName, row: AnyRow): boolean {
  return catalog === 'prices' && row.rel_type === CONFIGURATION_PRICE;
}

export type AnyRow = { readonly id: number } & Readonly<Record<string, Value>>;
export type Value = string | number | boolean | undefined;

type IsVisible = (catalog: CatalogName, row: AnyRow) => boolean;

/**
 * What visitors see of a set with these configurations at `now` (Unix seconds): no hidden rows, no prices but those
 * of configurations that are not hidden, and no news items before or after their time.
 */
export function visibleRows(configurations: readonly AnyRow[], now: number): IsVisible {
  const shown = new Set(configurations.filter(({ hidden }) => !hidden).map(({ id }) => id));
  return (catalog, row) => {
    if (catalog === 'configurations') return !row.hidden;
    if (catalog === 'prices') return row.rel_type === CONFIGURATION_PRICE && shown.has(Number(row.rel_id));
    if (catalog !== 'news') return true;
    return !row.hidden && Number(row.publish_time) <= now && now < Number(row.unpublish_time ?? Infinity);
  };
}
