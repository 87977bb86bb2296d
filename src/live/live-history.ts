import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Clock, systemClock } from '../clock.ts';
import { type Fs, systemFs } from '../files/atomic-write.ts';
import { NewerFormatError } from '../files/state-format.ts';
import {
  type Entry,
  hasContent,
  historyPath,
  isSameSet,
  listEntries,
  readableEntries,
} from '../history/entries.ts';
import { type Log, reasonOf } from '../messages.ts';
import type { Before } from '../reader/changed-set.ts';
import type { CatalogSource, SetReport } from '../reader/read-set.ts';
import { readHeld, writeHeld } from './control.ts';
import type { Loader, ServedSet } from './readers.ts';

export type LiveHistory = ReturnType<typeof openLiveHistory>;

/** In milliseconds. */
const RETRY_MS = 10_000;
/** How often the history is looked at, which somebody may have deleted. */
const CHECK_MS = 5_000;
const SETTLE_MS = 3_000;
/** Visitors do not wait longer for a new set because of the disk of the history. */
const KEEP_MS = 1_000;

/**
 * Writes nothing before the state directory is open, never if that fails, and later only while no other process may write
 * there.
 */
export function openLiveHistory(
  { stateDir, catalogDir }: Pick<CatalogSource, 'stateDir' | 'catalogDir'>,
  opening: Promise<{ mayWrite(): Promise<boolean> }>,
  log: Log,
  { clock = systemClock, fs = systemFs }: Partial<{ clock: Clock; fs: Fs }> = {},
) {
  const pause = (ms: number) => clock.sleep(ms, undefined, false);
  const dir = historyPath(stateDir);
  const closing = new AbortController();
  const { signal } = closing;
  /** Undefined if the directory cannot be used at all. */
  const mayWrite = () =>
    opening.then(
      state => state.mayWrite(),
      () => undefined,
    );
  let newest: Entry | undefined;
  /** The set that is served, or about to be. */
  let latest: Entry | undefined;
  let fault: string | undefined;
  let dueAt = Number.POSITIVE_INFINITY;
  let checkAt = 0;
  /** Ends when all is written: one thing after the other. */
  let writing = Promise.resolve();
  /** The set that the history cannot take, in a temporary directory. */
  let aside: { version: string; dir: string } | undefined;
  let isLastLost = false;
  const failed = new Set<string>();
  /** Null before it is known what the file of the last run says. */
  let noted: string | undefined | null = null;

  /** Writes after all else. Logs what fails, once, unless the history is closed. */
  const write = (what: string, work: () => Promise<void>) => {
    const succeed = () => void failed.delete(what);
    const fail = (error: unknown) => {
      if (!signal.aborted && !failed.has(what)) log.warn(`cannot ${what}: ${reasonOf(error)}`);
      failed.add(what);
    };
    writing = writing.then(work).then(succeed, fail);
  };
  const isKept = (set: Entry) => newest !== undefined && isSameSet(newest, set);
  const fail = ({ version }: Entry, reason: string) => {
    if (!fault) log.error(`version ${version} is not in ${dir}, retrying: ${reason}`);
    fault = reason;
  };
  const succeed = ({ version }: Entry) => {
    if (fault) log.info(`version ${version} is in the history now`);
    fault = undefined;
  };
  const keepNow = async (next: Entry, loader: Loader) => {
    try {
      if (!isKept(next)) {
        const isMine = await mayWrite();
        if (isMine === undefined || signal.aborted) return;
        if (!isMine) throw new Error('the state directory is not locked');
        const task = { task: 'keep', entry: next, aside: undefined } as const;
        await loader.ask(task, { signal });
        newest = next;
      }
      if (next !== latest) return;
      succeed(next);
    } catch (error) {
      if (signal.aborted) return;
      fail(next, error instanceof Error ? error.message : String(error));
      dueAt = clock.ms() + RETRY_MS;
    }
  };
  const isWhole = async ({ version, files }: Entry) => {
    const names = await listEntries({ fs, dir });
    let isThere = names.some(name => name.version === version);
    for (const { sha256 } of files) isThere &&= await hasContent(fs, dir, sha256);
    return isThere;
  };
  /** Looks whether the history still has what was written to it. */
  const check = async (set: Entry) => {
    // Somebody may have deleted or replaced it.
    if ((await readHeld(dir, fs).catch(() => null)) !== noted) noted = null;
    if (!isKept(set)) return;
    try {
      const isThere = await isWhole(set);
      if (set !== latest || !isKept(set)) return;
      if (isThere) return succeed(set);
      fail(set, 'its files there are gone');
      newest = undefined;
      noted = null;
      dueAt = clock.ms();
    } catch (error) {
      if (set === latest) fail(set, reasonOf(error));
    }
  };
  /** Keeps a set in a temporary directory that is not in the history, so that the next one can be compared with it. */
  const keepAside = async (next: Entry, loader: Loader) => {
    if (signal.aborted || (!isKept(next) && aside?.version === next.version)) return;
    await removeAside();
    if (isKept(next) || (await mayWrite()) === undefined) return;
    aside = { version: '', dir: await fs.mkdtemp(join(tmpdir(), 'vitrine-')) };
    await loader.ask({ task: 'keep', entry: next, aside: aside.dir }, { signal });
    aside.version = next.version;
  };
  const removeAside = async () => {
    if (aside) await fs.rm(aside.dir, { recursive: true, force: true });
    aside = undefined;
  };
  const findNewest = async (): Promise<Entry | undefined> => {
    isLastLost = false;
    const onDamage = (sentence: string) => {
      log.warn(sentence);
      isLastLost = true;
    };
    try {
      for await (const { entry } of readableEntries({ fs, dir, onDamage })) {
        newest ??= entry;
        if (entry.catalogDir !== resolve(catalogDir)) continue;
        isLastLost = false;
        return entry;
      }
    } catch (error) {
      if (error instanceof NewerFormatError) throw error;
      onDamage(`${dir} cannot be read: ${reasonOf(error)}`);
    }
    return undefined;
  };
  const settled = () => Promise.race([writing, pause(SETTLE_MS)]).then(() => {});
  return {
    /** The set of the directory that was served last. @throws NewerFormatError if a newer version of Vitrine kept it. */
    newest: findNewest,
    /** Whether the set that is served was the last one already before it was served this time. */
    async hasBefore(served: ServedSet | undefined): Promise<boolean> {
      const last = await findNewest();
      return served !== undefined && last?.version === served.snapshot.version && last.since < served.since;
    },
    /**
     * Adds a set that is about to be served, unless it is the newest already. Once it resolves, the set survives a kill and a
     * loss of power; or it cannot be kept for now, and `fault` says why. It does not wait for a disk that hangs.
     */
    async keep(next: Entry, loader: Loader): Promise<void> {
      latest = next;
      dueAt = Number.POSITIVE_INFINITY;
      const kept = writing.then(() => keepNow(next, loader));
      writing = kept;
      write(`keep version ${next.version} for comparison`, () => keepAside(next, loader));
      const isLate = mayWrite()
        .then(() => pause(KEEP_MS))
        .then(() => true);
      if (await Promise.race([kept.then(() => false), isLate]))
        fail(next, `the disk has not answered for ${KEEP_MS / 1000} s`);
    },
    /** Deletes what there is no room for; then closes the loader. */
    tidy(loader: Loader): void {
      write(`tidy ${stateDir}`, async () => {
        if (!(await mayWrite()) || signal.aborted) return;
        await loader.ask({ task: 'tidy' }, { onDamage: log.warn, signal });
      });
      writing = writing.finally(loader.close);
    },
    /** Names the version that is held back, or none, to `vitrine publish`. */
    noteHeld(version: string | undefined): void {
      write(`name the version that is held back in ${dir}`, async () => {
        if (version === noted || !(await mayWrite()) || signal.aborted) return;
        await writeHeld(dir, version, fs);
        noted = version;
      });
    },
    /** Whether it is time to keep the served set again, because that failed, or the history has lost it. */
    isDue(): boolean {
      if (latest && clock.ms() >= checkAt) {
        checkAt = Number.POSITIVE_INFINITY;
        void check(latest).finally(() => {
          checkAt = clock.ms() + CHECK_MS;
        });
      }
      return clock.ms() >= dueAt;
    },
    /** The set that the files are to replace: the one that is served or, until one is, the `last` one. */
    before(served: ServedSet | undefined, last?: Entry): Before | undefined {
      if (!served) return last && { ...last, stateDir, digests: undefined };
      return beforeOf(aside?.version === served.snapshot.version ? aside.dir : stateDir, served.report);
    },
    /** Whether the set that was served last cannot be read, and no other is known. */
    isLastLost: () => isLastLost,
    /** Why the served set is not kept, safe to show to clients; undefined if it is. */
    fault: () => fault,
    /** Waits until all is written or cannot be, though not for a disk that hangs. */
    settled,
    async close(): Promise<void> {
      await settled();
      closing.abort();
      await writing;
      await removeAside();
    },
  };
}

export function entryOf(catalogDir: string, { report, snapshot, since }: ServedSet): Entry {
  const { files, reading, changes } = report;
  const set = { version: snapshot.version, since, catalogDir: resolve(catalogDir), files, reading };
  return { ...set, summary: changes?.summary, report: changes?.report };
}

/** A served set as the one that is replaced. Its files are in the history of this state directory. */
export function beforeOf(stateDir: string, { version, files, reading, digests }: SetReport): Before {
  return { version: String(version), files, reading, digests, stateDir };
}
