import {
  type CatalogName,
  CONFIGURATION_PRICE,
  catalogNames,
  columnNamesOf,
  EXTRA,
  referencesOf,
} from '../../contract/columns.ts';

/** All rows of a catalog, including hidden ones. */
export interface CatalogContent {
  rows: readonly AnyRow[];
  /** The columns of its file that are read. */
  columns: readonly string[];
  /** The columns of a file in which no row of it has a value; undefined if unknown. */
  empty?: readonly string[];
  /** Whether it has Markdown files. Their columns are all that occur in a front matter. */
  isMarkdown?: boolean;
}

/** Undefined for a catalog without a file. */
export type SetContent = Readonly<Record<CatalogName, CatalogContent | undefined>>;

/** The catalogs of a former set that may differ, undefined for one without a file. Others are unchanged. */
export type FormerSet = ReadonlyMap<CatalogName, CatalogContent | undefined>;

export type CatalogDifference = ReturnType<typeof differenceOf>;

export interface RowPair {
  before: AnyRow | undefined;
  after: AnyRow | undefined;
  /** The columns that differ; none for added, removed or equal rows. */
  columns: readonly string[];
  /** `before`, if visitors see it. */
  seenBefore: AnyRow | undefined;
  seenAfter: AnyRow | undefined;
}

/**
 * Finds the differences between two sets. A catalog is also compared if one that it refers to differs, since hidden rows there
 * hide rows here. What visitors see is taken at `now` (Unix seconds).
 */
export function differencesOf(former: FormerSet, set: SetContent, now: number): CatalogDifference[] {
  const formerOf = (name: CatalogName) => (former.has(name) ? former.get(name) : set[name]);
  const isSeen = {
    before: visibleRows(name => formerOf(name)?.rows, now),
    after: visibleRows(name => set[name]?.rows, now),
  };
  return catalogNames
    .filter(name => former.has(name) || referencesOf(name).some(({ target }) => former.has(target)))
    .map(name => differenceOf(name, formerOf(name), set[name], isSeen));
}

/** Finds the differences of a catalog; undefined stands for no file. Without `isSeen`, visitors see all rows. */
export function differenceOf(
  catalog: CatalogName,
  before: CatalogContent | undefined,
  after: CatalogContent | undefined,
  isSeen?: { before: IsVisible; after: IsVisible },
) {
  const seen = { before: 0, after: 0 };
  const rows: RowPair[] = [];
  const add = (old: AnyRow | undefined, fresh: AnyRow | undefined) => {
    const seenBefore = old && isSeen?.before(catalog, old) === false ? undefined : old;
    const seenAfter = fresh && isSeen?.after(catalog, fresh) === false ? undefined : fresh;
    if (seenBefore) seen.before += 1;
    if (seenAfter) seen.after += 1;
    const columns = old && fresh ? differingColumns(catalog, old, fresh) : [];
    const isSame = old && fresh && columns.length === 0 && !seenBefore === !seenAfter;
    if (!isSame) rows.push({ before: old, after: fresh, columns, seenBefore, seenAfter });
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
  const file: 'added' | 'removed' | undefined = !before === !after ? undefined : after ? 'added' : 'removed';
  return {
    catalog,
    /** Whether the file is new or gone. */
    file,
    /** The columns that were added and removed. An empty JSON file names no columns, which means nothing. */
    gained: areKnown ? has.filter(column => !had.includes(column)) : [],
    lost: areKnown ? had.filter(column => !has.includes(column)) : [],
    /** The columns that keep their heading, but now have no values. */
    emptied: (after?.empty ?? []).filter(column => !before?.empty?.includes(column)),
    isMarkdown: after?.isMarkdown === true,
    /** The rows that differ or are seen differently, in the order of their keys. */
    rows: catalog === 'prices' ? joined(rows) : rows,
    /** The number of rows that visitors see before and after. */
    seen,
  };
}

/** Joins a removed and an added price of one combination: the price got another date. */
function joined(rows: readonly RowPair[]): RowPair[] {
  const added = new Map<string, RowPair[]>();
  for (const pair of rows) {
    if (pair.before || !pair.after) continue;
    const ofCombination = added.get(combinationOf(pair.after)) ?? [];
    added.set(combinationOf(pair.after), ofCombination);
    ofCombination.push(pair);
  }
  return rows.filter(({ before, after, seenBefore }) => {
    const twin = before && !after ? added.get(combinationOf(before))?.shift() : undefined;
    if (!before || !twin?.after) return true;
    Object.assign(twin, { before, seenBefore, columns: differingColumns('prices', before, twin.after) });
    return false;
  });
}

/** Orders rows by their keys (see {@link rowKey}). Prices of anything but configurations come last. */
function orderOf(catalog: CatalogName): (one: AnyRow, other: AnyRow) => number {
  return (one, other) => {
    const [isOwn, isOther] = [isConfigurationPrice(catalog, one), isConfigurationPrice(catalog, other)];
    if (!isOwn || !isOther) return Number(isOther) - Number(isOwn) || one.id - other.id;
    return (
      Number(one.product_id) - Number(other.product_id) ||
      Number(one.rel_id) - Number(other.rel_id) ||
      Number(one.duration_id) - Number(other.duration_id) ||
      dateOf(one) - dateOf(other)
    );
  };
}

/** Identifies a row by its id; a price by combination and date, since an export may renumber records. */
export function rowKey(catalog: CatalogName, row: AnyRow): number | string {
  if (!isConfigurationPrice(catalog, row)) return row.id;
  return combinationOf(row) + (row.valid_from === undefined ? '' : ` ${row.valid_from}`);
}

/** Identifies what a price is for: product, configuration and duration, or its id if it is for something else. */
export function combinationOf(row: AnyRow): string {
  if (!isConfigurationPrice('prices', row)) return String(row.id);
  return `${row.product_id} ${row.rel_id} ${row.duration_id}`;
}

/** When a price comes into force, in Unix seconds; 0 for always. */
export function dateOf({ valid_from = 0 }: { readonly [column: string]: Value } = {}): number {
  return Number(valid_from);
}

/** Keeps of each combination the price with the latest date that has come at `now` (Unix seconds), even if hidden. */
export function inForce(prices: CatalogContent | undefined, now: number): CatalogContent | undefined {
  if (!prices?.rows.some(row => row.valid_from)) return prices;
  const last = new Map<string, AnyRow>();
  for (const row of prices.rows) {
    const known = last.get(combinationOf(row));
    if (dateOf(row) <= now && dateOf(row) >= dateOf(known)) last.set(combinationOf(row), row);
  }
  return { ...prices, rows: [...last.values()] };
}

/** The differences of prices that were or are in the future at `now` (Unix seconds); at most one difference. */
export function comingPrices(differences: readonly CatalogDifference[], now: number): CatalogDifference[] {
  const isComing = ({ before, after }: RowPair) => Math.max(dateOf(before), dateOf(after)) > now;
  return differences.flatMap(found => {
    const coming = found.catalog === 'prices' ? found.rows.filter(isComing) : [];
    const rows = coming.map(pair => ({ ...pair, seenBefore: pair.before, seenAfter: pair.after }));
    return rows.length > 0 ? { ...found, gained: [], lost: [], rows } : [];
  });
}

/** Whether a row is identified by product, configuration, duration and date. */
export function isConfigurationPrice(catalog: CatalogName, row: AnyRow): boolean {
  return catalog === 'prices' && row.rel_type === CONFIGURATION_PRICE;
}

export type AnyRow = { readonly id: number } & Readonly<Record<string, Value>>;
export type Value = string | number | boolean | undefined;

/** Returns a row with a column for each own field; lists, objects and null as JSON. */
export function withFields(row: AnyRow): AnyRow {
  if (row.extra === undefined) return row;
  const shown = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : value);
  const fields = Object.entries(JSON.parse(String(row.extra)));
  const columns = fields.map(([name, value]) => [`${EXTRA}.${name}`, shown(value)]);
  return { ...row, extra: undefined, ...Object.fromEntries(columns) };
}

