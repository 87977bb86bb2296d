import type { Moment } from '../clock.ts';
import type { Outcome } from '../contract/health.ts';
import type { SetReport } from '../reader/read-set.ts';
import type { Settings } from '../settings/settings.ts';
import { isConfirmed, type Pin, unknownPin } from './control.ts';
import type { LoadedChange, ServedSet } from './readers.ts';
import type { CatalogStatus, StatusEvent } from './status.ts';
import type { DirectoryState } from './watch.ts';

// Decides which set is served. `decide` is pure: it takes the state and an event, and returns the next state and what to do.
// `live.ts` does it; the result is the next event.
//
//   look ─► files changed, and stable ─► read ─► no error, not drastic or confirmed ─► serve ─► look …
//      └──► a version is pinned, or this is a start ─► restore ─► serve

export interface Look extends DirectoryState {
  /** Whether an image that the last set names has appeared or disappeared. */
  haveImagesChanged: boolean;
}

export interface LiveState
  extends Pick<CatalogStatus, 'isDecided' | 'served' | 'attempt' | 'held' | 'pinned' | 'lastSeconds'> {
  look: Look | undefined;
  stableSince: number;
  /** Since when the attempt has been `pending`. Like all times here, in ms of the monotonic clock. */
  pendingSince: number | undefined;
  /** The change to read: when it was noticed, how long the files must be stable, and whether they were incomplete. */
  change: { since: number; quietMs: number; isBeingWritten: boolean } | undefined;
  readKey: string | undefined;
  /** The key that was last handled, and when to try again although nothing has changed, in ms. */
  handled: { key: string | undefined; failures: number; retryAt: number };
  isRestoreTried: boolean;
  /** Why the pinned version cannot be served; undefined if that was not tried. */
  pinFault: string | undefined;
  /** The version that a wanted version became: newer rules may read its files differently. */
  restoredAs: { wanted: string; version: string } | undefined;
  /** Why the last step threw an error. */
  stepFault: string | undefined;
}

export const initialState: LiveState = {
  isDecided: false,
  lastSeconds: 0,
  look: undefined,
  stableSince: 0,
  pendingSince: undefined,
  change: undefined,
  readKey: undefined,
  handled: { key: undefined, failures: 0, retryAt: Number.POSITIVE_INFINITY },
  isRestoreTried: false,
  pinFault: undefined,
  restoredAs: undefined,
  stepFault: undefined,
};

/** Where a served set came from: the files, the end of the history, or an earlier entry. */
export type Origin = 'loaded' | 'restored' | 'rolledBack';

/** What to do next. Each ends with one event. */
export type Todo =
  /** Wait `waitMs`, since a read will follow soon, or else until the next poll or change event; then look. */
  | { do: 'look'; waitMs?: number }
  /** Read the files. `isStart`: only if they are those of the last good set. */
  | { do: 'read'; key: string; stillMs: number; isBeingWritten: boolean; isStart: boolean }
  /** Read a version of the history; if empty, the last good set. */
  | { do: 'restore'; version: string }
  | { do: 'serve'; origin: Origin; set: ServedSet }
  /** End the start with an error. */
  | { do: 'end'; report: SetReport };

export type LiveEvent = Moment &
  (
    | { type: 'looked'; look: Look }
    /** At a start, the directory does not answer. */
    | { type: 'silent' }
    /** `look` is from after the read. `isRecognised`: the history had this set before the start. */
    | { type: 'read'; change: LoadedChange; look: Look; isRecognised: boolean }
    | { type: 'restored'; version: string; origin: Origin; set: ServedSet | undefined; fault?: string }
    | { type: 'served'; origin: Origin; set: ServedSet }
    /** A step threw an error. */
    | { type: 'stepFailed'; fault: string }
  );

interface Step {
  state: LiveState;
  said: StatusEvent[];
}

export interface Decision extends Step {
  todo: Todo;
}

/** How long files must be stable before they are read, and whether a start ends rather than serves the last good set. */
export type Rules = Pick<Settings, 'reloadQuietMs' | 'strict'>;

