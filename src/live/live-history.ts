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

/** What is known of a history before it is looked at. Times are in ms of the clock that never goes back. */
export const unknownHistory = {
  newest: undefined as Entry | undefined,
  /** The set that is served, or about to be. */
  latest: undefined as Entry | undefined,
  /** Why the served set is not in the history, safe to show to clients. */
  fault: undefined as string | undefined,
  /** When to write it again, and when to look whether it is still there. */
  dueAt: Number.POSITIVE_INFINITY,
  checkAt: 0,
  /** The version that the file `held` names; null before it is known what that of the last run says. */
  noted: null as string | undefined | null,
  /** Whether the set that was served last cannot be read, and no other is known. */
  isLastLost: false,
};
type HistoryState = typeof unknownHistory;

/** What becomes of a set: it is written, which takes long or fails; it is looked for, and seen, lost or hidden by a fault. */
export type HistoryEvent =
  | { type: 'serving' | 'late' | 'written' | 'looking' | 'seen' | 'lost'; set: Entry }
  | { type: 'unwritten' | 'unseen'; set: Entry; fault: string };

/** What is known after an event, at a time in ms. */
export function afterEvent(before: HistoryState, event: HistoryEvent, ms: number): HistoryState {
  const { set } = event;
  const isLatest = set === before.latest;
  const isThere = isLatest && isNewest(before, set);
  const looked = { ...before, checkAt: ms + CHECK_MS };
  switch (event.type) {
    case 'serving':
      return { ...before, latest: set, dueAt: Number.POSITIVE_INFINITY };
    case 'late':
      return { ...before, fault: `the disk has not answered for ${KEEP_MS / 1000} s` };
    case 'written':
      return { ...before, newest: set, fault: isLatest ? undefined : before.fault };
    case 'unwritten':
      return { ...before, fault: event.fault, dueAt: ms + RETRY_MS };
    case 'looking':
      return { ...before, checkAt: Number.POSITIVE_INFINITY };
    case 'seen':
      return isThere ? { ...looked, fault: undefined } : looked;
    case 'lost':
      if (!isThere) return looked;
      return { ...looked, fault: 'its files there are gone', newest: undefined, noted: null, dueAt: ms };
    case 'unseen':
      return isLatest ? { ...looked, fault: event.fault } : looked;
  }
}

function isNewest({ newest }: HistoryState, set: Entry): boolean {
  return newest !== undefined && isSameSet(newest, set);
}

type Writer = ReturnType<typeof openWriter>;

/** What is known of a history, and what is being written there. */
function openWriter(dir: string, opening: Opening, log: Log, clock: Clock, fs: Fs) {
  return {
    ...{ dir, log, clock, fs, closing: new AbortController() },
    /** Undefined if the directory cannot be used at all. */
    mayWrite: () => opening.then(lock => lock.mayWrite()).catch(() => undefined),
    state: unknownHistory,
    /** Ends when all is written: one thing after the other. */
    writing: Promise.resolve(),
    /** What could not be written the last time. */
    failed: new Set<string>(),
    /** The set that the history cannot take, in a temporary directory. */
    copy: undefined as { version: string; dir: string } | undefined,
  };
}

/** Writes after all else. Logs what fails, once, unless the history is closed. */
function write(writer: Writer, what: string, work: () => Promise<void>): void {
  const { closing, failed, log } = writer;
  const succeed = () => void failed.delete(what);
  const fail = (error: unknown) => {
    if (!closing.signal.aborted && !failed.has(what)) log.warn(`cannot ${what}: ${reasonOf(error)}`);
    failed.add(what);
  };
  writer.writing = writer.writing.then(work).then(succeed, fail);
}

/** Takes in an event. Logs a fault and its end. */
function apply(writer: Writer, event: HistoryEvent): void {
  const { state: before, log, dir, clock } = writer;
  writer.state = afterEvent(before, event, clock.ms());
  const { fault } = writer.state;
  const { version } = event.set;
  if (!before.fault && fault) log.error(`version ${version} is not in ${dir}, retrying: ${fault}`);
  if (before.fault && !fault) log.info(`version ${version} is in the history now`);
}

async function writeEntry(writer: Writer, set: Entry, loader: Loader): Promise<void> {
  const { signal } = writer.closing;
  try {
    if (!isNewest(writer.state, set)) {
      const isMine = await writer.mayWrite();
      if (isMine === undefined || signal.aborted) return;
      if (!isMine) throw new Error('the state directory is not locked');
      await loader.ask({ task: 'keep', entry: set, aside: undefined }, { signal });
    }
    apply(writer, { type: 'written', set });
  } catch (error) {
    const fault = error instanceof Error ? error.message : String(error);
    if (!signal.aborted) apply(writer, { type: 'unwritten', set, fault });
  }
}

/** Looks whether the history still has what was written to it. */
async function checkEntry(writer: Writer, set: Entry): Promise<void> {
  const { fs, dir } = writer;
  apply(writer, { type: 'looking', set });
  const held = await readHeld(dir, fs).catch(() => null);
  // Somebody may have deleted or replaced it.
  if (held !== writer.state.noted) writer.state = { ...writer.state, noted: null };
  if (!isNewest(writer.state, set)) return apply(writer, { type: 'seen', set });
  try {
    const names = await listEntries({ fs, dir });
    let isThere = names.some(({ version }) => version === set.version);
    for (const { sha256 } of set.files) isThere &&= await hasContent(fs, dir, sha256);
    apply(writer, { type: isThere ? 'seen' : 'lost', set });
  } catch (error) {
    apply(writer, { type: 'unseen', set, fault: reasonOf(error) });
  }
}

