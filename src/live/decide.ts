import type { Moment } from '../clock.ts';
import type { Outcome } from '../contract/health.ts';
import type { SetReport } from '../reader/read-set.ts';
import { isConfirmed, type Pin, unknownPin } from './control.ts';
import type { LoadedChange, ServedSet } from './readers.ts';
import type { CatalogStatus, StatusEvent } from './status.ts';
import type { DirectoryState } from './watch.ts';

// Which set is served, and why. The state is a plain value, and `decide` a pure step from one to the next, which says what
// is to be done. `live.ts` does it, and the result is the next event:
//
//   look ─► files changed, and stable ─► read ─► no error, not drastic or confirmed ─► serve ─► look …
//      └──► a version is pinned, or this is a start ─► restore ─► serve

/** What was seen at a look at the catalog folder. */
export interface Look extends DirectoryState {
  /** Whether an image has come or gone that the set that was read last names. */
  haveImagesChanged: boolean;
}

export interface LiveState
  extends Pick<CatalogStatus, 'isDecided' | 'served' | 'attempt' | 'held' | 'pinned' | 'lastSeconds'> {
  /** What was seen last; undefined before the first look. */
  look: Look | undefined;
  /** Since when the files are as they are, in ms. */
  stableSince: number;
  /** Since when the files have had errors that others may cure, in ms; undefined if they have none. */
  pendingSince: number | undefined;
  /** Files that are to be read: since when, in ms; how many ms they have to lie still; and whether they were incomplete. */
  change: { since: number; quietMs: number; isBeingWritten: boolean } | undefined;
  /** The key of the files that were read last. */
  readKey: string | undefined;
  /** What was done last, and when to do it again although nothing changes, in ms. */
  handled: { key: string | undefined; failures: number; retryAt: number };
  /** Whether the last good set has been looked for at this start. */
  isRestoreTried: boolean;
  /** Why the pinned version cannot be served; undefined if that was not tried. */
  pinFault: string | undefined;
  /** What was read of the history for a version, which later rules may read as another one. */
  restoredAs: { wanted: string; version: string } | undefined;
  /** Why what was to be done failed as a whole; undefined if it did not. */
  failure: string | undefined;
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
  failure: undefined,
};

/** How a set comes to be served: it is in the files, was the last one of the history, or is an earlier one of it. */
export type Origin = 'loaded' | 'restored' | 'rolledBack';

/** What is to be done. Each ends with one event. */
export type Todo =
  /** Wait for so many ms, or else until the next poll or change event; then look. `isReadNext`: files are read soon. */
  | { do: 'look'; waitMs?: number; isReadNext?: boolean }
  /** Read the files that have this key. `isStart`: only if they are those of the last good set. */
  | { do: 'read'; key: string; stillMs: number; isBeingWritten: boolean; isStart: boolean }
  /** Read a version of the history, or the last good set if it is empty. */
  | { do: 'restore'; version: string }
  /** Keep the set in the history, then serve it. */
  | { do: 'serve'; origin: Origin; set: ServedSet }
  /** End the start. */
  | { do: 'fail'; report: SetReport };

export type LiveEvent = Moment &
  (
    | { type: 'looked'; look: Look }
    /** The directory has not answered at a start. */
    | { type: 'silent' }
    /** `look` is what was seen after the files were read. `isRecognised`: the history had this set before the start. */
    | { type: 'read'; change: LoadedChange; look: Look; isRecognised: boolean }
    | { type: 'restored'; version: string; origin: Origin; set: ServedSet | undefined; fault?: string }
    | { type: 'served'; origin: Origin; set: ServedSet }
    | { type: 'failed'; fault: string }
  );

/** The next state, and what people hear of, in order. */
interface Step {
  state: LiveState;
  said: StatusEvent[];
}

export interface Decision extends Step {
  todo: Todo;
}

export interface Rules {
  /** How long files must lie still, in ms. */
  reloadQuietMs: number;
  /** Whether a start fails rather than serve the last good set. */
  strict: boolean;
}

/** How long a refused set stays `pending`, in ms, before it counts as `failed`: another bad save does not make it longer. */
const PENDING_MS = 10_000;
/** The longest pause between two looks at files that are not stable yet, in ms. */
const CHECK_MS = 200;
/** What failed is done again after this time, in ms; then each time after twice as long, up to the longest. */
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
    case 'failed':
      return { state: { ...before, failure: event.fault }, said: [], todo: { do: 'look' } };
  }
}

