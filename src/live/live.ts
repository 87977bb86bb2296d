import type { Readable } from 'node:stream';
import { historyPath } from '../history/entries.ts';
import type { Entry } from '../history/entry.ts';
import type { Log } from '../messages.ts';
import type { CatalogSource } from '../reader/read-set.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { type Check, checkFiles } from './check.ts';
import { openGoingLive } from './going-live.ts';
import { type LiveHistory, openLiveHistory } from './live-history.ts';
import { openReaders, type Readers } from './readers.ts';
import { type CatalogStatus, isUnread, logStatus, type OnStatus, openReading, openStatus } from './status.ts';
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
export interface LiveCatalog {
  /** The set that is served; undefined before the first. */
  snapshot(): Snapshot | undefined;
  status(): CatalogStatus;
  /**
   * Resolves when the first set is served, when the directory turns out to have no catalogs yet, or on close().
   * @throws CatalogError if the first set has errors and the history has none instead, or `strict` asks for it. Later
   * changes are then ignored.
   */
  loaded: Promise<void>;
  /** What would happen if the files of a form were saved; see {@link checkFiles}. */
  check(form: Readable, contentType: string, closed: AbortSignal): Promise<Check>;
  /** Whether all files of a set of the history can be read. @throws Error that says why that is not known. */
  isWhole(entry: Entry, closed: AbortSignal): Promise<boolean>;
  /** Stops watching the directory and aborts a load in progress. */
  close(): Promise<void>;
}

interface LiveOptions {
  /** How long files must stay unchanged before they are read, in milliseconds. */
  reloadQuietMs: number;
  /** Whether drastic changes wait until somebody confirms them. */
  holdBack: 'on' | 'off';
  /** Milliseconds between two checks of the files without a change event. */
  reloadPollMs: number;
  /** Whether a set with errors at the start is an error, rather than replaced by the last good one. */
  strict: boolean;
  /** Reports the events, instead of the log. */
  onStatus?: OnStatus | undefined;
  /** Called with each set before it is served, which waits until it resolves. */
  beforeServed?: ((next: Snapshot) => Promise<void>) | undefined;
}

/** The first retry of files that could not be read comes after twice this time, in ms; each later one waits twice as long. */
const RETRY_MS = 2_000;

/** Images that keep arriving do not cause more than a quarter of the time to be spent on reading the set again. */
const IMAGES_PAUSE_FACTOR = 3;

/**
 * Loads the set of a directory, and then every later set without errors. The fingerprint of the files decides whether
 * they changed; it is taken at every poll and on every change event. Sets load one at a time, and the newest always
 * wins. While images are missing, their directory is checked too. A directory that does not exist or has no catalogs yet
 * is not an error. While a version is pinned, the files are not read.
 */
