import { basename, dirname } from 'node:path';
import {
  appendToFile,
  type Fs,
  isSame,
  previousPath,
  replaceFile,
  retireFile,
  type Stats,
  statsOf,
  syncDirectory,
} from '../../files/atomic-write.ts';
import { formatState, type StateFormat } from '../../files/state-format.ts';
import type { Log } from '../../messages.ts';
import { formatRecord, journalPath, readState } from './read-state.ts';

/** A start takes about twice as long to read a byte of the journal as one of its file. */
const journalLimit = (fileBytes: number) => Math.max(fileBytes / 4, 2 ** 20);

/**
 * A state that survives crashes: a file `{"format": 1, "generation": 17, "checksum": "…", …}` and its predecessor, each
 * with a journal of what changed after it. Make one call at a time.
 */
export interface StateFile<State> {
  /**
   * Reads all of them; undefined if there are none. Renames a broken file to `….broken-TIME`, copies a damaged journal, and
   * logs an error. Call it before anything else.
   * @throws NewerFormatError if a file has a newer format; then neither this nor a save touches them.
   */
  load(): Promise<State | undefined>;
  /** Whether nobody changed the files since the last load or save. */
  isUnchanged(): Promise<boolean>;
  /** What the next change needs first: nothing, a fold, or the save of a whole state that replaces what is there. */
  needs(): 'nothing' | 'fold' | 'save';
  /**
   * Once it resolves, these changes survive a power loss.
   * @throws Error if they cannot be saved.
   */
  append(values: Record<string, unknown>): Promise<void>;
  /**
   * Writes a whole state and begins a new journal. Once it resolves, the state survives a power loss.
   * @throws Error if the state cannot be saved, or somebody else changed the file.
   */
  save(state: State): Promise<void>;
  /** Loads and saves, in another thread. @throws Error as `save` does. */
  fold(): Promise<void>;
  /** Whether there is a journal, of the file or of its predecessor. Two saves end both. */
  hasJournal(): boolean;
  position(): Position;
}

/** The state of the files, passed between threads. */
export interface Position {
  generation: number;
  file: Stats | undefined;
  journal: Stats | undefined;
  hasJournal: boolean;
}

/** Folds a file with these stats, and returns the position after it. */
export type Fold = (expected: Stats | undefined) => Promise<Position>;

/** The directory of the path must exist. `fold` folds in this thread by default. */
export function openStateFile<State>(
  path: string,
  format: StateFormat<State>,
  log: Log,
  fs: Fs,
  fold: Fold = expected => foldStateFile(path, format, log, fs, expected),
  maxJournalBytes = journalLimit,
): StateFile<State> {
  let position: Position = { generation: 0, file: undefined, journal: undefined, hasJournal: false };
  let needs: ReturnType<StateFile<State>['needs']> = 'save';
  let isLoaded = false;

  return {
    async load() {
      // A process that died may not have synced its last rename.
      await syncDirectory(fs, dirname(path)).catch(error => {
        log.warn(`${dirname(path)} cannot be synced: ${error.message}`);
      });
      const before = await statsOf(fs, path);
      const found = await readState(fs, path, format);
      const { state, generation, isIntact, isEdited, hasJournal } = found;
      for (const { path, isJournal, reason } of found.broken)
        await setAside(fs, log, path, `is broken (${reason})`, `${path}.broken-`, isJournal);
      const previous = previousPath(path);
      if (found.isPreviousNewer)
        await setAside(fs, log, previous, 'has a newer format and is not needed', `${previous}.newer-`);
      if (isEdited) log.warn(`${path} was edited: merging its counts with those of the file before it`);
      const after = await statsOf(fs, path);
      position = {
        generation: Math.max(position.generation, generation),
        file: isSame(before, after) ? before : undefined,
        journal: await statsOf(fs, journalPath(path)),
        hasJournal,
      };
      if (!isIntact || isLoaded) needs = 'save';
      else needs = hasJournal ? 'fold' : 'nothing';
      isLoaded = true;
      return state;
    },
    async isUnchanged() {
      if (!isSame(await statsOf(fs, path), position.file)) return false;
      const journal = await statsOf(fs, journalPath(path));
      // After a failed append, the journal has an unknown length, and may be new.
      if (needs === 'fold') return !position.journal || position.journal.ino === journal?.ino;
      return isSame(journal, position.journal);
    },
    needs: () => needs,
    async append(values) {
      // Until it succeeds, and so for ever after a failure.
      needs = 'fold';
      position.hasJournal = true;
      const line = formatRecord({ generation: position.generation, values });
      const journal = await appendToFile(fs, journalPath(path), position.journal, line);
      position.journal = journal;
      const isOutgrown = journal.size > maxJournalBytes(Number(position.file?.size ?? 0));
      needs = isOutgrown ? 'fold' : 'nothing';
    },
    async save(state) {
      if (needs === 'nothing') needs = 'fold';
      const generation = position.generation + 1;
      position.generation = generation;
      const file = await replaceFile(fs, path, position.file, formatState(generation, state, format));
      if (!file) throw new Error(`somebody else changed ${basename(path)}`);
      position.file = file;
      const hasJournal = await retireFile(fs, journalPath(path));
      position = { generation, file, journal: undefined, hasJournal };
      needs = 'nothing';
    },
    async fold() {
      position = await fold(position.file);
      needs = 'nothing';
    },
    hasJournal: () => position.hasJournal,
    position: () => position,
  };
}

/** Saves a state, and leaves no journal. @throws Error as `save` does. */
export async function saveWhole<State>(file: StateFile<State>, state: State): Promise<void> {
  do await file.save(state);
  while (file.hasJournal());
}

/** @throws Error if the file does not have the expected stats, or cannot be saved. */
export async function foldStateFile<State>(
  path: string,
  format: StateFormat<State>,
  log: Log,
  fs: Fs,
  expected: Stats | undefined,
): Promise<Position> {
  const file = openStateFile(path, format, log, fs);
  const state = await file.load();
  if (!state || !isSame(file.position().file, expected))
    throw new Error(`somebody else changed ${basename(path)}`);
  await file.save(state);
  return file.position();
}

/** Keeps a file under a name with the time, so that nothing overwrites it; a journal is copied, since it is read again. */
async function setAside(
  fs: Fs,
  log: Log,
  path: string,
  problem: string,
  prefix: string,
  isJournal = false,
): Promise<void> {
  let aside = prefix;
  try {
    // A journal is copied at each attempt to fold it, to the same name.
    const time = isJournal
      ? Number((await fs.stat(path, { bigint: true })).mtimeNs / 1_000_000n)
      : Date.now();
    aside += new Date(time).toISOString().replaceAll(':', '');
    await (isJournal ? fs.copyFile(path, aside) : fs.rename(path, aside));
    log.error(`${path} ${problem}: kept as ${aside}`);
  } catch (error) {
    log.error(`${path} ${problem} and cannot be kept as ${aside} (${error})`);
  }
}
