import { setTimeout as delay } from 'node:timers/promises';
import { openAlarm } from './alarm.ts';
import { type Fingerprint, fingerprint } from './fingerprint.ts';
import { type Hints, systemHints } from './hints.ts';
import { type Loader, openLoader } from './load.ts';
import { CatalogError } from './report.ts';
import type { CatalogSource, SetReport } from './set.ts';
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

export interface LiveOptions {
  /** Milliseconds between two looks at the files, where no hint comes. */
  reloadPollMs: number;
  /** Milliseconds for which changed files have to lie still. */
  reloadQuietMs: number;
  /** Whether catalogs may lose more than half of their rows. */
  allowShrink: boolean;
}

/** How often files are looked at that do not lie still yet, in milliseconds. */
const LOOK_MS = 200;

/**
 * Loads the set of a directory, and takes up every later one that has no error, as a whole. Whether files have changed
 * is told by their fingerprint, which is taken at regular times and on every hint. Sets are loaded one at a time, and
 * the newest always wins. A directory that is not there, or has no catalogs in it yet, is waited for.
 * @throws CatalogError where the first set has an error.
 */
export async function openLiveCatalog(
  source: CatalogSource,
  { reloadPollMs, reloadQuietMs, allowShrink }: LiveOptions,
  log: Log,
  hints: Hints = systemHints,
): Promise<LiveCatalog> {
  const { catalogDir } = source;
  const closing = new AbortController();
  const { signal } = closing;
  const keeper = openStatus(log);
  let seen: string | undefined;

  /** Loads the set of a fingerprint that has lain still for a while; returns how long it has to, if it is distrusted. */
  const load = async (loader: Loader, print: Fingerprint, stillMs: number): Promise<number> => {
    const { served, attempt } = keeper.status();
    const refused = attempt?.report.version === undefined ? attempt?.report : undefined;
    const expected = { fingerprint: print.key, stillMs, served: served?.report, refused, allowShrink };
    const change = await loader.load(expected, signal);
    switch (change.outcome) {
      case 'moved':
        return reloadQuietMs;
      case 'distrusted':
        return change.quietMs;
      case 'unchanged':
        keeper.unchanged();
        break;
      case 'read':
        if (change.snapshot) keeper.loaded(change.report, change.snapshot);
        else if (seen === undefined && !isAbsent(change.report)) throw new CatalogError(change.report);
        else keeper.refused(change.report);
    }
    seen = print.key;
    return 0;
  };

  /** Takes up the set of another fingerprint than the last, once its files lie still. */
  const takeUp = async (loader: Loader, changed: Fingerprint, since: number): Promise<void> => {
    let [print, stillSince, quietMs] = [changed, since, reloadQuietMs];
    while (print.key !== seen) {
      const waitMs = Math.min(stillSince + quietMs - performance.now(), LOOK_MS);
      if (waitMs > 0) await delay(waitMs, undefined, { signal });
      const latest = await fingerprint(catalogDir);
      const stillMs = performance.now() - stillSince;
      if (latest.key !== print.key) {
        [print, stillSince, quietMs] = [latest, performance.now(), reloadQuietMs];
      } else if (stillMs >= quietMs) {
        quietMs = await load(loader, print, stillMs);
      }
    }
  };

  const look = async (): Promise<void> => {
    const print = await fingerprint(catalogDir);
    if (print.key === seen) return;
    const age = seen === undefined ? Math.max(0, Date.now() - print.changedAt) : 0;
    const loader = openLoader(source);
    await takeUp(loader, print, performance.now() - age).finally(loader.close);
  };

  await look();
  const alarm = openAlarm(reloadPollMs);
  const watcher = hints(catalogDir, alarm.ring);
  const watching = watch();
  async function watch() {
    while (!signal.aborted) {
      await alarm.wait();
      await look().catch(error => {
        if (!signal.aborted) log.error({ err: error }, 'the catalogs could not be looked at, trying again');
      });
    }
  }
  return {
    snapshot: () => keeper.status().served?.snapshot,
    status: keeper.status,
    async close() {
      closing.abort();
      keeper.close();
      alarm.ring();
      await Promise.all([watching, watcher.close()]);
    },
  };
}

/** Whether there is no catalog at all, as where a volume is yet to be mounted. */
function isAbsent({ problems }: SetReport): boolean {
  return problems.every(({ code }) => code === 'NO_DIRECTORY' || code === 'MISSING_FILE');
}