/** How long a refused set stays `pending`, in ms, before it is `failed`. Further bad saves do not extend this. */
const PENDING_MS = 10_000;
/** The longest pause before files that are not stable yet are checked again, in ms. */
const CHECK_MS = 200;
/** The pause before files or a pin are tried again, in ms. It doubles with each failure, up to the longest. */
const FIRST_RETRY_MS = 2_000;
const LONGEST_RETRY_MS = 60_000;

export function decide(before: LiveState, event: LiveEvent, rules: Rules): Decision {
  switch (event.type) {
    case 'looked':
      return proceed(sawFiles(before, event.look, event, rules), event, rules);
    case 'silent':
      return toRestore({ state: before, said: [] }, '');
    case 'read': {
      const step = sawFiles(before, event.look, event, rules);
      const isOverruled = before.look?.controls.pin?.version !== event.look.controls.pin?.version;
      const state = { ...step.state, readKey: before.look && keyOf(before.look) };
      return isOverruled ? proceed(step, event, rules) : wasRead({ ...step, state }, event, rules);
    }
    case 'restored': {
      const { version, origin, set, fault } = event;
      if (set) {
        const state = { ...before, restoredAs: { wanted: version, version: set.snapshot.version } };
        return { state, said: [], todo: { do: 'serve', origin, set } };
      }
      const tried = version === '' ? { isRestoreTried: true } : { pinFault: fault };
      return proceed({ state: { ...before, ...tried }, said: [] }, event, rules);
    }
    case 'served': {
      const { origin, set } = event;
      const state = { ...before, served: set, isRestoreTried: true };
      if (origin !== 'loaded')
        return proceed({ state, said: origin === 'rolledBack' ? ['rolledBack'] : [] }, event, rules);
      const step = attempted({ state, said: [] }, 'loaded', set.report, event);
      const pin = state.look?.controls.pin;
      return proceed(pin ? followed(step, pin, undefined, event) : handled(step, event), event, rules);
    }
    case 'stepFailed':
      return { state: { ...before, stepFault: event.fault }, said: [], todo: { do: 'look' } };
  }
}

function sawFiles(before: LiveState, look: Look, { now, ms }: Moment, { reloadQuietMs }: Rules): Step {
  const { look: last, attempt, pinned, pendingSince = ms } = before;
  const state = { ...before, look };
  if (look.print.key !== last?.print.key) {
    // Files from before the start have been stable since their last change.
    state.stableSince = last ? ms : ms - Math.max(0, now * 1000 - look.print.changedAt);
    state.change &&= { ...state.change, quietMs: reloadQuietMs };
  }
  const isOver = attempt?.outcome === 'pending' && !pinned && ms >= pendingSince + PENDING_MS;
  return isOver
    ? { state: { ...state, attempt: { ...attempt, outcome: 'failed', time: now } }, said: ['failed'] }
    : { state, said: [] };
}

function proceed(step: Step, at: Moment, rules: Rules): Decision {
  const { state } = step;
  const { look, served, isRestoreTried, restoredAs } = state;
  if (!look || !isDue(state, look, at)) return { ...step, todo: { do: 'look' } };
  const { pin } = look.controls;
  if (pin) {
    const version = served?.snapshot.version;
    const isRestored = restoredAs?.wanted === pin.version && restoredAs.version === version;
    if (isRestored || version?.startsWith(pin.version))
      return proceed(followed(step, pin, undefined, at), at, rules);
    const isTried = pin.version === '' ? isRestoreTried : state.pinFault !== undefined;
    if (!isTried) return toRestore(step, pin.version);
    if (served) return proceed(followed(step, pin, state.pinFault, at), at, rules);
    if (!isRestoreTried) return toRestore(step, '');
    // Without a history, a pinned set can only be that of the files.
  }
  const { change = { since: at.ms, quietMs: rules.reloadQuietMs, isBeingWritten: false } } = state;
  const isUnpinned = !pin && state.pinned !== undefined;
  const said: StatusEvent[] = isUnpinned ? [...step.said, 'unpinned'] : step.said;
  const next = { state: { ...state, change, ...(isUnpinned && { pinned: undefined }) }, said };
  const stillMs = at.ms - state.stableSince;
  const leftMs = change.quietMs - stillMs;
  if (leftMs > 0) return { ...next, todo: { do: 'look', waitMs: Math.min(leftMs, CHECK_MS) } };
  const isStart = !served && !isRestoreTried && !rules.strict;
  const { isBeingWritten } = change;
  const todo = { do: 'read', key: look.print.key, stillMs, isBeingWritten, isStart } as const;
  return { state: withRoom(next.state), said, todo };
}

