import type { CatalogChanges, Change } from '../../contract/changes.ts';
import { changeOf, wholeChange } from './change.ts';
import { type ChangeVisitor, columnChanges } from './walk.ts';

/** The changes of a catalog, counted. */
interface CountedCatalog extends CatalogChanges {
  /** Whether the whole file is new or gone. */
  file?: 'added' | 'removed';
}

/** All changes with whole values, as `vitrine diff --json` writes them. */
export interface ChangeList extends ChangeVisitor {
  catalogs: readonly CountedCatalog[];
  changes: readonly Change[];
}

export function openChangeList(style = wholeChange): ChangeList {
  const catalogs: CountedCatalog[] = [];
  const changes: Change[] = [];
  return {
    catalogs,
    changes,
    catalog(pair) {
      const { catalog, before, after } = pair;
      const { gained, lost } = columnChanges(pair);
      catalogs.push({
        catalog,
        ...((before === undefined) !== (after === undefined) && { file: after ? 'added' : 'removed' }),
        ...{ added: 0, removed: 0, changed: 0 },
        ...{ columns_added: gained, columns_removed: lost },
      });
    },
    row(pair) {
      const change = changeOf(pair, style);
      const counts = catalogs.at(-1);
      if (!change || !counts) return;
      counts[change.change] += 1;
      changes.push(change);
    },
  };
}
