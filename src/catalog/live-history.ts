import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { systemFs } from '../files/atomic-write.ts';
import { type Log, reasonOf } from '../messages.ts';
import { eachEntry, historyPath } from './history/entries.ts';
import { type Entry, isSameSet } from './history/entry.ts';
import type { Loader } from './load.ts';
import type { CacheKeys } from './reader/cache/cache-keys.ts';
import { type CatalogSource, keptFiles } from './reader/load-set.ts';
import type { CatalogStatus } from './status.ts';
import { writeHeld } from './watch/control-files.ts';

/** The history of a live catalog. */
export interface LiveHistory {
  /** The set of the directory that was served last. @throws NewerFormatError if a newer version of Vitrine kept it. */
  newest(): Promise<Entry | undefined>;
  /**
   * Adds a served set, unless it is the newest already, and its catalogs to the cache if the loader has read them; then closes
   * the loader.
   */
  keep(served: Entry, cacheKeys: CacheKeys | undefined, loader: Loader): void;
  /** Names the version that is held back, or none, to `vitrine publish`. */
  noteHeld(version: string | undefined): void;
  /** Whether it is time to try again to keep the served set. */
  isDue(): boolean;
  /** Why the served set is not kept, safe to show to clients; undefined if it is. */
  fault(): string | undefined;
  /** Waits until the served set is kept or cannot be, though not for a disk that hangs. */
  settled(): Promise<void>;
  /** Waits for the set that is being kept, though not for a disk that hangs. */
  close(): Promise<void>;
}

/** In milliseconds. */
const RETRY_MS = 10_000;
const SETTLE_MS = 3_000;

/** Writes nothing before `isLocked` resolves, and never if that rejects. */
export function openLiveHistory(
  { stateDir, catalogDir }: Pick<CatalogSource, 'stateDir' | 'catalogDir'>,
  isLocked: Promise<unknown>,
  log: Log,
): LiveHistory {
  const dir = historyPath(stateDir);
  const closing = new AbortController();
  const { signal } = closing;
  const mayWrite = isLocked.then(
    () => true,
    () => false,
  );
  let newest: Entry | undefined;
  let fault: string | undefined;
  let dueAt = Number.POSITIVE_INFINITY;
  let keeping = Promise.resolve();
  /** Null if it is not known what the file of the last run, or a failed write, says. */
  let noted: string | undefined | null = null;

  const keepNow = async (served: Entry, cacheKeys: CacheKeys | undefined, loader: Loader) => {
    if (!(await mayWrite) || signal.aborted) return;
    // Whatever the cache does not get, is read again.
    if (newest && isSameSet(newest, served))
      return loader.keep(undefined, cacheKeys, log.warn, signal).catch(() => {});
    try {
      await loader.keep(served, cacheKeys, log.warn, signal);
      if (fault) log.info(`version ${served.version} is in the history now`);
      newest = served;
      fault = undefined;
    } catch (error) {
      if (signal.aborted) return;
      const reason = error instanceof Error ? error.message : String(error);
      if (!fault) log.error(`cannot keep version ${served.version} in ${dir}, retrying: ${reason}`);
      fault = reason;
      dueAt = performance.now() + RETRY_MS;
    }
  };
  const noteNow = async (version: string | undefined) => {
    if (!(await mayWrite) || signal.aborted) return;
    await writeHeld(dir, version).catch(error => {
      noted = null;
      log.warn(`cannot name the version that is held back in ${dir}: ${reasonOf(error)}`);
    });
  };
  const settled = () => Promise.race([keeping, delay(SETTLE_MS, undefined, { ref: false })]);
  return {
    async newest() {
      for await (const { entry } of eachEntry(systemFs, dir, log.warn)) {
        newest ??= entry;
        if (entry.catalogDir === resolve(catalogDir)) return entry;
      }
      return undefined;
    },
    keep(served, cacheKeys, loader) {
      dueAt = Number.POSITIVE_INFINITY;
      keeping = keeping.then(() => keepNow(served, cacheKeys, loader)).finally(loader.close);
    },
    noteHeld(version) {
      if (version === noted) return;
      noted = version;
      keeping = keeping.then(() => noteNow(version));
    },
    isDue: () => performance.now() >= dueAt,
    fault: () => fault,
    settled,
    async close() {
      await settled();
      closing.abort();
      await keeping;
    },
  };
}

/** The entry of a served set of a directory. */
export function entryOf(
  catalogDir: string,
  { report, snapshot, since }: NonNullable<CatalogStatus['served']>,
): Entry {
  const { reading, changes } = report;
  const { summary, report: ofChanges } = changes ?? {};
  return {
    ...{ version: snapshot.version, since, catalogDir: resolve(catalogDir) },
    ...{ files: keptFiles(report), reading },
    ...{ summary, report: ofChanges },
  };
}
