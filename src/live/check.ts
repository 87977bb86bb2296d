import type { CheckOutcome } from '../contract/history.ts';
import type { SetReport } from '../reader/read-set.ts';
import type { ChangeTable } from '../set/compare/changes.ts';
import { type Controls, whyUnconfirmed } from './control.ts';
import type { CheckedSet } from './readers.ts';
import type { CatalogStatus } from './status.ts';

/** What would happen if files were saved. */
export interface Check {
  outcome: CheckOutcome;
  report: SetReport;
  /** What the set would change for visitors; undefined if that is nothing, or not known. */
  changes: ChangeTable | undefined;
}

/** What would become of a set that has been read, with what is served and confirmed now. */
export function checkOf(
  { outcome: read, report, changes }: CheckedSet,
  { served, pinned }: CatalogStatus,
  publish: Controls['publish'],
): Check {
  const isDrastic = served && (report.holds ?? []).length > 0;
  const isHeld = isDrastic && whyUnconfirmed(publish, String(report.version)) !== undefined;
  const outcome =
    report.version === undefined ? 'failed' : read === 'unchanged' ? read : isHeld ? 'held' : 'loaded';
  return { outcome: pinned ? 'pinned' : outcome, report, changes };
}
