import type { Outcome } from '../contract/health.ts';
import type { Log } from '../messages.ts';
import { formatProgress, type Progress } from '../reader/progress.ts';
import type { SetReport } from '../reader/read-set.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { rfc3339 } from '../time-zone.ts';
import type { Held, Pin, Unconfirmed } from './control.ts';
import type { RestoredSet } from './load.ts';
import { formatHolds, formatProblems, howToConfirm, newChanges, summary } from './report.ts';

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
  /** The state directory in whose history the served set can be read. */
  keptIn: string;
  /** When files were saved that wait, since a version is pinned (Unix seconds); undefined if none were. */
  waitingSince?: number | undefined;
  /** Why the served set is not in the history, safe to show to clients; undefined if it is. */
  unkept: string | undefined;
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

/** What happened to the catalogs. */
export type StatusEvent = Outcome | 'rolledBack' | 'pinned' | 'unpinned';

/** Called after each event, with the status since then. */
export type OnStatus = (event: StatusEvent, status: CatalogStatus) => void;

/** Keeps the status, and reports every event. */
export interface StatusKeeper {
  status(): CatalogStatus;
  /** A set is served that was read, `since` then (Unix seconds). */
  loaded(report: SetReport, snapshot: Snapshot, since?: number): void;
  /** A set of the history, which was served since that time (Unix seconds), is served again. */
  restored(set: RestoredSet): void;
  /** A set of the history is served instead of the one after it, since that time. */
  rolledBack(set: RestoredSet): void;
  /** A version is pinned, which is the served one unless there is a fault. */
  pinned(pin: Pin, fault: string | undefined): void;
  unpinned(): void;
  /** The served set has a new report if something around its files has changed. */
  unchanged(report?: SetReport): void;
  /** A set waits until somebody confirms it. */
  held(report: SetReport, snapshot: Snapshot, why: Unconfirmed): void;
  /** Reports the set that waits again, if there was another reason before why it is not confirmed. */
  unconfirmed(why: Unconfirmed): void;
  /** Gives up the memory of a set that is held back. */
  releaseHeld(): void;
  /** Waits for more files to come, unless `isFinal` or the files could not be read to the end. */
  refused(report: SetReport, isFinal: boolean): void;
  close(): void;
}

export function openStatus(onStatus: OnStatus): StatusKeeper {
  let status: CatalogStatus = {
    served: undefined,
    attempt: undefined,
    loading: undefined,
    lastSeconds: 0,
    silentSeconds: 0,
    held: undefined,
    pinned: undefined,
    keptIn: '',
    unkept: undefined,
  };
  let failTimer: NodeJS.Timeout | undefined;

  const serve = (served: NonNullable<CatalogStatus['served']>) => {
    status = { ...status, served };
  };
  const attempted = (outcome: Outcome, report: SetReport, held?: Held) => {
    status = { ...status, held, attempt: { outcome, time: now(), report } };
    onStatus(outcome, status);
  };
  const clearFailTimer = () => {
    clearTimeout(failTimer);
    failTimer = undefined;
  };
  return {
    status: () => status,
    loaded(report, snapshot, since = now()) {
      clearFailTimer();
      serve({ report, snapshot, since });
      attempted('loaded', report);
    },
    restored({ report, snapshot, since }) {
      serve({ report, snapshot, since });
    },
    rolledBack({ report, snapshot, since }) {
      clearFailTimer();
      serve({ report, snapshot, since });
      onStatus('rolledBack', status);
    },
    held(report, snapshot, unconfirmed) {
      clearFailTimer();
      const { version } = snapshot;
      const since = status.held?.version === version ? status.held.since : now();
      attempted('held', report, { version, since, report, unconfirmed, snapshot });
    },
    unconfirmed(why) {
      if (!status.held || status.held.unconfirmed === why) return;
      status = { ...status, held: { ...status.held, unconfirmed: why } };
      onStatus('held', status);
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
      onStatus('pinned', status);
    },
    unpinned() {
      if (!status.pinned) return;
      status = { ...status, pinned: undefined };
      onStatus('unpinned', status);
    },
    unchanged(newReport) {
      if (!status.served) return;
      clearFailTimer();
      const report = newReport
        ? { ...newReport, changes: status.served.report.changes }
        : status.served.report;
      status = { ...status, served: { ...status.served, report } };
      attempted('unchanged', report);
    },
    refused(report, isFinal) {
      if (isFinal || isUnread(report) || status.attempt?.outcome === 'failed') {
        clearFailTimer();
        return attempted('failed', report);
      }
      attempted('pending', report);
      const fail = () => status.attempt && attempted('failed', status.attempt.report);
      failTimer ??= setTimeout(fail, PENDING_MS).unref();
    },
    close: clearFailTimer,
  };
}

