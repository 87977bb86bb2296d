import type { Outcome } from '../contract/health.ts';
import type { Log } from '../messages.ts';
import { rfc3339 } from '../time-zone.ts';
import type { RestoredSet } from './load.ts';
import type { SetReport } from './reader/load-set.ts';
import type { Progress } from './reader/progress.ts';
import { formatProblems, newChanges, summary } from './report.ts';
import type { Snapshot } from './snapshot/snapshot.ts';

/** What is served, and what happened to the last change of the files. */
export interface CatalogStatus {
  /** The set that is served, and since when (Unix seconds); undefined before the first. */
  served: { snapshot: Snapshot; report: SetReport; since: number } | undefined;
  /** The last set that was loaded or refused, and when (Unix seconds). */
  attempt: { outcome: Outcome; time: number; report: SetReport } | undefined;
  /** The load in progress, and how far it is. */
  loading: Progress | undefined;
  /** How long the last change took from its detection until it was served or refused, in seconds. */
  lastSeconds: number;
  /** How long the file system has not answered, in seconds; 0 when it answers. */
  silentSeconds: number;
  /** Why the served set is not in the history, safe to show to clients; undefined if it is. */
  unkept: string | undefined;
}

/** How long a refused set stays `pending` before it counts as `failed`, in milliseconds. */
const PENDING_MS = 10_000;

/** Keeps the status, and logs every change of it. */
export interface StatusKeeper {
  status(): CatalogStatus;
  loaded(report: SetReport, snapshot: Snapshot): void;
  /** A set of the history, which was served since that time (Unix seconds), is served again. */
  restored(set: RestoredSet): void;
  /** The served set has a new report if something around its files has changed. */
  unchanged(report?: SetReport): void;
  /** Waits for more files to come, unless `isFinal`. */
  refused(report: SetReport, isFinal: boolean): void;
  close(): void;
}

export function openStatus(log: Log): StatusKeeper {
  let status: CatalogStatus = {
    served: undefined,
    attempt: undefined,
    loading: undefined,
    lastSeconds: 0,
    silentSeconds: 0,
    unkept: undefined,
  };
  let failTimer: NodeJS.Timeout | undefined;

  const setAttempt = (outcome: Outcome, report: SetReport) => {
    status = { ...status, attempt: { outcome, time: now(), report } };
  };
  const fail = (report: SetReport) => {
    setAttempt('failed', report);
    const served = status.served
      ? `serving version ${status.served.snapshot.version}, which has been served since ${rfc3339(status.served.since)}`
      : 'nothing is served yet';
    log.error(`catalogs refused: ${summary(report)}; ${served}`, { problems: formatProblems(report) });
  };
  const clearFailTimer = () => {
    clearTimeout(failTimer);
    failTimer = undefined;
  };
  return {
    status: () => status,
    loaded(report, snapshot) {
      clearFailTimer();
      status = { ...status, served: { snapshot, report, since: now() } };
      setAttempt('loaded', report);
      log.info(`catalogs loaded: ${summary(report, newChanges(report))}`, {
        problems: formatProblems(report),
      });
    },
    restored({ report, snapshot, since }) {
      status = { ...status, served: { snapshot, report, since } };
    },
    unchanged(newReport) {
      if (!status.served) return;
      clearFailTimer();
      const report = newReport ?? status.served.report;
      status = { ...status, served: { ...status.served, report } };
      setAttempt('unchanged', report);
      log.info(`catalogs unchanged: ${summary(report)}`, { problems: formatProblems(report) });
    },
    refused(report, isFinal) {
      if (isFinal || status.attempt?.outcome === 'failed') return fail(report);
      setAttempt('pending', report);
      log.warn(`catalogs refused: ${summary(report)}; waiting 10 s for the rest of the files`, {
        problems: formatProblems(report),
      });
      failTimer ??= setTimeout(() => status.attempt && fail(status.attempt.report), PENDING_MS).unref();
    },
    close: clearFailTimer,
  };
}

function now(): number {
  return Math.floor(Date.now() / 1000);
}
