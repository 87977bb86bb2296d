import type { Readable } from 'node:stream';
import type { CheckOutcome } from '../contract/history.ts';
import { type Entry, historyPath } from '../history/entries.ts';
import { type Log, reasonOf } from '../messages.ts';
import type { CatalogSource } from '../reader/read-set.ts';
import type { Progress } from '../reader/reader-process.ts';
import type { Fingerprint } from '../set/directory.ts';
import { notCompared } from '../set/hold-back/hold-back.ts';
import type { Settings } from '../settings/settings.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { isConfirmed, type Pin, readControls, unknownPin } from './control.ts';
import { entryOf, type LiveHistory, openLiveHistory } from './live-history.ts';
import { type Loader, OvertakenError, openReaders, type Readers, type ServedSet } from './readers.ts';
import { CatalogError, formatProgress } from './report.ts';
import { type CatalogStatus, isUnread, judge, logStatus, type OnStatus, openStatus } from './status.ts';
import {
  type ChangeEvents,
  type DirectoryState,
  fileSystemEvents,
  loadWhenStable,
  openCatalogDirectory,
  openChangePoller,
  openImagesWatch,
} from './watch.ts';

/** The catalogs of a directory: always the last good set. */
export type LiveCatalog = ReturnType<typeof openLiveCatalog>;
/** What would happen if files were saved; see `check` there. */
export type Check = Awaited<ReturnType<LiveCatalog['check']>>;

interface LiveOptions extends Pick<Settings, 'reloadQuietMs' | 'reloadPollMs' | 'holdBack' | 'strict'> {
  /** Reports the events, instead of the log. */
  onStatus?: OnStatus | undefined;
  /** Called with each set before it is served, which waits until it resolves. */
  beforeServed?: ((next: Snapshot) => Promise<void>) | undefined;
}

/** Files that could not be read are read again after twice this time, in ms; then each time after twice as long. */
const RETRY_MS = 2_000;
/** Between two lines about the progress of a set, in milliseconds. */
const PROGRESS_MS = 10_000;

/**
 * Loads the set of a directory, and then every later set without errors. The fingerprint of the files, taken at every poll
 * and on every change event, decides whether they changed. Sets load one at a time, and the newest always wins. A
 * directory that does not exist or has no catalogs yet is not an error. While a version is pinned, the files are not read.
 */
