import type { CatalogChanges, Change } from '../../../contract/changes.ts';
import { catalogNames } from '../../../contract/columns.ts';
import type { ChangeStyle } from '../change.ts';
import { openChangeLines } from '../change-lines.ts';
import { openChangeList } from '../change-list.ts';
import { openSummary } from '../summary.ts';
import { type ChangeVisitor, walkCatalog } from '../walk.ts';
import { type ListedRows, listedColumns } from './listed-rows.ts';

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