/** Takes in what the files are, and that time has passed. */
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

/** What is to be done next. */
function proceed(step: Step, at: Moment, rules: Rules): Decision {
  const { state } = step;
  const { look, served, isRestoreTried, restoredAs } = state;
  if (!look || !isDue(state, look, at)) return { ...step, todo: { do: 'look' } };
  const { pin } = look.controls;
  if (pin) {
    const { version = undefined } = served?.snapshot ?? {};
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
  if (leftMs > 0)
    return { ...next, todo: { do: 'look', waitMs: Math.min(leftMs, CHECK_MS), isReadNext: true } };
  const isStart = !served && !isRestoreTried && !rules.strict;
  const { isBeingWritten } = change;
  const todo = { do: 'read', key: look.print.key, stillMs, isBeingWritten, isStart } as const;
  return { state: withRoom(next.state), said, todo };
}

function toRestore({ state, said }: Step, version: string): Decision {
  return { state: withRoom(state), said, todo: { do: 'restore', version } };
}

/** There is memory for two sets: the one that is served, and the one that is read. */
function withRoom(state: LiveState): LiveState {
  return { ...state, held: state.held && { ...state.held, snapshot: undefined } };
}

/** Whether there is something to do: the files have changed, or what people want of them, or it is time to try again. */
function isDue({ handled, held }: LiveState, look: Look, { ms }: Moment): boolean {
  const { pin, publish } = look.controls;
  if (keyOf(look) !== handled.key || ms >= handled.retryAt) return true;
  const isNews = held !== undefined && isConfirmed(publish, held.version);
  return isNews || (!pin && look.haveImagesChanged);
}

/** What decides whether there is something to do: the files, unless a version is pinned. */
function keyOf({ print, controls: { pin } }: Look): string {
  return pin ? `pin ${pin.version} ${pin.changedAt}` : print.key;
}

/** What becomes of the files that were read. */
function wasRead({ state, said }: Step, event: Extract<LiveEvent, { type: 'read' }>, rules: Rules): Decision {
  const { change, look, isRecognised } = event;
  const { served, held } = state;
  switch (change.outcome) {
    case 'different':
      return toRestore({ state, said }, '');
    case 'incomplete': {
      // If they do not have to lie still, they have changed meanwhile.
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
  if (verdict === 'fail') return { state, said, todo: { do: 'fail', report } };
  if (verdict === 'serve' && snapshot) {
    // It is served, and the status says so: an older set may be even further from what is meant.
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
  // What could not be read can be whole again although nothing has changed.
  const isUnread = report.problems.some(({ code }) => code === 'LOAD_FAILED' || code === 'UNREADABLE_FILE');
  return proceed(handled(step, event, state.readKey, isUnread), event, rules);
}

/** What becomes of a set that was read. `restore`: first, the last good set is to be served, if there is one. */
type Verdict = 'ignore' | 'serve' | 'restore' | 'hold' | 'refuse' | 'fail';

/**
 * The one decision about a set: it goes live if it has no errors, no other version is pinned, and it is not drastic or
 * somebody has confirmed it.
 */
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
    if (strict || (version === undefined && !isAbsent)) return 'fail';
  }
  if (version === undefined) return 'refuse';
  // If nothing else can be served, there is nothing to protect.
  return served ? 'hold' : 'serve';
}

/** The problems of a directory without any catalog, as before a volume is mounted. */
const ABSENT: readonly string[] = ['NO_DIRECTORY', 'MISSING_FILE', 'NOT_READ'];

/** Others of the files may still come, which cure the errors, unless this is a start. */
function refused({ state, said }: Step, report: SetReport, at: Moment): Step {
  const { attempt, isDecided, served } = state;
  const isFinal = !isDecided && served !== undefined;
  const isUnread = report.problems.some(({ code }) => code === 'LOAD_FAILED');
  if (isFinal || isUnread || attempt?.outcome === 'failed')
    return attempted({ state, said }, 'failed', report, at);
  const pendingSince = attempt?.outcome === 'pending' ? state.pendingSince : at.ms;
  return attempted({ state: { ...state, pendingSince }, said }, 'pending', report, at);
}

/** Notes what became of the files. The same problems again are nothing that people have to hear of. */
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

/** A version is pinned, which is the served one unless there is a fault. */
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

/** What has this key is not done again, unless that failed. */
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
      ...{ change: undefined, failure: undefined, lastSeconds },
    },
    said,
  };
}