/** Writes a set that the history cannot take to a temporary directory, so that the next one can be compared with it. */
async function writeCopy(writer: Writer, set: Entry, loader: Loader): Promise<void> {
  const { fs } = writer;
  const { signal } = writer.closing;
  if (signal.aborted || (!isNewest(writer.state, set) && writer.copy?.version === set.version)) return;
  await removeCopy(writer);
  if (isNewest(writer.state, set) || (await writer.mayWrite()) === undefined) return;
  const copy = { version: '', dir: await fs.mkdtemp(join(tmpdir(), 'vitrine-')) };
  writer.copy = copy;
  await loader.ask({ task: 'keep', entry: set, aside: copy.dir }, { signal });
  copy.version = set.version;
}

async function removeCopy(writer: Writer): Promise<void> {
  if (writer.copy) await writer.fs.rm(writer.copy.dir, { recursive: true, force: true });
  writer.copy = undefined;
}

/** The newest entry of a catalog directory that can be read. @throws NewerFormatError if a newer version of Vitrine wrote it. */
async function readLast(writer: Writer, catalogDir: string): Promise<Entry | undefined> {
  const { fs, dir, log } = writer;
  let isDamaged = false;
  const onDamage = (sentence: string) => {
    log.warn(sentence);
    isDamaged = true;
  };
  const find = async () => {
    for await (const { entry } of readableEntries({ fs, dir, onDamage })) {
      writer.state = { ...writer.state, newest: writer.state.newest ?? entry };
      if (entry.catalogDir === resolve(catalogDir)) return entry;
    }
    return undefined;
  };
  const last = await find().catch(error => {
    if (error instanceof NewerFormatError) throw error;
    return onDamage(`${dir} cannot be read: ${reasonOf(error)}`);
  });
  writer.state = { ...writer.state, isLastLost: isDamaged && !last };
  return last ?? undefined;
}

/** Writes an entry, then a copy of what cannot be written there. Waits for the entry, but not long. */
async function keep(writer: Writer, set: Entry, loader: Loader): Promise<void> {
  apply(writer, { type: 'serving', set });
  const written = writer.writing.then(() => writeEntry(writer, set, loader));
  writer.writing = written;
  write(writer, `keep version ${set.version} for comparison`, () => writeCopy(writer, set, loader));
  const late = writer.mayWrite().then(() => writer.clock.sleep(KEEP_MS, undefined, false));
  const isLate = await Promise.race([written.then(() => false), late.then(() => true)]);
  if (isLate) apply(writer, { type: 'late', set });
}

type Opening = Promise<{ mayWrite(): Promise<boolean> }>;

/**
 * Writes nothing before the state directory is open, never if that fails, and later only while no other process may write
 * there.
 */
export function openLiveHistory(
  { stateDir, catalogDir }: Pick<CatalogSource, 'stateDir' | 'catalogDir'>,
  opening: Opening,
  log: Log,
  { clock = systemClock, fs = systemFs }: Partial<{ clock: Clock; fs: Fs }> = {},
) {
  const dir = historyPath(stateDir);
  const writer = openWriter(dir, opening, log, clock, fs);
  const { closing, mayWrite } = writer;
  const { signal } = closing;
  const newest = () => readLast(writer, catalogDir);
  const settled = async () => {
    await Promise.race([writer.writing, clock.sleep(SETTLE_MS, undefined, false)]);
  };
  return {
    /** The set of the directory that was served last. @throws NewerFormatError if a newer version of Vitrine kept it. */
    newest,
    /** Whether the set that is served was the last one already before it was served this time. */
    async hasBefore(served: ServedSet | undefined): Promise<boolean> {
      const last = await newest();
      return served !== undefined && last?.version === served.snapshot.version && last.since < served.since;
    },
    /**
     * Adds a set that is about to be served, unless it is the newest already. Once it resolves, the set survives a kill and a
     * loss of power; or it cannot be kept for now, and `fault` says why. It does not wait for a disk that hangs.
     */
    keep: (set: Entry, loader: Loader) => keep(writer, set, loader),
    /** Deletes what there is no room for; then closes the loader. */
    tidy(loader: Loader): void {
      write(writer, `tidy ${stateDir}`, async () => {
        if (!(await mayWrite()) || signal.aborted) return;
        await loader.ask({ task: 'tidy' }, { onDamage: log.warn, signal });
      });
      writer.writing = writer.writing.finally(loader.close);
    },
    /** Names the version that is held back, or none, to `vitrine publish`. */
    noteHeld(version: string | undefined): void {
      write(writer, `name the version that is held back in ${dir}`, async () => {
        if (version === writer.state.noted || !(await mayWrite()) || signal.aborted) return;
        await writeHeld(dir, version, fs);
        writer.state = { ...writer.state, noted: version };
      });
    },
    /** Whether it is time to keep the served set again, because that failed, or the history has lost it. */
    isDue(): boolean {
      const { latest, checkAt } = writer.state;
      if (latest && clock.ms() >= checkAt) void checkEntry(writer, latest);
      return clock.ms() >= writer.state.dueAt;
    },
    /** The set that the files are to replace: the one that is served or, until one is, the `last` one. */
    before(served: ServedSet | undefined, last?: Entry): Before | undefined {
      if (!served) return last && { ...last, stateDir, digests: undefined };
      const { copy } = writer;
      return beforeOf(copy?.version === served.snapshot.version ? copy.dir : stateDir, served.report);
    },
    /** Whether the set that was served last cannot be read, and no other is known. */
    isLastLost: () => writer.state.isLastLost,
    /** Why the served set is not kept, safe to show to clients; undefined if it is. */
    fault: () => writer.state.fault,
    /** Waits until all is written or cannot be, though not for a disk that hangs. */
    settled,
    async close(): Promise<void> {
      await settled();
      closing.abort();
      await writer.writing;
      await removeCopy(writer);
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
