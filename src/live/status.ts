import type { Outcome } from '../contract/health.ts';
import type { Log } from '../messages.ts';
import type { SetReport } from '../reader/read-set.ts';
import type { Progress } from '../reader/reader-process.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { rfc3339 } from '../time-zone.ts';
import type { ServedSet } from './readers.ts';
import { formatHolds, formatProblems, howToConfirm, newChanges, summary } from './report.ts';

export interface CatalogStatus {
  /** Whether the start is over: the files are served, held back or refused, or a version is pinned. */
  isDecided: boolean;
  served?: ServedSet | undefined;
  /** The last set that was loaded or refused, and when, in Unix seconds. */
  attempt?: { outcome: Outcome; time: number; report: SetReport } | undefined;
  /** Progress of the set being read. */
  loading?: Progress | undefined;
  held?: Held | undefined;
  /** The version that is pinned; undefined if changed files are loaded. */
  pinned?: Pinned | undefined;
  /** Time from noticing the last change until it was served or refused, in seconds. */
  lastSeconds: number;
  /** How long the file system has not answered, in seconds. */
  silentSeconds: number;
  /** How long changed files have been incomplete or unstable, in seconds. */
  unstableSeconds: number;
  /** When files were last saved that wait for the end of a pin, in Unix seconds. */
  waitingSince?: number | undefined;
  /** Why the served set is not in the history; safe to show to clients. */
  unkept?: string | undefined;
  /** Why changes may not be noticed or loaded, one sentence each; safe to show to clients. */
  faults: readonly string[];
}

export const nothingServed: CatalogStatus = {
  isDecided: false,
  lastSeconds: 0,
  silentSeconds: 0,
  unstableSeconds: 0,
  faults: [],
};

export interface Held {
  version: string;
  /** In Unix seconds. */
  since: number;
  report: SetReport;
  /** Undefined while another set is read, to save memory. */
  snapshot: Snapshot | undefined;
}

export interface Pinned {
  /** The version, or the first digits of one that cannot be served. */
  version: string;
  /** In Unix seconds. */
  since: number;
  /** Why it cannot be served; safe to show to clients. */
  fault: string | undefined;
}

export type StatusEvent = Outcome | 'rolledBack' | 'pinned' | 'unpinned';

/** Called after each event, with the new status. */
export type OnStatus = (event: StatusEvent, status: CatalogStatus) => void;

export function logStatus(log: Log): OnStatus {
  return (event, { served, attempt, held, pinned }) => {
    const changes = (report: SetReport) => summary(report, newChanges(report));
    switch (event) {
      case 'rolledBack':
        if (served) log.info(`rolled back to ${changes(served.report)}`);
        return;
      case 'pinned':
        if (pinned?.fault === undefined)
          return log.info(`pinned to version ${pinned?.version}: changed files are not loaded`);
        return log.error(
          `version ${pinned.version} is pinned, but cannot be served: ${pinned.fault}; ${serving(served)}`,
        );
      case 'unpinned':
        return log.info('no longer pinned: changed files are loaded again');
    }
    if (!attempt) return;
    const { outcome, report } = attempt;
    const problems = formatProblems(report);
    if (outcome === 'loaded') log.info(`catalogs loaded: ${changes(report)}`, { problems });
    else if (outcome === 'unchanged') log.info(`catalogs unchanged: ${summary(report)}`, { problems });
    else if (outcome === 'failed')
      log.error(`catalogs refused: ${summary(report)}; ${serving(served)}`, { problems });
    else if (outcome === 'pending')
      log.warn(`catalogs refused: ${summary(report)}; waiting 10 s for the rest of the files`, { problems });
    else if (held)
      log.warn(`catalogs held back: ${changes(report)}; ${serving(served)}; ${howToConfirm(held)}`, {
        problems: [...formatHolds(report), ...problems],
      });
  };
}

function serving(served: CatalogStatus['served']): string {
  return served
    ? `serving version ${served.snapshot.version}, which has been served since ${rfc3339(served.since)}`
    : 'nothing is served yet';
}
