import { type Log, reasonOf } from '../messages.ts';
import type { CatalogSource, SetReport } from '../reader/read-set.ts';
import { notCompared } from '../set/hold-back/hold-back.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { type Controls, type Pin, whyUnconfirmed } from './control.ts';
import { entryOf, type LiveHistory } from './live-history.ts';
import type { LoadedSet, Loader, Readers, ServedSet } from './readers.ts';
import { CatalogError } from './report.ts';
import type { openReading, StatusKeeper } from './status.ts';
import type { StableLoad } from './watch.ts';

/** How sets go live: from the files, or from the history. */
interface GoingLive {
  /**
   * Serves a set that the loader has read, if it has no errors, is not drastic unless somebody has confirmed it, and no other
   * version is pinned. Otherwise the one before it stays, which at the start is the last good one of the history.
   * @throws CatalogError if the first set has errors, and there is none before it or `strict` asks for it.
   */
  settle(load: StableLoad, isFirst: boolean, loader: Loader): Promise<void>;
  /** Whether a set is held back, and somebody has confirmed it. If nobody has, the status says why. */
  isHeldConfirmed(controls: Controls): boolean;
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
  readers: Readers;
  reading: ReturnType<typeof openReading>;
  log: Log;
  signal: AbortSignal;
  /** Called with a set before it is served, which waits until it resolves. */
  beforeServed(next: Snapshot): Promise<void>;
}

export function openGoingLive(
  { catalogDir }: Pick<CatalogSource, 'catalogDir'>,
  { strict, holdBack, keeper, history, readers, reading, log, signal, beforeServed }: GoingLiveOptions,
): GoingLive {
  const served = () => keeper.status().served;
  /** After a kill, a start finds in the history what any answer has shown: the set is there before it is served. */
  const goLive = async (type: 'loaded' | 'restored' | 'rolledBack', set: ServedSet, loader: Loader) => {
    await Promise.all([history.keep(entryOf(catalogDir, set), loader), beforeServed(set.snapshot)]);
    keeper.apply({ type, set });
  };
  const tidy = (loader: Loader) => {
    if (served()) history.tidy(loader);
    else loader.close();
  };
  /** Serves this version of the history, or without one the last good set. @throws Error that says why it cannot be served. */
  const restore = async (version = '') => {
    const loader = readers.open();
    reading.begin();
    try {
      await history.settled();
      const replaced = history.before(served());
      const listener = { onProgress: reading.onProgress, onDamage: log.warn, signal };
      const set = await loader.restore({ version, replaced }, listener);
      if (!set) return;
      const isOther = replaced || (await history.newest())?.version !== set.snapshot.version;
      if (version !== '' && isOther) await goLive('rolledBack', { ...set, since: now() }, loader);
      else await goLive('restored', set, loader);
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
    return served();
  };
  const settleRead = async (
    { report, snapshot: read }: LoadedSet,
    { publish }: Controls,
    isFirst: boolean,
    loader: Loader,
  ) => {
    const { pinned } = keeper.status();
    if (read && pinned && !read.version.startsWith(pinned.version)) return;
    const serve = (snapshot: Snapshot, holds: SetReport['holds'] = []) =>
      goLive('loaded', { report: { ...report, holds }, snapshot, since: now() }, loader);
    const lost = history.isLastLost() && holdBack ? [notCompared(undefined)] : [];
    const holds = report.holds ?? lost;
    // The status says so: a set of before the last one may be further from what is meant.
    const isBlind = !served() && holds.every(({ code }) => code === 'NOT_COMPARED');
    if (read && isBlind) return serve(read, holds);
    const isDrastic = holds.length > 0;
    const unconfirmed = isDrastic && read ? whyUnconfirmed(publish, read.version) : undefined;
    if (read && !unconfirmed) return serve(read);
    const isRestored = isFirst && !strict && (served() ?? (await restoreLastGood())) !== undefined;
    // If nothing else can be served, there is nothing to protect.
    if (read && !strict && !served()) return serve(read);
    if (isFirst && !isRestored && (read || strict || !isAbsent(report))) throw new CatalogError(report);
    if (read && unconfirmed) keeper.apply({ type: 'held', report, snapshot: read, why: unconfirmed });
    else keeper.apply({ type: 'refused', report, isFinal: isRestored });
  };
  return {
    tidy,
    keepAgain() {
      const set = served();
      const loader = readers.open();
      if (set) void history.keep(entryOf(catalogDir, set), loader);
      tidy(loader);
    },
    async settle({ change, state }, isFirst, loader) {
      if (change.outcome === 'unchanged') keeper.apply({ type: 'unchanged', report: change.report });
      else await settleRead(change, state.controls, isFirst, loader);
      history.noteHeld(keeper.status().held?.version);
    },
    isHeldConfirmed({ publish }) {
      const { held } = keeper.status();
      if (!held) return false;
      const why = whyUnconfirmed(publish, held.version);
      if (why) keeper.apply({ type: 'unconfirmed', why });
      return !why;
    },
    async followPin(pin) {
      const isServed = () => served()?.snapshot.version.startsWith(pin.version) ?? false;
      let fault: string | undefined;
      if (!isServed()) {
        await restore(pin.version).catch(error => {
          signal.throwIfAborted();
          fault = reasonOf(error);
        });
      }
      if (!served()) await restoreLastGood();
      keeper.apply({ type: 'pinned', pin, fault });
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
