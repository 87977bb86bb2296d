import type { Change, ComparedCatalog } from '../../contract/changes.ts';
import { changeOf, wholeChange } from './change.ts';
import { openCounts } from './change-report.ts';
import type { ChangeVisitor } from './walk.ts';

/** All changes with whole values, as `vitrine diff --json` writes them. */
export interface ChangeList extends ChangeVisitor {
  catalogs: readonly ComparedCatalog[];
  changes: readonly Change[];
}

export function openChangeList(style = wholeChange): ChangeList {
  const catalogs: ComparedCatalog[] = [];
  const changes: Change[] = [];
  return {
    catalogs,
    changes,
    catalog: pair => void catalogs.push(openCounts(pair, style)),
    row(pair) {
      const change = changeOf(pair, style);
      const counts = catalogs.at(-1);
      if (!change || !counts) return;
      counts[change.change] += 1;
      changes.push(change);
    },
  };
}
