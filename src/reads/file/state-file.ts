import { createHash } from 'node:crypto';
import { basename, dirname } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import {
  errorCode,
  type Fs,
  isSame,
  previousPath,
  replaceFile,
  type Stats,
  statsOf,
  syncDirectory,
} from '../../files/atomic-write.ts';
import { FORMAT, NewerFormatError, parseState, type StateParser } from '../../files/state-format.ts';
import type { Log } from '../../messages.ts';
import { packageVersion } from '../../package-version.ts';

/** What a file stores, by news id. */
type StoredCounts = Pick<ReadonlyMap<number, number | string>, 'keys' | 'get'>;

export type StateFile<State> = ReturnType<typeof openStateFile<State>>;

/**
 * Opens a state that survives crashes: a file `{"format": 1, "generation": 17, "checksum": "…", …, "counts": {…}}`, and its
 * predecessor as `.prev`. Their directory must exist. Make one call at a time.
 */
export function openStateFile<State>(path: string, format: StateParser<State>, log: Log, fs: Fs) {
  let generation = 0;
  let stats: Stats | undefined;
  /** The last load failed, perhaps after renaming a broken file. */
  let isHalfLoaded = false;
  let isLoaded = false;
  /** The file or its predecessor does not have all counts. */
  let isBehind = false;
  /** The text that the last save wrote, if the predecessor does not have all counts yet. */
  let lastText: string | undefined;

  return {
    /**
     * Reads both files; undefined if there are none. Renames a broken file to `….broken-TIME` and logs an error. Call it
     * first.
     * @throws NewerFormatError if the file has a newer format, or if it is missing or broken and its predecessor has one; and
     * Error if one cannot be read.
     */
    async load(): Promise<State | undefined> {
      isHalfLoaded = true;
      isBehind = isLoaded;
      lastText = undefined;
      // A process that died may not have synced its last rename.
      await syncDirectory(fs, dirname(path)).catch(error => {
        log.warn(`${dirname(path)} cannot be synced: ${error.message}`);
      });
      const before = await statsOf(fs, path);
      const found = await readState(fs, path, format);
      for (const { path, reason } of found.broken)
        await setAside(fs, log, path, `is broken (${reason})`, `${path}.broken-`);
      const previous = previousPath(path);
      if (found.isPreviousNewer)
        await setAside(fs, log, previous, 'has a newer format and is not needed', `${previous}.newer-`);
      if (found.isEdited) log.warn(`${path} was edited: merging its counts with those of the file before it`);
      const after = await statsOf(fs, path);
      generation = Math.max(generation, found.generation);
      stats = isSame(before, after) ? before : undefined;
      isHalfLoaded = false;
      isLoaded = true;
      return found.state;
    },
    /** Whether nobody has changed the file since the last load or save, and that load did not fail. */
    isUnchanged: async () => !isHalfLoaded && isSame(await statsOf(fs, path), stats),
    /**
     * Writes the counts, with the values of `head` before them, in steps that let other work go on. Once it resolves, the
     * counts survive a power loss. Without changes it saves only if the file or its predecessor may not have all counts:
     * after the first save of a change, a save that failed, or a reload. So the predecessor has everything, too.
     * @throws Error if they cannot be saved, or somebody else changed the file.
     */
    async save(counts: StoredCounts, head: object = {}, isChanged = true): Promise<void> {
      if (!isChanged && !isBehind) return;
      const repeated = isChanged ? undefined : lastText;
      isBehind = true;
      lastText = undefined;
      if (repeated === undefined) generation += 1;
      const text =
        repeated ?? (await formatCounts(generation, counts, { version: packageVersion(), ...head }));
      const saved = await replaceFile(fs, path, stats, text);
      if (!saved) throw new Error(`somebody else changed ${basename(path)}`);
      stats = saved;
      isBehind = isChanged;
      if (isChanged) lastText = text;
    },
  };
}

/**
 * Reads the newer intact file of the two, and merges a file that somebody edited or replaced by an older one. Changes nothing
 * on the disk.
 * @throws as `load` of {@link openStateFile} does.
 */
export async function readState<State>(fs: Fs, path: string, format: StateParser<State>) {
  const broken: { path: string; reason: string }[] = [];
  const read = async (path: string) => {
    const text = await readText(fs, path);
    try {
      return text === undefined ? undefined : parseState(text, path, format);
    } catch (reason) {
      if (reason instanceof NewerFormatError) throw reason;
      broken.push({ path, reason: String(reason) });
      return undefined;
    }
  };
  const file = await read(path);
  let isPreviousNewer = false;
  const previous = await read(previousPath(path)).catch(error => {
    if (!file || !(error instanceof NewerFormatError)) throw error;
    isPreviousNewer = true;
    return undefined;
  });
  const found = [file, previous].filter(one => one !== undefined);
  const [base] = found.filter(file => !file.isEdited).sort((one, other) => other.generation - one.generation);
  let state = base?.state;
  // An intact file includes everything in its predecessor. Whatever that has in addition is damage.
  const others = base && base === file ? [] : found.filter(file => file !== base);
  for (const { state: other } of others)
    state = state && format.merge ? format.merge(state, other) : (state ?? other);
  return {
    /** Undefined if there is no file. */
    state,
    /** The larger one of the two files. */
    generation: Math.max(0, ...found.map(file => file.generation)),
    isEdited: file?.isEdited === true,
    /** Whether the predecessor has a newer format. Then it is not read, and must not be replaced by the next save. */
    isPreviousNewer,
    broken,
  };
}

async function readText(fs: Fs, path: string): Promise<string | undefined> {
  try {
    return (await fs.readFile(path)).toString();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    // A retry cannot help, so treat a directory as a broken file.
    if (errorCode(error) === 'EISDIR') return '';
    throw new Error(`${path} cannot be read: ${error instanceof Error ? error.message : error}`, {
      cause: error,
    });
  }
}

/** How many counts are formatted in one turn of the event loop. */
const STEP = 2_000;

/** Formats the text that `parseState` reads in steps, with the ids in the order that JSON.stringify() would use. */
async function formatCounts(generation: number, counts: StoredCounts, head: object): Promise<string> {
  const ids = Float64Array.from(counts.keys()).sort();
  const hash = createHash('sha256').update(
    `${JSON.stringify({ generation, ...head }).slice(0, -1)},"counts":{`,
  );
  const lines: string[] = [];
  for (let at = 0; at < ids.length; at += STEP) {
    const step = Array.from(ids.subarray(at, at + STEP), id => [id, JSON.stringify(counts.get(id))] as const);
    hash.update((at === 0 ? '' : ',') + step.map(([id, count]) => `"${id}":${count}`).join());
    lines.push(step.map(([id, count]) => `\n    "${id}": ${count}`).join());
    await setImmediate();
  }
  const checksum = hash.update('}}').digest('hex').slice(0, 16);
  const start = JSON.stringify({ format: FORMAT, generation, checksum, ...head }, null, 2).slice(0, -2);
  return `${start},\n  "counts": {${lines.join()}\n  }\n}\n`;
}

/** Renames a file to a name with the time, so that nothing overwrites it. */
async function setAside(fs: Fs, log: Log, path: string, problem: string, prefix: string): Promise<void> {
  const aside = prefix + new Date().toISOString().replaceAll(':', '');
  try {
    await fs.rename(path, aside);
    log.error(`${path} ${problem}: kept as ${aside}`);
  } catch (error) {
    log.error(`${path} ${problem} and cannot be kept as ${aside} (${error})`);
  }
}
