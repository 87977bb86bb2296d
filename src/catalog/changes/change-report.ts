import type { ComparedCatalog } from '../../contract/changes.ts';
import { openBytes } from '../text/growing-bytes.ts';
import { type ChangeStyle, changeOf, wholeChange } from './change.ts';
import type { ChangeTable } from './change-table.ts';
import { type CatalogPair, type ChangeVisitor, columnChanges } from './walk.ts';

/** A report lists at most this many changes, */
const MAX_CHANGES = 100_000;
/** and no more once it takes this many bytes. Further changes are counted, but not listed. */
const MAX_BYTES = 2 ** 25;

/** Writes a report of changes as JSON. */
export interface ChangeReport<Head extends { catalogs: readonly ComparedCatalog[] }> extends ChangeVisitor {
  /** The report of all changes that it has seen. */
  table(about: Omit<Head, 'catalogs'>): ChangeTable;
}

/**
 * Opens a report of what changes among the rows that are seen. A row that becomes visible is added in it, and one that does
 * not stay visible is removed.
 */
export function openChangeReport<Head extends { catalogs: readonly ComparedCatalog[] }>(
  style: ChangeStyle = wholeChange,
): ChangeReport<Head> {
  const json = openBytes();
  const offsets = [0];
  const catalogs: ComparedCatalog[] = [];
  return {
    catalog: pair => void catalogs.push(openCounts(pair, style)),
    row({ catalog, seenBefore: before, seenAfter: after, columns }) {
      // Most rows are as they were.
      if (before && after && columns.length === 0) return;
      const change = changeOf({ catalog, before, after, columns }, style);
      const counts = catalogs.at(-1);
      if (!change || !counts) return;
      counts[change.change] += 1;
      if (offsets.length <= MAX_CHANGES && json.length() < MAX_BYTES)
        offsets.push(json.add(`${JSON.stringify(change)},`));
    },
    table(about) {
      const head = { ...about, catalogs: style.isPublic ? catalogs.filter(hasChanges) : catalogs };
      return {
        head: Buffer.from(JSON.stringify(head)),
        json: json.bytes(),
        itemOffsets: Uint32Array.from(offsets),
      };
    },
  };
}

/** The changes of a catalog before any row is counted. Whether its file is new or gone is not public. */
export function openCounts(pair: CatalogPair, { has, isPublic }: ChangeStyle): ComparedCatalog {
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

function hasChanges({ added, removed, changed, columns_added, columns_removed }: ComparedCatalog): boolean {
  return added + removed + changed + columns_added.length + columns_removed.length > 0;
}
