import type { CatalogChanges, Change } from '../../contract/changes.ts';
import { type CatalogName, CONFIGURATION_PRICE, catalogNames } from '../../contract/columns.ts';
import { type ChangeStyle, openChangeList } from './changes.ts';
import { openChangeLines, openSummary } from './lines.ts';
import { type AnyRow, type ChangeVisitor, type SetContent, visibleRows, walkCatalog } from './walk.ts';

/** The difference between what two sets list. */
export interface ListedChanges {
  /** One line such as `3 prices changed`. */
  summary: string;
  /** The first changes of each catalog, or all of them, as text. */
  lines: string;
  catalogs: Pick<CatalogChanges, 'catalog' | 'added' | 'removed' | 'changed'>[];
  changes: readonly Change[];
}

/**
 * What would change for visitors from the rows that one set lists to those of another; all changes as text if `listAll`.
 * `visitors` see the changes as well.
 */
export function compareListed(
  before: ListedRows,
  after: ListedRows,
  listAll: boolean,
  visitors: readonly ChangeVisitor[] = [],
): ListedChanges {
  const style: ChangeStyle = {
    has: (column, catalog) => listedColumns[catalog].includes(column),
    isPublic: false,
  };
  const [summary, lines, list] = [openSummary(), openChangeLines(listAll, style), openChangeList(style)];
  for (const catalog of catalogNames) {
    const [old, fresh] = [before[catalog], after[catalog]].map(rows => ({ rows, columns: [] }));
    walkCatalog({ catalog, before: old, after: fresh }, [summary, lines, list, ...visitors]);
  }
  // Lists say nothing about files.
  const catalogs = list.catalogs.map(({ catalog, added, removed, changed }) => {
    return { catalog, added, removed, changed };
  });
  return { summary: summary.text(), lines: lines.text(), catalogs, changes: list.changes };
}

/** The columns that lists of the API show. */
export const listedColumns: Record<CatalogName, readonly string[]> = {
  products: ['id', 'name', 'description'],
  configurations: ['id', 'product_id', 'name', 'cpu', 'memory'],
  durations: ['id', 'name', 'num', 'unit'],
  prices: ['product_id', 'rel_id', 'duration_id', 'price'],
  news_types: ['id', 'name'],
  news: ['id', 'type_id', 'title', 'content', 'keywords', 'img', 'create_time'],
};

/** A row with the columns that lists show. The id of a price is 0, since they do not show it. */
export type ListedRow = { id: number } & Record<string, string | number | boolean | undefined>;
export type ListedRows = Record<CatalogName, ListedRow[]>;

/** What a service serves. */
export interface ServedRows {
  version: string;
  rows: ListedRows;
}

/** The rows with the columns that lists show, and nothing else. */
export function listed(rows: Record<CatalogName, readonly AnyRow[]>): ListedRows {
  const pick = (catalog: CatalogName, row: AnyRow): ListedRow => {
    const values = Object.fromEntries(listedColumns[catalog].map(column => [column, row[column]]));
    return catalog === 'prices'
      ? { ...values, id: 0, rel_type: CONFIGURATION_PRICE }
      : { ...values, id: row.id };
  };
  return ofEach(catalog => rows[catalog].map(row => pick(catalog, row)));
}

/** What lists show of a set at `now` (Unix seconds); durations only as far as prices have them. */
export function listedRows(set: SetContent, now: number): ListedRows {
  const isVisible = visibleRows(set.configurations?.rows ?? [], now);
  const rows = ofEach(catalog => (set[catalog]?.rows ?? []).filter(row => isVisible(catalog, row)));
  const priced = new Set(rows.prices.map(({ duration_id }) => duration_id));
  return listed({ ...rows, durations: rows.durations.filter(({ id }) => priced.has(id)) });
}

function ofEach<Value>(make: (catalog: CatalogName) => Value): Record<CatalogName, Value> {
  // Each catalog is one of the names.
  return Object.fromEntries(catalogNames.map(name => [name, make(name)])) as Record<CatalogName, Value>;
}
