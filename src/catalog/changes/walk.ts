import { type CatalogName, catalogNames } from '../../contract/columns.ts';
import type { AnyRow, FormerRow } from './former-rows.ts';
import { pairRows, type RowPair, type Visibility } from './row-pairs.ts';

/** All rows of a catalog, hidden ones included. */
export interface CatalogContent<Row = AnyRow> {
  rows: readonly Row[];
  /** The known columns that its file has. */
  columns: readonly string[];
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
  row(pair: RowPair): void;
}

/**
 * Shows the differences between two sets to visitors. Each difference is gone when all have seen it, so that a report of
 * any length takes no memory. Prices are shown if configurations differ, since these decide which prices are served.
 */
export function walkChanges(
  former: FormerSet,
  set: SetContent,
  visitors: readonly ChangeVisitor[],
  visibility?: Visibility,
): void {
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
  for (const visitor of visitors) visitor.catalog?.(pair);
  for (const row of pairRows(catalog, before?.rows ?? [], after?.rows ?? [], visibility))
    for (const visitor of visitors) visitor.row(row);
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
