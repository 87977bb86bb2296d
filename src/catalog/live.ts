import { type Log, reasonOf } from '../messages.ts';
import { entryOf, type LiveHistory, openLiveHistory } from './live-history.ts';
import { type Loader, openLoader } from './load.ts';
import { loadWhenStable, type StableLoad, type StableLoadOptions } from './load-when-stable.ts';
import type { CatalogSource, SetReport } from './reader/load-set.ts';
import { openReadingLog } from './reading-log.ts';
import { CatalogError } from './report.ts';
import type { Snapshot } from './snapshot/snapshot.ts';
import { type CatalogStatus, openStatus } from './status.ts';
import { openCatalogDirectory } from './watch/catalog-directory.ts';
import { type ChangeEvents, fileSystemEvents } from './watch/change-events.ts';
import { openChangePoller } from './watch/change-poller.ts';
import { openImagesWatch } from './watch/images-watch.ts';

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

export interface LiveOptions extends Pick<StableLoadOptions, 'reloadQuietMs' | 'allowShrink'> {
  /** Milliseconds between two checks of the files without a change event. */
  reloadPollMs: number;
  /** Whether a set with errors at the start is an error, rather than replaced by the last good one. */
  strict: boolean;
}

/** The first retry of files that could not be read comes after twice this time, in ms; each later one waits twice as long. */
const RETRY_MS = 2_000;

/** Images that keep arriving do not cause more than a quarter of the time to be spent on reading the set again. */
const IMAGES_PAUSE_FACTOR = 3;

/**
 * Loads the set of a directory, and then every later set without errors. The fingerprint of the files decides whether
 * they changed; it is taken at every poll and on every change event. Sets load one at a time, and the newest always
 * wins. While images are missing, their directory is checked too. A directory that does not exist or has no catalogs yet
 * is not an error. `firstLoader` loads the first set.
 */
export function openLiveCatalog(
  source: CatalogSource,
  { reloadPollMs, reloadQuietMs, allowShrink, strict }: LiveOptions,
  log: Log,
  history: LiveHistory = openLiveHistory(source, Promise.resolve(), log),
  firstLoader: Loader = openLoader(source),
  changeEvents: ChangeEvents = fileSystemEvents,
): LiveCatalog {
  const closing = new AbortController();
  const { signal } = closing;
  const directory = openCatalogDirectory(source.catalogDir);
  const images = openImagesWatch(source.imagesDir);
  const keeper = openStatus(log);
  const reading = openReadingLog(log);
  let handledKey: string | undefined;
  let lastSeconds = 0;
  let failures = 0;
  let retryAt = Number.POSITIVE_INFINITY;
  let imagesDueAt = 0;
  let readyLoader: Loader | undefined = firstLoader;

  const haveImagesArrived = () => {
    const awaited = keeper.status().attempt?.report.awaitedImages ?? [];
    return awaited.length > 0 && images.hasOneOf(awaited);
  };

  const snapshot = () => keeper.status().served?.snapshot;
  /** Keeps the served set in the history, if it is not there yet. */
  const keep = (loader: Loader) => {
    const { served } = keeper.status();
    if (served) history.keep(entryOf(source.catalogDir, served), loader);
    else loader.close();
  };
  /** Serves the last good set of the history; undefined if there is none. */
  const restore = async (): Promise<Snapshot | undefined> => {
    const loader = openLoader(source);
    try {
      const set = await loader.restore(reading.onProgress, log.warn, signal);
      if (set) keeper.restored(set);
    } catch (error) {
      signal.throwIfAborted();
      log.error(`the history cannot be read: ${reasonOf(error)}`);
    } finally {
      loader.close();
    }
    return snapshot();
  };
  const settle = async (change: StableLoad['change'], isFirst: boolean) => {
    if (change.outcome === 'unchanged') return keeper.unchanged(change.report);
    if (change.snapshot) return keeper.loaded(change.report, change.snapshot);
    const isRestored = isFirst && !strict && (snapshot() ?? (await restore())) !== undefined;
    if (isFirst && !isRestored && !isAbsent(change.report)) throw new CatalogError(change.report);
    keeper.refused(change.report, isRestored);
  };

  const checkFiles = async (): Promise<void> => {
    const print = await directory.fingerprint(signal);
    const isSame = print.key === handledKey;
    const isRetry = performance.now() >= retryAt;
    if (isSame && !isRetry && !(haveImagesArrived() && performance.now() >= imagesDueAt)) {
      if (history.isDue()) keep(openLoader(source));
      return;
    }
    const isFirst = handledKey === undefined;
    const kept = isFirst ? await history.newest() : undefined;
    if (isFirst && !kept && print.key === 'ENOENT') {
      log.warn(`${source.catalogDir} does not exist yet: create it, or set CATALOG_DIR`);
    }
    // Files from before the start have been stable since their last change.
    const age = isFirst ? Math.max(0, Date.now() - print.changedAt) : 0;
    const files = { print, since: performance.now() - age };
    // A later loader starts while the files become stable.
    const loader = readyLoader ?? openLoader(source);
    readyLoader = undefined;
    reading.begin();
    // What changes is found by the history.
    await history.settled();
    const start = performance.now();
    const { key, change } = await loadWhenStable(directory, files, {
      reloadQuietMs,
      allowShrink,
      status: keeper.status(),
      kept,
      servedSnapshot: async () => snapshot() ?? (kept && (await restore())),
      onProgress: reading.onProgress,
      onDamage: log.warn,
      loader,
      signal,
    }).finally(() => {
      reading.end();
      lastSeconds = (performance.now() - start) / 1000;
      if (isSame) imagesDueAt = performance.now() + IMAGES_PAUSE_FACTOR * lastSeconds * 1000;
      if (signal.aborted) loader.close();
    });
    await settle(change, isFirst).finally(() => keep(loader));
    handledKey = key;
    failures = change.outcome === 'read' && isUnread(change.report) ? failures + 1 : 0;
    retryAt = failures > 0 ? performance.now() + RETRY_MS * 2 ** failures : Number.POSITIVE_INFINITY;
  };

  const poller = openChangePoller(reloadPollMs);
  const watchFiles = async () => {
    if (signal.aborted) return;
    const watcher = changeEvents(source.catalogDir, poller.pollNow);
    while (!signal.aborted) {
      await poller.nextPoll();
      await checkFiles().catch(error => {
        if (!signal.aborted) log.error('cannot check the catalog files, retrying', { err: error });
      });
    }
    await watcher.close();
  };
  const loaded = checkFiles()
    .finally(() => readyLoader?.close())
    .catch(error => {
      if (!signal.aborted) throw error;
    });
  const watching = loaded.then(watchFiles, () => {});
  return {
    snapshot,
    status: () => ({
      ...keeper.status(),
      loading: reading.progress(),
      lastSeconds,
      silentSeconds: directory.silentSeconds(),
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

/** Whether reading failed as a whole, which can be the fault of a busy machine rather than of the files. */
function isUnread({ problems }: SetReport): boolean {
  return problems.some(({ code }) => code === 'LOAD_FAILED');
}

/** Whether there is no catalog at all, as before a volume is mounted. */
function isAbsent({ problems }: SetReport): boolean {
  return problems.every(({ code }) => ['NO_DIRECTORY', 'MISSING_FILE', 'NOT_READ'].includes(code));
}
