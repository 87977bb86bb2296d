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

const RETRY_MS = 10_000;
/** How often to check that nobody has deleted the history, in milliseconds. */
const CHECK_MS = 5_000;
const SETTLE_MS = 3_000;
/** How long a new set may wait for the disk of the history, in milliseconds. */
const KEEP_MS = 1_000;

/** What is known of a history, at first. Times are in ms of the monotonic clock. */
export const unknownHistory = {
  newest: undefined as Entry | undefined,
  latest: undefined as Entry | undefined,
  /** Why the served set is not in the history; safe to show to clients. */
  fault: undefined as string | undefined,
  /** When to write the set again, and when to check that it is still there. */
  dueAt: Number.POSITIVE_INFINITY,
  checkAt: 0,
  /** The version in the file `held`; null until what the last run wrote is known. */
  noted: null as string | undefined | null,
  /** Whether the set that was served last cannot be read, and no other is known. */
  isLastLost: false,
};
type HistoryState = typeof unknownHistory;

/** Events of a set: it is written, which may take long or fail; it is checked, and seen, lost or unreadable. */
export type HistoryEvent =
  | { type: 'serving' | 'late' | 'written' | 'looking' | 'seen' | 'lost'; set: Entry }
  | { type: 'unwritten' | 'unseen'; set: Entry; fault: string };

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

function openWriter(dir: string, opening: Opening, log: Log, clock: Clock, fs: Fs) {
  return {
    ...{ dir, log, clock, fs, closing: new AbortController() },
    /** Resolves to undefined if the directory cannot be used at all. */
    mayWrite: () => opening.then(lock => lock.mayWrite()).catch(() => undefined),
    state: unknownHistory,
    /** Resolves when all writes are done. They run one after the other. */
    writing: Promise.resolve(),
    failed: new Set<string>(),
    copy: undefined as { version: string; dir: string } | undefined,
  };
}

/** Queues a write. Logs a failure once, unless the history is closed. */
function write(writer: Writer, what: string, work: () => Promise<void>): void {
  const { closing, failed, log } = writer;
  const succeed = () => void failed.delete(what);
  const fail = (error: unknown) => {
    if (!closing.signal.aborted && !failed.has(what)) log.warn(`cannot ${what}: ${reasonOf(error)}`);
    failed.add(what);
  };
  writer.writing = writer.writing.then(work).then(succeed, fail);
}

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
      await loader.ask({ task: 'keep', entry: set, copyDir: undefined }, { signal });
    }
    apply(writer, { type: 'written', set });
  } catch (error) {
    if (!signal.aborted) apply(writer, { type: 'unwritten', set, fault: reasonOf(error) });
  }
}

async function checkEntry(writer: Writer, set: Entry): Promise<void> {
  const { fs, dir } = writer;
  apply(writer, { type: 'looking', set });
  const held = await readHeld(dir, fs).catch(() => null);
  // Somebody may have deleted or replaced the file.
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

/** Writes a set that the history could not store to a temporary directory, so that the next set can be compared with it. */
async function writeCopy(writer: Writer, set: Entry, loader: Loader): Promise<void> {
  const { fs } = writer;
  const { signal } = writer.closing;
  if (signal.aborted || (!isNewest(writer.state, set) && writer.copy?.version === set.version)) return;
  await removeCopy(writer);
  if (isNewest(writer.state, set) || (await writer.mayWrite()) === undefined) return;
  const copy = { version: '', dir: await fs.mkdtemp(join(tmpdir(), 'vitrine-')) };
  writer.copy = copy;
  await loader.ask({ task: 'keep', entry: set, copyDir: copy.dir }, { signal });
  copy.version = set.version;
}

async function removeCopy(writer: Writer): Promise<void> {
  if (writer.copy) await writer.fs.rm(writer.copy.dir, { recursive: true, force: true });
  writer.copy = undefined;
}

/** Returns the newest readable entry of a directory. @throws NewerFormatError if a newer Vitrine wrote it. */
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

/** Writes the entry, or else a copy for comparison. Waits for the entry, but at most `KEEP_MS`. */
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

/** Nothing is written before the state directory is open, if that fails, or while another process may write there. */
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
    newest,
    /** Whether the history already had the served set as its last one before this start. */
    async hasBefore(served: ServedSet | undefined): Promise<boolean> {
      const last = await newest();
      return served !== undefined && last?.version === served.snapshot.version && last.since < served.since;
    },
    /**
     * Stores a set that is about to be served, unless it is already the newest entry. Once this resolves, the set survives a
     * kill or a power loss, or `fault` says why it does not. A disk that hangs does not delay it.
     */
    keep: (set: Entry, loader: Loader) => keep(writer, set, loader),
    /** Prunes the history, then closes the loader. */
    tidy(loader: Loader): void {
      write(writer, `tidy ${stateDir}`, async () => {
        if (!(await mayWrite()) || signal.aborted) return;
        await loader.ask({ task: 'tidy' }, { onDamage: log.warn, signal });
      });
      writer.writing = writer.writing.finally(loader.close);
    },
    /** Writes the held version, or none, for `vitrine publish`. */
    noteHeld(version: string | undefined): void {
      write(writer, `name the version that is held back in ${dir}`, async () => {
        if (version === writer.state.noted || !(await mayWrite()) || signal.aborted) return;
        await writeHeld(dir, version, fs);
        writer.state = { ...writer.state, noted: version };
      });
    },
    /** Whether the served set must be stored again, because that failed or the history has lost it. */
    isDue(): boolean {
      const { latest, checkAt } = writer.state;
      if (latest && clock.ms() >= checkAt) void checkEntry(writer, latest);
      return clock.ms() >= writer.state.dueAt;
    },
    /** The set that a new one replaces: the served one or, until there is one, the `last` one. */
    before(served: ServedSet | undefined, last?: Entry): Before | undefined {
      if (!served) return last && { ...last, stateDir, digests: undefined };
      const { copy } = writer;
      return beforeOf(copy?.version === served.snapshot.version ? copy.dir : stateDir, served.report);
    },
    /** Whether the set that was served last cannot be read, and no other is known. */
    isLastLost: () => writer.state.isLastLost,
    fault: () => writer.state.fault,
    /** Resolves when all writes are done, or after `SETTLE_MS`. */
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

/** Describes a served set as the one to replace. The history of this state directory has its files. */
export function beforeOf(stateDir: string, { version, files, reading, digests }: SetReport): Before {
  return { version: String(version), files, reading, digests, stateDir };
}
