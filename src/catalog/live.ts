import { openAlarm } from './alarm.ts';
import { fingerprint } from './fingerprint.ts';
import { type Hints, systemHints } from './hints.ts';
import { type Loader, openLoader } from './load.ts';
import { CatalogError } from './report.ts';
import type { CatalogSource, SetReport } from './set.ts';
import { loadWhenStill, type SettleOptions } from './settle.ts';
import type { Snapshot } from './snapshot.ts';
import { type CatalogStatus, type Log, openStatus } from './status.ts';

/** The catalogs of a directory: always the last good set of them. */
export interface LiveCatalog {
  /** The set that is served; undefined until there is one. */
  snapshot(): Snapshot | undefined;
  status(): CatalogStatus;
  /** Lets go of the directory; a set that is being loaded is dropped. */
  close(): Promise<void>;
}

export interface LiveOptions extends Pick<SettleOptions, 'reloadQuietMs' | 'allowShrink'> {
  /** Milliseconds between two looks at the files, where no hint comes. */
  reloadPollMs: number;
}

/**
 * Loads the set of a directory, and takes up every later one that has no error, as a whole. Whether files have changed
 * is told by their fingerprint, which is taken at regular times and on every hint. Sets are loaded one at a time, and
 * the newest always wins. A directory that is not there, or has no catalogs in it yet, is waited for. `first` loads the
 * first set.
 * @throws CatalogError where the first set has an error.
 */
export async function openLiveCatalog(
  source: CatalogSource,
  { reloadPollMs, reloadQuietMs, allowShrink }: LiveOptions,
  log: Log,
  first: Loader = openLoader(source),
  hints: Hints = systemHints,
): Promise<LiveCatalog> {
  const closing = new AbortController();
  const { signal } = closing;
  const keeper = openStatus(log);
  let seen: string | undefined;
  let ready: Loader | undefined = first;

  const look = async (): Promise<void> => {
    const print = await fingerprint(source.catalogDir);
    if (print.key === seen) return;
    // Files that were there before the start have lain still since they were last changed.
    const age = seen === undefined ? Math.max(0, Date.now() - print.changedAt) : 0;
    const files = { print, since: performance.now() - age };
    // A later one starts while the files come to lie still.
    const loader = ready ?? openLoader(source);
    ready = undefined;
    const options = { reloadQuietMs, allowShrink, status: keeper.status(), loader, signal };
    const { key, change } = await loadWhenStill(source, files, options);
    if (change.outcome === 'unchanged') keeper.unchanged();
    else if (change.snapshot) keeper.loaded(change.report, change.snapshot);
    else if (seen === undefined && !isAbsent(change.report)) throw new CatalogError(change.report);
    else keeper.refused(change.report);
    seen = key;
  };

  await look().finally(() => ready?.close());
  const alarm = openAlarm(reloadPollMs);
  const watcher = hints(source.catalogDir, alarm.ring);
  const goOnLooking = async () => {
    while (!signal.aborted) {
      await alarm.wait();
      await look().catch(error => {
        if (!signal.aborted) log.error({ err: error }, 'the catalogs could not be looked at, trying again');
      });
    }
  };
  const looking = goOnLooking();
  return {
    snapshot: () => keeper.status().served?.snapshot,
    status: keeper.status,
    async close() {
      closing.abort();
      keeper.close();
      alarm.ring();
      await Promise.all([looking, watcher.close()]);
    },
  };
}

/** Whether there is no catalog at all, as where a volume is yet to be mounted. */
function isAbsent({ problems }: SetReport): boolean {
  return problems.every(({ code }) => code === 'NO_DIRECTORY' || code === 'MISSING_FILE');
}