function differingColumns(catalog: CatalogName, old: AnyRow, fresh: AnyRow): string[] {
  const columns = columnNamesOf(catalog).filter(column => old[column] !== fresh[column]);
  if (old.extra === fresh.extra) return columns;
  const [before, after] = [old, fresh].map(({ extra = '{}' }) => JSON.parse(String(extra)));
  // A list differs from the text that it is shown as.
  const differs = (name: string) => JSON.stringify(before[name]) !== JSON.stringify(after[name]);
  const names = Object.keys({ ...before, ...after }).filter(differs);
  return [...columns, ...names.sort().map(name => `${EXTRA}.${name}`)];
}

type IsVisible = (catalog: CatalogName, row: AnyRow) => boolean;
type RowsOf = (catalog: CatalogName) => readonly AnyRow[] | undefined;

/** Serves prices of configurations, no hidden rows except those that end an offer, and none that refer to hidden rows. */
export function servedRows(rowsOf: RowsOf): IsVisible {
  const hidden = new Map(
    catalogNames.map(name => [name, new Set(rowsOf(name)?.flatMap(row => (row.hidden ? row.id : [])))]),
  );
  const owners = new Map(
    catalogNames.map(name => [name, referencesOf(name).filter(({ target }) => hidden.get(target)?.size)]),
  );
  return (catalog, row) =>
    (!row.hidden || row.valid_from !== undefined) &&
    (catalog !== 'prices' || row.rel_type === CONFIGURATION_PRICE) &&
    owners.get(catalog)?.some(({ column, target }) => hidden.get(target)?.has(Number(row[column]))) !== true;
}

/** What visitors see at `now` (Unix seconds) if prices are those in force: what is served, and of news what is published. */
export function visibleRows(rowsOf: RowsOf, now: number): IsVisible {
  const isServed = servedRows(rowsOf);
  const isOut = ({ publish_time, unpublish_time }: AnyRow) =>
    Number(publish_time) <= now && now < Number(unpublish_time ?? Infinity);
  return (catalog, row) => !row.hidden && isServed(catalog, row) && (catalog !== 'news' || isOut(row));
}
