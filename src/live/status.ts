import type { Outcome } from '../contract/health.ts';
import type { Log } from '../messages.ts';
import type { SetReport } from '../reader/read-set.ts';
import type { Progress } from '../reader/reader-process.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { rfc3339 } from '../time-zone.ts';
import type { Pin } from './control.ts';
import type { ServedSet } from './readers.ts';
import { formatHolds, formatProblems, howToConfirm, newChanges, summary } from './report.ts';

/** What is served and why, and what happened to the last change of the files. */
export interface CatalogStatus {
  served?: ServedSet | undefined;
  /** The last set that was loaded or refused, and when (Unix seconds). */
  attempt?: { outcome: Outcome; time: number; report: SetReport } | undefined;
  /** Since when it has been `pending` (Unix seconds). */
  pendingSince?: number;
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
  /** When files were saved that wait, since a version is pinned (Unix seconds); undefined if none were. */
  waitingSince?: number | undefined;
  /** Why the served set is not in the history, safe to show to clients; undefined if it is. */
  unkept?: string | undefined;
  /** Why changes may not be taken up, a sentence each, safe to show to clients. */
  faults: readonly string[];
}

export const nothingServed: CatalogStatus = { lastSeconds: 0, silentSeconds: 0, faults: [] };

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

/** What happens to the catalogs. */
export type CatalogEvent =
  /** A set begins to be read, or is read so far; without progress, that is over. */
  | { type: 'reading'; progress: Progress | undefined }
  /** A set is served: one of the files, the last one of the history, or an earlier one of it instead of the one served. */
  | { type: 'loaded' | 'restored' | 'rolledBack'; set: ServedSet }
  /** The files hold what is served. What lies around them may have changed, or the history says that nothing has. */
  | { type: 'unchanged'; report: SetReport; isRecognised: boolean }
  | { type: 'held'; report: SetReport; snapshot: Snapshot }
  /** The files have errors, which others may cure that are still to come unless this `isFinal`. */
  | { type: 'refused'; report: SetReport; isFinal: boolean }
  | { type: 'polled' }
  /** The catalog files were looked at, and the files by which people control what is served. */
  | { type: 'looked'; faults: readonly string[] }
  /** A version is pinned, which is the served one unless there is a fault. */
  | { type: 'pinned'; pin: Pin; fault: string | undefined }
  | { type: 'unpinned' };

export type StatusEvent = Outcome | 'rolledBack' | 'pinned' | 'unpinned';

/** Called after each of them, with the status since then. */
export type OnStatus = (event: StatusEvent, status: CatalogStatus) => void;

/** How long a refused set stays `pending` before it counts as `failed`: another bad save does not make it longer. */
const PENDING_SECONDS = 10;

/** The status after an event at `time` (Unix seconds), and what people hear of it. */
export function decide(status: CatalogStatus, event: CatalogEvent, time: number) {
  const { served, attempt, held, pinned } = status;
  const { pendingSince = time } = attempt?.outcome === 'pending' ? status : {};
  const next = (change: Partial<CatalogStatus>, said?: StatusEvent) => ({
    status: { ...status, ...change },
    said,
  });
  const tried = (outcome: Outcome, report: SetReport, change: Partial<CatalogStatus> = {}) =>
    next({ held: undefined, ...change, attempt: { outcome, time, report } }, outcome);
  switch (event.type) {
    case 'reading': {
      const { progress } = event;
      // There is memory for two sets.
      return next({ loading: progress, held: held && progress ? { ...held, snapshot: undefined } : held });
    }
    case 'loaded':
      return tried('loaded', event.set.report, { served: event.set });
    case 'restored':
      return next({ served: event.set });
    case 'rolledBack':
      return next({ served: event.set }, 'rolledBack');
    case 'unchanged': {
      if (!served) return next({});
      const { changes, holds } = served.report;
      const report = { ...event.report, changes, holds: event.isRecognised ? [] : holds };
      return tried('unchanged', report, { served: { ...served, report } });
    }
    case 'held': {
      const { report, snapshot } = event;
      const { version } = snapshot;
      const since = held?.version === version ? held.since : time;
      return tried('held', report, { held: { version, since, report, snapshot } });
    }
    case 'refused': {
      const isFailed = event.isFinal || isUnread(event.report) || attempt?.outcome === 'failed';
      return tried(isFailed ? 'failed' : 'pending', event.report, { pendingSince });
    }
    case 'polled': {
      const isOver = attempt?.outcome === 'pending' && !pinned && time >= pendingSince + PENDING_SECONDS;
      return isOver ? tried('failed', attempt.report) : next({});
    }
    case 'looked':
      return next({ faults: event.faults });
    case 'pinned': {
      const { pin, fault } = event;
      const version = fault === undefined ? (served?.snapshot.version ?? pin.version) : pin.version;
      const isKnown = pinned?.version === version && pinned.fault === fault;
      const since = Math.floor(pin.changedAt / 1000);
      return next({ held: undefined, pinned: { version, since, fault } }, isKnown ? undefined : 'pinned');
    }
    case 'unpinned':
      return pinned ? next({ pinned: undefined }, 'unpinned') : next({});
  }
}

/** The first set of a start: `strict` if the last good one may not replace it, `restored` if that was tried. */
export type Start = 'first' | 'strict' | 'restored';

/** What becomes of a set that was read. `restore`: the last good set is served first, if there is one. */
type Verdict = 'ignore' | 'serve' | 'restore' | 'hold' | 'refuse' | 'fail';

/**
 * Decides what becomes of a set that was read: it goes live if it has no errors, no other version is pinned, and it is not
 * drastic or somebody has confirmed it. `start` is undefined unless the set is the first one.
 */
export function judge(
  { served, pinned }: Pick<CatalogStatus, 'served' | 'pinned'>,
  { version, holds = [], problems }: Pick<SetReport, 'version' | 'holds' | 'problems'>,
  isConfirmed: boolean,
  start: Start | undefined,
): Verdict {
  if (version !== undefined) {
    if (pinned && !version.startsWith(pinned.version)) return 'ignore';
    const isUnknown = holds.every(({ code }) => code === 'NOT_COMPARED');
    if (holds.length === 0 || isConfirmed || (!served && isUnknown)) return 'serve';
  }
  if (start === 'first') return 'restore';
  const isAbsent = problems.every(({ code }) => ABSENT.includes(code));
  if (!served && (start === 'strict' || (start && version === undefined && !isAbsent))) return 'fail';
  if (version === undefined) return 'refuse';
  // If nothing else can be served, there is nothing to protect.
  return served ? 'hold' : 'serve';
}

/** The problems of a directory without any catalog, as before a volume is mounted. */
const ABSENT: readonly string[] = ['NO_DIRECTORY', 'MISSING_FILE', 'NOT_READ'];

/** Keeps the status, and calls `onStatus` with what people hear of. */
export function openStatus(onStatus: OnStatus) {
  let status = nothingServed;
  return {
    status: () => status,
    snapshot: (): Snapshot | undefined => status.served?.snapshot,
    apply(event: CatalogEvent): void {
      const decision = decide(status, event, Date.now() / 1000);
      status = decision.status;
      if (decision.said) onStatus(decision.said, status);
    },
  };
}

/** Whether reading failed as a whole, which can be the fault of the machine rather than of the files. */
export function isUnread({ problems }: SetReport): boolean {
  return problems.some(({ code }) => code === 'LOAD_FAILED');
}

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