export function openLiveCatalog(
  source: CatalogSource,
  { reloadPollMs, reloadQuietMs, holdBack, strict, onStatus, beforeServed = async () => {} }: LiveOptions,
  log: Log,
  history: LiveHistory = openLiveHistory(source, Promise.resolve({ mayWrite: () => true }), log),
  readers: Readers = openReaders(source),
  changeEvents: ChangeEvents = fileSystemEvents,
): LiveCatalog {
  const closing = new AbortController();
  const { signal } = closing;
  const historyDir = historyPath(source.stateDir);
  const directory = openCatalogDirectory(source.catalogDir, historyDir);
  const images = openImagesWatch(source.imagesDir);
  const keeper = openStatus(onStatus ?? logStatus(log));
  const reading = openReading(keeper, log);
  const goingLive = openGoingLive(source, {
    ...{ strict, holdBack: holdBack === 'on', beforeServed },
    ...{ keeper, history, readers, reading, log, signal },
  });
  const snapshot = () => keeper.status().served?.snapshot;
  let handledKey: string | undefined;
  let printKey: string | undefined;
  /** Since when the files have been as they are, in milliseconds of `performance.now()`. */
  let stableSince = 0;
  let lastSeconds = 0;
  /** When a file changed last, in milliseconds since 1970. */
  let changedAt = 0;
  let fileCount = 0;
  let failures = 0;
  let retryAt = Number.POSITIVE_INFINITY;
  let imagesDueAt = 0;

  const haveImagesArrived = () => {
    const awaited = keeper.status().attempt?.report.awaitedImages ?? [];
    return awaited.length > 0 && images.hasOneOf(awaited) && performance.now() >= imagesDueAt;
  };

  /** Loads the files, unless a pin comes or goes in the meantime. */
  const takeUp = async (state: DirectoryState) => {
    const isFirst = handledKey === undefined;
    const last = snapshot() ? undefined : await history.newest();
    if (isFirst && !last && state.print.key === 'ENOENT') {
      log.warn(`${source.catalogDir} does not exist yet: create it, or set CATALOG_DIR`);
    }
    // A later reader starts while the files become stable.
    const loader = readers.open();
    reading.begin();
    try {
      // What changes is found by the history.
      await history.settled();
      const start = performance.now();
      const { served } = keeper.status();
      const before = history.before(served, last);
      const listener = { onProgress: reading.onProgress, onDamage: log.warn, signal };
      const load = await loadWhenStable(directory, state, {
        ...{ since: stableSince, reloadQuietMs, onStartOver: reading.begin, signal },
        read: expected =>
          loader.load({ ...expected, before, holdBack: holdBack === 'on' }, served?.snapshot, listener),
      }).finally(() => {
        reading.end();
        lastSeconds = (performance.now() - start) / 1000;
      });
      if (load) await goingLive.settle(load, isFirst, loader);
      return load;
    } finally {
      goingLive.tidy(loader);
    }
  };

  /** What has this key is not handled again, unless that `failed`. */
  const handled = (key: string, failed: boolean) => {
    handledKey = key;
    failures = failed ? failures + 1 : 0;
    retryAt = failures > 0 ? performance.now() + RETRY_MS * 2 ** failures : Number.POSITIVE_INFINITY;
  };

  const takeUpChanges = async (): Promise<void> => {
    const state = await directory.look(signal);
    const { pin } = state.controls;
    fileCount = state.print.fileCount;
    changedAt = state.print.changedAt;
    if (state.print.key !== printKey) {
      // Files from before the start have been stable since their last change.
      const age = printKey === undefined ? Math.max(0, Date.now() - state.print.changedAt) : 0;
      stableSince = performance.now() - age;
      printKey = state.print.key;
    }
    const key = keyOf(state);
    const isSame = key === handledKey;
    const isRetry = performance.now() >= retryAt;
    const isConfirmed = goingLive.isHeldConfirmed(state.controls);
    if (isSame && !isRetry && !isConfirmed && (pin || !haveImagesArrived())) {
      if (history.isDue()) goingLive.keepAgain();
      return;
    }
    if (pin) {
      const isPinServed = await goingLive.followPin(pin);
      if (snapshot()) return handled(key, !isPinServed);
    } else {
      keeper.apply({ type: 'unpinned' });
    }
    const load = await takeUp(state);
    if (isSame) imagesDueAt = performance.now() + IMAGES_PAUSE_FACTOR * lastSeconds * 1000;
    // Without a history, a pinned set can only be that of the files.
    if (!load) return takeUpChanges();
    const isFailed = load.change.outcome === 'read' && isUnread(load.change.report);
    handled(keyOf(load.state), pin ? !(await goingLive.followPin(pin)) : isFailed);
  };

  const poller = openChangePoller(reloadPollMs);
  const watchFiles = async () => {
    // By then, the directory of the history exists.
    await history.settled();
    if (signal.aborted) return;
    const watchers = [source.catalogDir, historyDir].map(dir => changeEvents(dir, poller.pollNow));
    while (!signal.aborted) {
      await poller.nextPoll(fileCount);
      await takeUpChanges().catch(error => {
        if (!signal.aborted) log.error('cannot check the catalog files, retrying', { err: error });
      });
    }
    await Promise.all(watchers.map(watcher => watcher.close()));
  };
  const loaded = takeUpChanges().catch(error => {
    if (!signal.aborted) throw error;
  });
  const watching = loaded.then(watchFiles, () => {});
  const status = (): CatalogStatus => ({
    ...keeper.status(),
    waitingSince: savedWhile(keeper.status().pinned, changedAt),
    lastSeconds,
    silentSeconds: directory.silentSeconds(),
    unkept: history.fault(),
  });
  const checking = { source, status, holdBack: holdBack === 'on', history, readers };
  return {
    snapshot,
    status,
    loaded,
    check: (form, contentType, closed) => checkFiles(checking, form, contentType, closed),
    isWhole: (entry, signal) => readers.isWhole(entry, { onDamage: log.warn, signal }),
    async close() {
      closing.abort();
      keeper.close();
      poller.pollNow();
      readers.close();
      await watching;
      await history.close();
    },
  };
}

/** When a file changed last, in Unix seconds, if that was after a version was pinned. */
function savedWhile(pinned: CatalogStatus['pinned'], changedAt: number): number | undefined {
  // Since when it is pinned is known to the second.
  return pinned && changedAt >= (pinned.since + 1) * 1000 ? Math.floor(changedAt / 1000) : undefined;
}

/** What decides whether there is something to do: the files, unless a version is pinned. */
function keyOf({ print, controls: { pin } }: DirectoryState): string {
  return pin ? `pin ${pin.version} ${pin.changedAt}` : print.key;
}
