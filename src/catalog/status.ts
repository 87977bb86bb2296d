import type { Outcome } from '../contract/health.ts';
import type { Log } from '../messages.ts';
import { rfc3339 } from '../time-zone.ts';
import type { RestoredSet } from './load.ts';
import type { SetReport } from './reader/load-set.ts';
import type { Progress } from './reader/progress.ts';
import { formatHolds, formatProblems, howToConfirm, newChanges, summary } from './report.ts';
import type { Snapshot } from './snapshot/snapshot.ts';
import type { ControlFile } from './watch/control-files.ts';

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
  /** The set of the files if it waits until somebody confirms it. */
  held: Held | undefined;
  /** The version that people want to be served and nothing else; undefined if changes of the files are taken up. */
  pinned: Pinned | undefined;
  /** Why the served set is not in the history, safe to show to clients; undefined if it is. */
  unkept: string | undefined;
}

/** A set without errors that is not served because it is drastic. */
export interface Held {
  version: string;
  /** Since when it is held back, in Unix seconds. */
  since: number;
  report: SetReport;
  /** Undefined while the next set is read, since there is memory for two. */
  snapshot: Snapshot | undefined;
}

/** A version that is pinned. */
export interface Pinned {
  /** The version, or the first digits of one that cannot be served. */
  version: string;
  /** Since when it is pinned, in Unix seconds. */
  since: number;
  /** Why it cannot be served, safe to show to clients; undefined if it is. */
  fault: string | undefined;
}

/** How long a refused set stays `pending` before it counts as `failed`, in milliseconds. */
const PENDING_MS = 10_000;

/** Keeps the status, and logs every change of it. */
export interface StatusKeeper {
  status(): CatalogStatus;
  loaded(report: SetReport, snapshot: Snapshot): void;
  /** A set of the history, which was served since that time (Unix seconds), is served again. */
  restored(set: RestoredSet): void;
  /** A set of the history is served instead of the one after it. */
  rolledBack(set: RestoredSet): void;
  /** A version is pinned, which is the served one unless there is a fault. */
  pinned(pin: ControlFile, fault: string | undefined): void;
  unpinned(): void;
  /** The served set has a new report if something around its files has changed. */
  unchanged(report?: SetReport): void;
  /** A set waits until somebody confirms it. */
  held(report: SetReport, snapshot: Snapshot): void;
  /** Gives up the memory of a set that is held back. */
  releaseHeld(): void;
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
    held: undefined,
    pinned: undefined,
    unkept: undefined,
  };
  let failTimer: NodeJS.Timeout | undefined;

  const setAttempt = (outcome: Outcome, report: SetReport) => {
    status = { ...status, held: undefined, attempt: { outcome, time: now(), report } };
  };
  const serving = () =>
    status.served
      ? `serving version ${status.served.snapshot.version}, which has been served since ${rfc3339(status.served.since)}`
      : 'nothing is served yet';
  const fail = (report: SetReport) => {
    setAttempt('failed', report);
    log.error(`catalogs refused: ${summary(report)}; ${serving()}`, { problems: formatProblems(report) });
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
    rolledBack({ report, snapshot }) {
      clearFailTimer();
      status = { ...status, served: { snapshot, report, since: now() } };
      log.info(`rolled back to ${summary(report, newChanges(report))}`);
    },
    held(report, snapshot) {
      clearFailTimer();
      const { version } = snapshot;
      const since = status.held?.version === version ? status.held.since : now();
      setAttempt('held', report);
      status = { ...status, held: { version, since, report, snapshot } };
      log.warn(
        `catalogs held back: ${summary(report, newChanges(report))}; ${serving()}; ${howToConfirm(version)}`,
        { problems: [...formatHolds(report), ...formatProblems(report)] },
      );
    },
    releaseHeld() {
      if (status.held) status = { ...status, held: { ...status.held, snapshot: undefined } };
    },
    pinned({ version: wanted, changedAt }, fault) {
      const before = status.pinned;
      const version = fault === undefined ? (status.served?.snapshot.version ?? wanted) : wanted;
      status = {
        ...status,
        held: undefined,
        pinned: { version, since: Math.floor(changedAt / 1000), fault },
      };
      if (before?.version === version && before.fault === fault) return;
      if (fault === undefined) log.info(`pinned to version ${version}: changed files are not loaded`);
      else log.error(`version ${wanted} is pinned, but cannot be served: ${fault}; ${serving()}`);
    },
    unpinned() {
      if (!status.pinned) return;
      status = { ...status, pinned: undefined };
      log.info('not pinned any more: changed files are loaded again');
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
  return Date.now() / 1000;
}
