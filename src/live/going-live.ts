import { type Log, reasonOf } from '../messages.ts';
import type { CatalogSource, SetReport } from '../reader/read-set.ts';
import { notCompared } from '../set/hold-back/hold-back.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { type Pin, whyUnconfirmed } from './control.ts';
import { beforeOf, entryOf, type LiveHistory } from './live-history.ts';
import type { Loader } from './load.ts';
import type { StableLoad } from './load-when-stable.ts';
import { CatalogError } from './report.ts';
import type { CatalogStatus, ReadingLog, StatusKeeper } from './status.ts';
import type { DirectoryState } from './watch.ts';

type ServedSet = NonNullable<CatalogStatus['served']>;
type ReadChange = Extract<StableLoad['change'], { outcome: 'read' }>;

/** How sets go live: from the files, or from the history. */
interface GoingLive {
  /** The set that is served; undefined before the first. */
  snapshot(): Snapshot | undefined;
  /**
   * Serves a set that the loader has read, if it has no errors, is not drastic unless somebody has confirmed it, and no other
   * version is pinned. Otherwise the one before it stays, which at the start is the last good one of the history.
   * @throws CatalogError if the first set has errors, and there is none before it or `strict` asks for it.
   */
  settle(load: StableLoad, isFirst: boolean, loader: Loader): Promise<void>;
  /** Whether a set is held back, and somebody has confirmed it. If nobody has, the status says why. */
  isHeldConfirmed(state: DirectoryState): boolean;
  /** Serves the last good set of the history; undefined if there is none. */
  restoreLastGood(): Promise<Snapshot | undefined>;
  /** Serves a pinned version; if it cannot be served, what was served before. Returns whether the version is served. */
  followPin(pin: Pin): Promise<boolean>;
  /** Deletes what the history has no room for. Closes the loader. */
  tidy(loader: Loader): void;
  /** Keeps the served set in the history, which could not be kept before. */
  keepAgain(): void;
}

interface GoingLiveOptions {
  /** Whether a set with errors at the start is an error, rather than replaced by the last good one. */
  strict: boolean;
  /** Whether drastic changes wait until somebody confirms them. */
  holdBack: boolean;
  keeper: StatusKeeper;
  history: LiveHistory;
  reading: ReadingLog;
  log: Log;
  signal: AbortSignal;
  /** Called with a set before it is served, which waits until it resolves. */
  beforeServed(next: Snapshot): Promise<void>;
  /** Returns a loader for this caller alone, who closes it. */
  takeLoader(): Loader;
}

export function openGoingLive(
  source: CatalogSource,
  { strict, holdBack, keeper, history, reading, log, signal, beforeServed, takeLoader }: GoingLiveOptions,
): GoingLive {
  const snapshot = () => keeper.status().served?.snapshot;
  /** After a kill, a start finds in the history what any answer has shown: the set is there before it is served. */
  const prepare = (next: ServedSet, loader: Loader) =>
    Promise.all([history.keep(entryOf(source.catalogDir, next), loader), beforeServed(next.snapshot)]);
  const tidy = (loader: Loader) => {
    const { served } = keeper.status();
    if (served) history.tidy(loader);
    else loader.close();
  };
  /** Serves this version of the history, or without one the last good set. @throws Error that says why it cannot be served. */
  const restore = async (version = '') => {
    const loader = takeLoader();
    reading.begin();
    try {
      await history.settled();
      const replaced = beforeOf(
        history.placeOf(snapshot()?.version ?? ''),
        keeper.status().served?.report,
        undefined,
      );
      const set = await loader.restore({ version, replaced }, reading.onProgress, log.warn, signal);
      if (!set) return;
      const isOther = replaced || (await history.newest())?.version !== set.snapshot.version;
      const isBack = version !== '' && isOther;
      const next = isBack ? { ...set, since: now() } : set;
      await prepare(next, loader);
      if (isBack) keeper.rolledBack(next);
      else keeper.restored(next);
    } finally {
      reading.end();
      tidy(loader);
    }
  };
  const restoreLastGood = async () => {
    await restore().catch(error => {
      signal.throwIfAborted();
      log.error(`the history cannot be read: ${reasonOf(error)}`);
    });
    return snapshot();
  };
  const settleRead = async (
    { report, snapshot: read }: ReadChange,
    { controls }: DirectoryState,
    isFirst: boolean,
    loader: Loader,
  ) => {
    const { pinned } = keeper.status();
    if (read && pinned && !read.version.startsWith(pinned.version)) return;
    const serve = async (snapshot: Snapshot, holds: SetReport['holds'] = []) => {
      const since = now();
      const served = { ...report, holds };
      await prepare({ report: served, snapshot, since }, loader);
      keeper.loaded(served, snapshot, since);
    };
    const lost = history.isLastLost() && holdBack ? [notCompared(undefined)] : [];
    const holds = report.holds ?? lost;
    // The status says so: a set of before the last one may be further from what is meant.
    const isBlind = !snapshot() && holds.every(({ code }) => code === 'NOT_COMPARED');
    if (read && isBlind) return serve(read, holds);
    const isDrastic = holds.length > 0;
    const unconfirmed = isDrastic && read ? whyUnconfirmed(controls.publish, read.version) : undefined;
    if (read && !unconfirmed) return serve(read);
    const isRestored = isFirst && !strict && (snapshot() ?? (await restoreLastGood())) !== undefined;
    // If nothing else can be served, there is nothing to protect.
    if (read && !strict && !snapshot()) return serve(read);
    if (isFirst && !isRestored && (read || strict || !isAbsent(report))) throw new CatalogError(report);
    if (read && unconfirmed) keeper.held(report, read, unconfirmed);
    else keeper.refused(report, isRestored);
  };
  return {
    snapshot,
    restoreLastGood,
    tidy,
    keepAgain() {
      const { served } = keeper.status();
      const loader = takeLoader();
      if (served) void history.keep(entryOf(source.catalogDir, served), loader);
      tidy(loader);
    },
    async settle({ change, state }, isFirst, loader) {
      if (change.outcome === 'unchanged') keeper.unchanged(change.report);
      else await settleRead(change, state, isFirst, loader);
      history.noteHeld(keeper.status().held?.version);
    },
    isHeldConfirmed({ controls }) {
      const { held } = keeper.status();
      if (!held) return false;
      const unconfirmed = whyUnconfirmed(controls.publish, held.version);
      if (unconfirmed) keeper.unconfirmed(unconfirmed);
      return !unconfirmed;
    },
    async followPin(pin) {
      const isServed = () => snapshot()?.version.startsWith(pin.version) ?? false;
      let fault: string | undefined;
      if (!isServed()) {
        await restore(pin.version).catch(error => {
          signal.throwIfAborted();
          fault = reasonOf(error);
        });
      }
      if (!snapshot()) await restoreLastGood();
      keeper.pinned(pin, fault);
      history.noteHeld(undefined);
      return isServed();
    },
  };
}

function now(): number {
  return Date.now() / 1000;
}

/** Whether there is no catalog at all, as before a volume is mounted. */
function isAbsent({ problems }: SetReport): boolean {
  return problems.every(({ code }) => ['NO_DIRECTORY', 'MISSING_FILE', 'NOT_READ'].includes(code));
}