export function openLiveCatalog(
  source: CatalogSource,
  { reloadPollMs, reloadQuietMs, strict, onStatus, beforeServed, ...options }: LiveOptions,
  log: Log,
  history: LiveHistory = openLiveHistory(source, Promise.resolve({ mayWrite: async () => true }), log),
  readers: Readers = openReaders(source),
  changeEvents: ChangeEvents = fileSystemEvents,
) {
  const holdBack = options.holdBack === 'on';
  const closing = new AbortController();
  const { signal } = closing;
  const { catalogDir, stateDir } = source;
  const historyDir = historyPath(stateDir);
  const directory = openCatalogDirectory(catalogDir, historyDir);
  const images = openImagesWatch(source.imagesDir);
  const keeper = openStatus(onStatus ?? logStatus(log));
  const poller = openChangePoller(reloadPollMs);
  const events = changeEvents([catalogDir, historyDir], poller.pollNow);
  /** When the next line about the progress is due, in milliseconds of `performance.now()`. */
  let lineAt = 0;
  const onProgress = (progress: Progress) => {
    keeper.apply({ type: 'reading', progress });
    if (performance.now() < lineAt) return;
    lineAt = performance.now() + PROGRESS_MS;
    log.info(`reading the catalogs: ${formatProgress(progress)}`, progress);
  };
  const onStart = () => {
    lineAt = performance.now() + PROGRESS_MS;
    onProgress({ rows: 0, percent: 0 });
  };
  const listener = { onProgress, onDamage: log.warn, signal };
  let handledKey: string | undefined;
  let print: Fingerprint | undefined;
  /** Since when the files have been as they are, in milliseconds of `performance.now()`. */
  let stableSince = 0;
  let lastSeconds = 0;
  let failures = 0;
  let faults: Record<'ofControls' | 'ofLoading', readonly string[]> = { ofControls: [], ofLoading: [] };
  let retryAt = Number.POSITIVE_INFINITY;

  const served = () => keeper.status().served;
  const open = () => {
    onStart();
    return readers.open();
  };
  const close = (loader: Loader) => {
    keeper.apply({ type: 'reading', progress: undefined });
    if (served()) history.tidy(loader);
    else loader.close();
  };
  /** After a kill, a start finds in the history what any answer has shown: the set is there before it is served. */
  const goLive = async (type: 'loaded' | 'restored' | 'rolledBack', set: ServedSet, loader: Loader) => {
    await Promise.all([history.keep(entryOf(catalogDir, set), loader), beforeServed?.(set.snapshot)]);
    keeper.apply({ type, set });
  };

  /** Serves this version of the history, or without one the last good set. @throws Error that says why it cannot be served. */
  const restore = async (version: string) => {
    const loader = open();
    try {
      await history.settled();
      const replaced = history.before(served());
      const set = await loader.restore({ version, replaced }, served()?.snapshot, listener);
      if (!set) return;
      const isNewest = !replaced && (await history.newest())?.version === set.snapshot.version;
      if (version === '' || isNewest) await goLive('restored', set, loader);
      else await goLive('rolledBack', { ...set, since: now() }, loader);
    } finally {
      close(loader);
    }
  };
  const restoreLastGood = () =>
    restore('').catch(error => {
      signal.throwIfAborted();
      log.error(`the history cannot be read: ${reasonOf(error)}`);
    });

  /** Serves a pinned version; if it cannot be served, what was served before. Returns whether the version is served. */
  const followPin = async (pin: Pin): Promise<boolean> => {
    const isServed = () => served()?.snapshot.version.startsWith(pin.version) ?? false;
    let fault: string | undefined;
    if (!isServed()) {
      await restore(pin.version).catch(error => {
        signal.throwIfAborted();
        fault = reasonOf(error);
      });
    }
    if (!served()) await restoreLastGood();
    if (pin === unknownPin) return isServed();
    keeper.apply({ type: 'pinned', pin, fault });
    history.noteHeld(undefined);
    return isServed();
  };

  /** Does with a set that was read what {@link judge} says. @throws CatalogError */
  const settle = async (
    { change, state }: NonNullable<Awaited<ReturnType<typeof loadWhenStable>>>,
    isFirst: boolean,
    loader: Loader,
  ) => {
    if (change.outcome === 'unchanged') {
      const isRecognised = history.isLastLost() && (await history.hasBefore(served()));
      return keeper.apply({ type: 'unchanged', report: change.report, isRecognised });
    }
    const { snapshot } = change;
    const lost = holdBack && history.isLastLost() ? [notCompared(undefined)] : [];
    const report = { ...change.report, holds: change.report.holds ?? lost };
    const isPublished = isConfirmed(state.controls.publish, String(report.version));
    const start = strict ? 'strict' : 'first';
    let verdict = judge(keeper.status(), report, isPublished, isFirst ? start : undefined);
    if (verdict === 'restore') {
      await restoreLastGood();
      verdict = judge(keeper.status(), report, isPublished, 'restored');
    }
    if (verdict === 'fail') throw new CatalogError(report);
    const isFinal = isFirst && served() !== undefined;
    if (verdict === 'refuse') keeper.apply({ type: 'refused', report, isFinal });
    if (verdict === 'hold' && snapshot) keeper.apply({ type: 'held', report, snapshot });
    if (verdict !== 'serve' || !snapshot) return;
    // It is served, and the status says so: an older set may be even further from what is meant.
    const holds = served() || isPublished ? [] : report.holds.filter(({ code }) => code === 'NOT_COMPARED');
    await goLive('loaded', { report: { ...report, holds }, snapshot, since: now() }, loader);
  };

  /** Loads the files, unless a pin comes or goes in the meantime. */
  const takeUp = async (state: DirectoryState) => {
    const isFirst = handledKey === undefined;
    const last = served() ? undefined : await history.newest();
    if (isFirst && !last && state.print.key === 'ENOENT') {
      log.warn(`${catalogDir} does not exist yet: create it, or set CATALOG_DIR`);
    }
    // A later reader starts while the files become stable.
    const loader = open();
    try {
      // What changes is found by the history.
      await history.settled();
      const start = performance.now();
      const before = history.before(served(), last);
      const load = await loadWhenStable(directory, state, {
        ...{ since: stableSince, reloadQuietMs, onStartOver: onStart, signal },
        read: expected => loader.load({ ...expected, before, holdBack }, served()?.snapshot, listener),
      });
      lastSeconds = (performance.now() - start) / 1000;
      keeper.apply({ type: 'reading', progress: undefined });
      if (load) {
        await settle(load, isFirst, loader);
        history.noteHeld(keeper.status().held?.version);
      }
      return load;
    } finally {
      close(loader);
    }
  };
  /** Keeps the served set in the history, which could not be kept before. */
  const keepAgain = (set: ServedSet) => {
    const loader = readers.open();
    void history.keep(entryOf(catalogDir, set), loader);
    history.noteHeld(keeper.status().held?.version);
    history.tidy(loader);
  };

  /** What has this key is not handled again, unless that `failed`. */
  const handled = (key: string, failed: boolean) => {
    handledKey = key;
    failures = failed ? failures + 1 : 0;
    retryAt = failed ? performance.now() + RETRY_MS * 2 ** failures : Number.POSITIVE_INFINITY;
  };
  /** Logs each fault when it begins, and when it ends. */
  const noteFaults = (found: Partial<typeof faults>) => {
    const before = keeper.status().faults;
    faults = { ...faults, ...found };
    const after = [...faults.ofControls, ...faults.ofLoading];
    for (const fault of after.filter(fault => !before.includes(fault))) log.error(fault);
    for (const fault of before.filter(fault => !after.includes(fault))) log.info(`resolved: ${fault}`);
    keeper.apply({ type: 'looked', faults: after });
  };
  const haveImagesArrived = () => {
    const awaited = keeper.status().attempt?.report.awaitedImages ?? [];
    return awaited.length > 0 && images.hasOneOf(awaited);
  };
  const takeUpChanges = async (): Promise<void> => {
    keeper.apply({ type: 'polled' });
    const state = await directory.look(signal);
    const { pin } = state.controls;
    noteFaults({ ofControls: state.controls.faults });
    if (state.print.key !== print?.key) {
      // A directory may be a new one.
      events.renew();
      // Files from before the start have been stable since their last change.
      const age = print ? 0 : Math.max(0, Date.now() - state.print.changedAt);
      stableSince = performance.now() - age;
    }
    print = state.print;
    const key = keyOf(state);
    const isDue = key !== handledKey || performance.now() >= retryAt;
    const { held } = keeper.status();
    const isNews = held && isConfirmed(state.controls.publish, held.version);
    if (!isDue && !isNews && (pin || !haveImagesArrived())) {
      const set = served();
      if (set && history.isDue()) keepAgain(set);
      return;
    }
    if (pin) {
      const isPinServed = await followPin(pin);
      if (served()) return handled(key, !isPinServed);
    } else {
      keeper.apply({ type: 'unpinned' });
    }
    const load = await takeUp(state);
    // Without a history, a pinned set can only be that of the files.
    if (!load) return takeUpChanges();
    const isFailed = load.change.outcome === 'read' && isUnread(load.change.report);
    handled(keyOf(load.state), pin ? !(await followPin(pin)) : isFailed);
  };

  const watchFiles = async () => {
    // By then, the directory of the history exists.
    await history.settled();
    if (signal.aborted) return;
    events.renew();
    poller.pollNow();
    while (!signal.aborted) {
      await poller.nextPoll(print?.fileCount);
      const ofLoading = await takeUpChanges().then(
        () => [],
        error => [`cannot load changed files: ${reasonOf(error)}`],
      );
      if (!signal.aborted) noteFaults({ ofLoading });
    }
  };
  const loaded = takeUpChanges().catch(error => {
    if (!signal.aborted) throw error;
  });
  const watching = loaded.then(watchFiles, () => {});
  const status = (): CatalogStatus => {
    const { pinned } = keeper.status();
    const changedAt = Math.floor((print?.changedAt ?? 0) / 1000);
    return {
      ...keeper.status(),
      // Since when it is pinned is known to the second.
      waitingSince: pinned && changedAt > pinned.since ? changedAt : undefined,
      lastSeconds,
      silentSeconds: directory.silentSeconds(),
      unkept: history.fault(),
    };
  };
  return {
    snapshot: keeper.snapshot,
    status,
    /**
     * Resolves when the first set is served, when the directory turns out to have no catalogs yet, or on close().
     * @throws CatalogError if the first set has errors and the history has none instead, or `strict` asks for it. Later
     * changes are then ignored.
     */
    loaded,
    /**
     * What would happen if the files of a form were saved in the catalog folder, in place of their namesakes. They are read
     * as a save is. @throws as `check` of {@link openReaders} does.
     */
    async check(form: Readable, contentType: string, closed: AbortSignal) {
      const set = served();
      const expected = { before: history.before(set), holdBack };
      const result = await readers.check(expected, form, contentType, closed);
      if (served()?.snapshot !== set?.snapshot) throw new OvertakenError();
      const { publish } = await readControls(historyDir, catalogDir);
      const { version, holds = [] } = result.report;
      const isDrastic = set !== undefined && holds.length > 0;
      const isHeld = isDrastic && !isConfirmed(publish, String(version));
      const read = result.outcome === 'unchanged' ? 'unchanged' : isHeld ? 'held' : 'loaded';
      const unpinned = version === undefined ? 'failed' : read;
      const outcome: CheckOutcome = keeper.status().pinned ? 'pinned' : unpinned;
      return { ...result, outcome };
    },
    /** Whether all files of a set of the history can be read. @throws Error that says why that is not known. */
    isWhole: (entry: Entry, signal: AbortSignal) => readers.isWhole(entry, { onDamage: log.warn, signal }),
    /** Stops watching the directory and aborts a load in progress. */
    async close(): Promise<void> {
      closing.abort();
      poller.pollNow();
      readers.close();
      await watching;
      await events.close();
      await history.close();
    },
  };
}

function now(): number {
  return Date.now() / 1000;
}

/** What decides whether there is something to do: the files, unless a version is pinned. */
function keyOf({ print, controls: { pin } }: DirectoryState): string {
  return pin ? `pin ${pin.version} ${pin.changedAt}` : print.key;
}
