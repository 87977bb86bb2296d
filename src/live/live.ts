import { historyPath } from '../history/entries.ts';
import type { Log } from '../messages.ts';
import type { CatalogSource } from '../reader/read-set.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { openGoingLive } from './going-live.ts';
import { beforeOf, type LiveHistory, openLiveHistory } from './live-history.ts';
import { type Loader, openLoader } from './load.ts';
import { loadWhenStable, type StableLoad, type StableLoadOptions } from './load-when-stable.ts';
import {
  type CatalogStatus,
  isUnread,
  logStatus,
  type OnStatus,
  openReadingLog,
  openStatus,
} from './status.ts';
import {
  type ChangeEvents,
  type DirectoryState,
  fileSystemEvents,
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
  /** Stops watching the directory and aborts a load in progress. */
  close(): Promise<void>;
}

interface LiveOptions extends Pick<StableLoadOptions, 'reloadQuietMs'> {
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
 * is not an error. While a version is pinned, the files are not read. `firstLoader` loads the first set.
 */
export function openLiveCatalog(
  source: CatalogSource,
  { reloadPollMs, reloadQuietMs, holdBack, strict, onStatus, beforeServed = async () => {} }: LiveOptions,
  log: Log,
  history: LiveHistory = openLiveHistory(source, Promise.resolve({ mayWrite: () => true }), log),
  firstLoader: Loader = openLoader(source),
  changeEvents: ChangeEvents = fileSystemEvents,
): LiveCatalog {
  const closing = new AbortController();
  const { signal } = closing;
  const historyDir = historyPath(source.stateDir);
  const directory = openCatalogDirectory(source.catalogDir, historyDir);
  const images = openImagesWatch(source.imagesDir);
  const keeper = openStatus(onStatus ?? logStatus(log));
  const reading = openReadingLog(log);
  let readyLoader: Loader | undefined = firstLoader;
  /** The loader that was started ahead, or a new one. Whoever takes it closes it. */
  const takeLoader = () => {
    const loader = readyLoader ?? openLoader(source);
    readyLoader = undefined;
    return loader;
  };
  const goingLive = openGoingLive(source, {
    strict,
    holdBack: holdBack === 'on',
    keeper,
    history,
    reading,
    log,
    signal,
    beforeServed,
    takeLoader,
  });
  const { snapshot } = goingLive;
  const keptIn = () => history.placeOf(snapshot()?.version ?? '');
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
  const takeUp = async (state: DirectoryState): Promise<StableLoad | undefined> => {
    const isFirst = handledKey === undefined;
    const kept = snapshot() ? undefined : await history.newest();
    if (isFirst && !kept && state.print.key === 'ENOENT') {
      log.warn(`${source.catalogDir} does not exist yet: create it, or set CATALOG_DIR`);
    }
    // A later loader starts while the files become stable.
    const loader = takeLoader();
    reading.begin();
    keeper.releaseHeld();
    // What changes is found by the history.
    await history.settled();
    const start = performance.now();
    const load = await loadWhenStable(directory, state, stableSince, {
      reloadQuietMs,
      holdBack: holdBack === 'on',
      before: beforeOf(keptIn(), keeper.status().served?.report, kept),
      served: snapshot(),
      onProgress: reading.onProgress,
      onStartOver: reading.begin,
      onDamage: log.warn,
      loader,
      signal,
    })
      .catch(error => {
        loader.close();
        throw error;
      })
      .finally(() => {
        reading.end();
        lastSeconds = (performance.now() - start) / 1000;
      });
    if (load) await goingLive.settle(load, isFirst, loader).finally(() => goingLive.tidy(loader));
    else loader.close();
    return load;
  };

  /** What has this key is not handled again, unless that `failed`. */
  const handled = (key: string, failed: boolean) => {
    handledKey = key;
    failures = failed ? failures + 1 : 0;
    retryAt = failures > 0 ? performance.now() + RETRY_MS * 2 ** failures : Number.POSITIVE_INFINITY;
  };

  const checkFiles = async (): Promise<void> => {
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
    const isConfirmed = goingLive.isHeldConfirmed(state);
    if (isSame && !isRetry && !isConfirmed && (pin || !haveImagesArrived())) {
      if (history.isDue()) goingLive.keepAgain();
      return;
    }
    if (pin) {
      const isPinServed = await goingLive.followPin(pin);
      if (snapshot()) return handled(key, !isPinServed);
    } else {
      keeper.unpinned();
    }
    const load = await takeUp(state);
    if (isSame) imagesDueAt = performance.now() + IMAGES_PAUSE_FACTOR * lastSeconds * 1000;
    // Without a history, a pinned set can only be that of the files.
    if (!load) return checkFiles();
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
      await checkFiles().catch(error => {
        if (!signal.aborted) log.error('cannot check the catalog files, retrying', { err: error });
      });
    }
    await Promise.all(watchers.map(watcher => watcher.close()));
  };
  const loaded = checkFiles()
    .finally(() => {
      readyLoader?.close();
      readyLoader = undefined;
    })
    .catch(error => {
      if (!signal.aborted) throw error;
    });
  const watching = loaded.then(watchFiles, () => {});
  return {
    snapshot,
    status: () => ({
      ...keeper.status(),
      waitingSince: savedWhile(keeper.status().pinned, changedAt),
      loading: reading.progress(),
      lastSeconds,
      silentSeconds: directory.silentSeconds(),
      keptIn: keptIn(),
      unkept: history.fault(),
    }),
    loaded,
    async close() {
      closing.abort();
      keeper.close();
      poller.pollNow();
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
