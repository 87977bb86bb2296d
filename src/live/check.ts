import type { Readable } from 'node:stream';
import type { CheckOutcome } from '../contract/check.ts';
import { historyPath } from '../history/entries.ts';
import type { CatalogSource, SetReport } from '../reader/read-set.ts';
import type { ChangeTable } from '../set/compare/changes.ts';
import { readControls, whyUnconfirmed } from './control.ts';
import type { LiveHistory } from './live-history.ts';
import { OvertakenError, type Readers } from './readers.ts';
import type { CatalogStatus } from './status.ts';

/** What would happen if files were saved. */
export interface Check {
  outcome: CheckOutcome;
  report: SetReport;
  /** What the set would change for visitors; undefined if that is nothing, or not known. */
  changes: ChangeTable | undefined;
}

/** What a check compares files with. */
export interface CheckOptions {
  source: CatalogSource;
  status(): CatalogStatus;
  holdBack: boolean;
  history: Pick<LiveHistory, 'before'>;
  readers: Pick<Readers, 'check'>;
}

/**
 * What would happen if the files of a form were saved in the catalog folder, in place of their namesakes. They are read as
 * a save is.
 * @throws as `check` of {@link Readers} does.
 */
export async function checkFiles(
  { source, status, holdBack, history, readers }: CheckOptions,
  form: Readable,
  contentType: string,
  closed: AbortSignal,
): Promise<Check> {
  const { served, pinned } = status();
  // What a save of them would be compared with, once they have lain still for as long as it takes.
  const expected = {
    ...{ fingerprint: '', stillMs: Number.POSITIVE_INFINITY, isBeingWritten: false },
    ...{ before: history.before(served), holdBack },
  };
  const result = await readers.check(expected, form, contentType, closed);
  if (status().served?.snapshot !== served?.snapshot) throw new OvertakenError('a save is being read');
  const report = 'report' in result ? result.report : served?.report;
  if (!report) throw new Error(`a check has no report: ${result.outcome}`);
  const { publish } = await readControls(historyPath(source.stateDir), source.catalogDir);
  const isDrastic = served && (report.holds ?? []).length > 0;
  const isHeld = isDrastic && whyUnconfirmed(publish, String(report.version)) !== undefined;
  const isNew = result.outcome === 'read';
  const outcome = report.version === undefined ? 'failed' : !isNew ? 'unchanged' : isHeld ? 'held' : 'loaded';
  return { outcome: pinned ? 'pinned' : outcome, report, changes: result.changes };
}
