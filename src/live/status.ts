import type { Outcome } from '../contract/health.ts';
import type { Log } from '../messages.ts';
import type { SetReport } from '../reader/read-set.ts';
import type { Progress } from '../reader/reader-process.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { rfc3339 } from '../time-zone.ts';
import type { ServedSet } from './readers.ts';
import { formatHolds, formatProblems, howToConfirm, newChanges, summary } from './report.ts';

/** What is served and why, and what happened to the last change of the files. */
export interface CatalogStatus {
  /** Whether a start is over: its files are served, held back or refused, or a version is pinned. */
  isDecided: boolean;
  served?: ServedSet | undefined;
  /** The last set that was loaded or refused, and when (Unix seconds). */
  attempt?: { outcome: Outcome; time: number; report: SetReport } | undefined;
  /** How far the set is that is being read; undefined if none is. */
  loading?: Progress | undefined;
  /** The set of the files if it waits until somebody confirms it. */
  held?: Held | undefined;
  /** The version that people want to be served and nothing else; undefined if changes of the files are taken up. */
  pinned?: Pinned | undefined;
  /** How long the last change took from its detection until it was served or refused, in seconds. */
  lastSeconds: number;
  /** How long the file system has not answered, in seconds; 0 when it answers. */
  silentSeconds: number;
  /** For how many seconds changed files have not been complete and still; 0 if there are none. */
  unstableSeconds: number;
  /** When files were saved that wait, since a version is pinned (Unix seconds); undefined if none were. */
  waitingSince?: number | undefined;
  /** Why the served set is not in the history, safe to show to clients; undefined if it is. */
  unkept?: string | undefined;
  /** Why changes may not be taken up, a sentence each, safe to show to clients. */
  faults: readonly string[];
}

export const nothingServed: CatalogStatus = {
  isDecided: false,
  lastSeconds: 0,
  silentSeconds: 0,
  unstableSeconds: 0,
  faults: [],
};

/** A set without errors that is not served because it is drastic. */
export interface Held {
  version: string;
  /** Since when it is held back, in Unix seconds. */
  since: number;
  report: SetReport;
  /** Undefined while the next set is read, since there is memory for two. */
  snapshot: Snapshot | undefined;
}

export interface Pinned {
  /** The version, or the first digits of one that cannot be served. */
  version: string;
  /** Since when it is pinned, in Unix seconds. */
  since: number;
  /** Why it cannot be served, safe to show to clients; undefined if it is. */
  fault: string | undefined;
}

export type StatusEvent = Outcome | 'rolledBack' | 'pinned' | 'unpinned';

/** Called after each of them, with the status since then. */
export type OnStatus = (event: StatusEvent, status: CatalogStatus) => void;

/** Logs each event of the catalogs as one entry, with the problems of the set. */
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