/** Whether reading failed as a whole, which can be the fault of the machine rather than of the files. */
export function isUnread({ problems }: SetReport): boolean {
  return problems.some(({ code }) => code === 'LOAD_FAILED');
}

function now(): number {
  return Date.now() / 1000;
}

/** Logs each event of the catalogs as one entry, with the problems of the set. */
export function logStatus(log: Log): OnStatus {
  return (event, status) => {
    const { served, attempt, pinned } = status;
    if (event === 'rolledBack' && served)
      log.info(`rolled back to ${summary(served.report, newChanges(served.report))}`);
    else if (event === 'pinned' && pinned) logPin(pinned, status, log);
    else if (event === 'unpinned') log.info('not pinned any more: changed files are loaded again');
    else if (attempt) logAttempt(attempt, status, log);
  };
}

function logPin(
  { version, fault }: NonNullable<CatalogStatus['pinned']>,
  { served }: CatalogStatus,
  log: Log,
): void {
  if (fault === undefined) log.info(`pinned to version ${version}: changed files are not loaded`);
  else log.error(`version ${version} is pinned, but cannot be served: ${fault}; ${serving(served)}`);
}

function logAttempt(
  { outcome, report }: NonNullable<CatalogStatus['attempt']>,
  { served, held }: CatalogStatus,
  log: Log,
): void {
  const problems = formatProblems(report);
  const [counts, changed] = [summary(report), summary(report, newChanges(report))];
  if (outcome === 'loaded') log.info(`catalogs loaded: ${changed}`, { problems });
  else if (outcome === 'unchanged') log.info(`catalogs unchanged: ${counts}`, { problems });
  else if (outcome === 'failed') log.error(`catalogs refused: ${counts}; ${serving(served)}`, { problems });
  else if (outcome === 'pending')
    log.warn(`catalogs refused: ${counts}; waiting 10 s for the rest of the files`, { problems });
  else if (held)
    log.warn(`catalogs held back: ${changed}; ${serving(served)}; ${howToConfirm(held)}`, {
      problems: [...formatHolds(report), ...problems],
    });
}

function serving(served: CatalogStatus['served']): string {
  return served
    ? `serving version ${served.snapshot.version}, which has been served since ${rfc3339(served.since)}`
    : 'nothing is served yet';
}

/** A set that is read faster needs no line, in milliseconds. */
const FIRST_MS = 2_000;
/** Between two lines, in milliseconds. */
const NEXT_MS = 10_000;

/** How far the reading of a set is, for the status and, if it takes long, for the log. */
export interface ReadingLog {
  /** Undefined when no set is being read. */
  progress(): Progress | undefined;
  /** Begins with a set, or again from its beginning. */
  begin(): void;
  onProgress(progress: Progress): void;
  end(): void;
}

export function openReadingLog(log: Log): ReadingLog {
  let progress: Progress | undefined;
  let timer: NodeJS.Timeout | undefined;
  const stop = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  const show = () => {
    if (!progress) return;
    // On a terminal, the next line replaces this one.
    log.info(`reading the catalogs: ${formatProgress(progress)}`, { isProgress: true, ...progress });
    timer = setTimeout(show, NEXT_MS).unref();
  };
  return {
    progress: () => progress,
    begin() {
      stop();
      progress = { rows: 0, percent: 0 };
    },
    onProgress(latest) {
      progress = latest;
      timer ??= setTimeout(show, FIRST_MS).unref();
    },
    end() {
      stop();
      progress = undefined;
    },
  };
}
