import { type CatalogChanges, type ChangesHead, unservedColumns } from '../../contract/changes.ts';
import { openBytes } from '../text/growing-bytes.ts';
import { type ChangeStyle, changeOf } from './change.ts';
import type { ChangeTable } from './change-table.ts';
import type { IsVisible } from './visible-rows.ts';
import { type ChangeVisitor, columnChanges } from './walk.ts';

/** A report lists at most this many changes, */
const MAX_CHANGES = 100_000;
/** and no more once it takes this many bytes. Further changes are counted, but not listed. */
const MAX_BYTES = 2 ** 25;

const style: ChangeStyle = { has: isServed, isPublic: true };

/** Writes the report of what changes for visitors. */
export interface PublicReport extends ChangeVisitor {
  /** The report of all changes that it has seen. */
  table(about: Omit<ChangesHead, 'catalogs'>): ChangeTable;
}

/**
 * Opens the report for a set that replaces another; `wasVisible` and `isVisible` decide what visitors see of the two. A row
 * that becomes visible is added in it, and one that does not stay visible is removed. It has nothing that visitors could not
 * see, and no values of a row that they cannot see any more: whoever takes a news item off the site means it.
 */
export function openPublicReport(wasVisible: IsVisible, isVisible: IsVisible): PublicReport {
  const json = openBytes();
  const offsets = [0];
  const catalogs: CatalogChanges[] = [];
  let counts: CatalogChanges | undefined;
  return {
    catalog(pair) {
      const { gained, lost } = columnChanges(pair);
      counts = {
        catalog: pair.catalog,
        ...{ added: 0, removed: 0, changed: 0 },
        columns_added: gained.filter(isServed),
        columns_removed: lost.filter(isServed),
      };
      catalogs.push(counts);
    },
    row({ catalog, before, after, columns }) {
      const old = before && wasVisible(catalog, before) ? before : undefined;
      const fresh = after && isVisible(catalog, after) ? after : undefined;
      const change = changeOf({ catalog, before: old, after: fresh, columns }, style);
      if (!change) return;
      if (counts) counts[change.change] += 1;
      if (offsets.length <= MAX_CHANGES && json.length() < MAX_BYTES)
        offsets.push(json.add(`${JSON.stringify(change)},`));
    },
    table(about) {
      const head: ChangesHead = { ...about, catalogs: catalogs.filter(hasChanges) };
      return {
        head: Buffer.from(JSON.stringify(head)),
        json: json.bytes(),
        itemOffsets: Uint32Array.from(offsets),
      };
    },
  };
}

function isServed(column: string): boolean {
  return !unservedColumns.includes(column);
}

function hasChanges({ added, removed, changed, columns_added, columns_removed }: CatalogChanges): boolean {
  return added + removed + changed + columns_added.length + columns_removed.length > 0;
}