function toRestore({ state, said }: Step, version: string): Decision {
  return { state: withRoom(state), said, todo: { do: 'restore', version } };
}

/** Drops the snapshot of the held set: memory suffices for two, the served one and the one being read. */
function withRoom(state: LiveState): LiveState {
  return { ...state, held: state.held && { ...state.held, snapshot: undefined } };
}

/** Whether the files or the control files have changed, or it is time to try again. */
function isDue({ handled, held }: LiveState, look: Look, { ms }: Moment): boolean {
  const { pin, publish } = look.controls;
  if (keyOf(look) !== handled.key || ms >= handled.retryAt) return true;
  const isNews = held !== undefined && isConfirmed(publish, held.version);
  return isNews || (!pin && look.haveImagesChanged);
}

/** Identifies what was handled: the files or, while a version is pinned, the pin. */
function keyOf({ print, controls: { pin } }: Look): string {
  return pin ? `pin ${pin.version} ${pin.changedAt}` : print.key;
}

function wasRead({ state, said }: Step, event: Extract<LiveEvent, { type: 'read' }>, rules: Rules): Decision {
  const { change, look, isRecognised } = event;
  const { served, held } = state;
  switch (change.outcome) {
    case 'different':
      return toRestore({ state, said }, '');
    case 'incomplete': {
      // Files that need not be stable were incomplete because they changed during the read.
      const quiet = change.stillMs > 0 ? { quietMs: change.stillMs, isBeingWritten: true } : {};
      return proceed(
        { state: { ...state, change: state.change && { ...state.change, ...quiet } }, said },
        event,
        rules,
      );
    }
    case 'unchanged': {
      if (!served) return proceed(handled({ state, said }, event), event, rules);
      const { changes, holds } = served.report;
      const report = { ...change.report, changes, holds: isRecognised ? [] : holds };
      const renewed = { ...state, served: { ...served, report } };
      const step = attempted({ state: renewed, said }, 'unchanged', report, event);
      return proceed(handled(step, event), event, rules);
    }
  }
  const { report, snapshot } = change;
  const verdict = decideOnSet(state, report, look.controls, rules.strict);
  if (verdict === 'restore') return toRestore({ state, said }, '');
  if (verdict === 'end') return { state, said, todo: { do: 'end', report } };
  if (verdict === 'serve' && snapshot) {
    // The set is served and the status says so: an older set may differ even more from what the owner wants.
    const isSure = served !== undefined || isConfirmed(look.controls.publish, snapshot.version);
    const holds = isSure ? [] : report.holds?.filter(({ code }) => code === 'NOT_COMPARED');
    const set = { report: { ...report, holds }, snapshot, since: event.now };
    return { state, said, todo: { do: 'serve', origin: 'loaded', set } };
  }
  let step: Step = { state, said };
  if (verdict === 'refuse') step = refused(step, report, event);
  else if (verdict === 'hold' && snapshot) {
    const { version } = snapshot;
    const since = held?.version === version ? held.since : event.now;
    step = attempted(step, 'held', report, event, { version, since, report, snapshot });
  }
  const { pin } = look.controls;
  if (pin) return proceed(followed(step, pin, state.pinFault, event), event, rules);
  // A file that could not be read may become readable without a change.
  const isUnread = report.problems.some(({ code }) => code === 'LOAD_FAILED' || code === 'UNREADABLE_FILE');
  return proceed(handled(step, event, state.readKey, isUnread), event, rules);
}

/** `restore`: serve the last good set first, if there is one. */
type Verdict = 'ignore' | 'serve' | 'restore' | 'hold' | 'refuse' | 'end';

/** A set goes live if it has no errors, no other version is pinned, and it is not drastic or was confirmed. */
export function decideOnSet(
  { served, isDecided, isRestoreTried }: Pick<LiveState, 'served' | 'isDecided' | 'isRestoreTried'>,
  { version, holds = [], problems }: Pick<SetReport, 'version' | 'holds' | 'problems'>,
  { pin, publish }: Pick<Look['controls'], 'pin' | 'publish'>,
  strict: boolean,
): Verdict {
  if (version !== undefined) {
    if (pin && !version.startsWith(pin.version)) return 'ignore';
    const isUnknown = holds.every(({ code }) => code === 'NOT_COMPARED');
    if (holds.length === 0 || isConfirmed(publish, version) || (!served && isUnknown)) return 'serve';
  }
  if (!isDecided && !served) {
    if (!strict && !isRestoreTried) return 'restore';
    const isAbsent = problems.every(({ code }) => ABSENT.includes(code));
    if (strict || (version === undefined && !isAbsent)) return 'end';
  }
  if (version === undefined) return 'refuse';
  // If no other set can be served, there is nothing to protect.
  return served ? 'hold' : 'serve';
}

/** The problems of a directory without catalogs, such as before a volume is mounted. */
const ABSENT: readonly string[] = ['NO_DIRECTORY', 'MISSING_FILE', 'NOT_READ'];

/** Refuses a set. It is `pending` at first, since another file that cures the errors may follow; not at a start. */
function refused({ state, said }: Step, report: SetReport, at: Moment): Step {
  const { attempt, isDecided, served } = state;
  const isFinal = !isDecided && served !== undefined;
  const isUnread = report.problems.some(({ code }) => code === 'LOAD_FAILED');
  if (isFinal || isUnread || attempt?.outcome === 'failed')
    return attempted({ state, said }, 'failed', report, at);
  const pendingSince = attempt?.outcome === 'pending' ? state.pendingSince : at.ms;
  return attempted({ state: { ...state, pendingSince }, said }, 'pending', report, at);
}

/** Records the outcome for the files. The same problems again are not reported. */
function attempted(
  { state, said }: Step,
  outcome: Outcome,
  report: SetReport,
  { now }: Moment,
  held?: LiveState['held'],
): Step {
  const { attempt } = state;
  const isKnown =
    outcome === attempt?.outcome &&
    report.version === undefined &&
    JSON.stringify(report.problems) === JSON.stringify(attempt.report.problems);
  if (isKnown) return { state, said };
  return { state: { ...state, held, attempt: { outcome, time: now, report } }, said: [...said, outcome] };
}

/** Records that a version is pinned. Without a fault, it is the served one. */
function followed({ state, said }: Step, pin: Pin, fault: string | undefined, at: Moment): Step {
  const { served, pinned, look } = state;
  const isFailed = served === undefined || fault !== undefined;
  const next = { ...state, held: undefined, pinFault: undefined };
  const key = look && keyOf(look);
  if (pin === unknownPin) return handled({ state: next, said }, at, key, isFailed);
  const version = fault === undefined ? (served?.snapshot.version ?? pin.version) : pin.version;
  const isKnown = pinned?.version === version && pinned.fault === fault;
  const since = Math.floor(pin.changedAt / 1000);
  const step: Step = {
    state: { ...next, pinned: { version, since, fault } },
    said: isKnown ? said : [...said, 'pinned'],
  };
  return handled(step, at, key, isFailed);
}

/** Records that this key is handled. After a failure, it is tried again. */
function handled({ state, said }: Step, { ms }: Moment, key = state.readKey, isFailed = false): Step {
  const failures = isFailed ? state.handled.failures + 1 : 0;
  const pauseMs = Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), LONGEST_RETRY_MS);
  const retryAt = isFailed ? ms + pauseMs : Number.POSITIVE_INFINITY;
  const lastSeconds = state.change ? (ms - state.change.since) / 1000 : state.lastSeconds;
  return {
    state: {
      ...state,
      isDecided: true,
      handled: { key, failures, retryAt },
      ...{ change: undefined, stepFault: undefined, lastSeconds },
    },
    said,
  };
}
