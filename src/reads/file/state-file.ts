import { basename, dirname } from 'node:path';
import type { Log } from '../../messages.ts';
import {
  errorCode,
  type Fingerprint,
  type Fs,
  fingerprintOf,
  previousPath,
  replaceFile,
  syncDirectory,
} from './atomic-write.ts';
import {
  formatState,
  NewerFormatError,
  type ParsedState,
  parseState,
  type StateFormat,
} from './state-format.ts';

/** A state that survives crashes: a file `{"format": 1, "generation": 17, "checksum": "…", …}` and its predecessor. */
export interface StateFile<State> {
  /**
   * Reads the newer intact file of the two, or merges both; undefined if neither exists. Renames a broken file to
   * `….broken-TIME` and logs an error.
   * @throws NewerFormatError if either has a newer format; then neither this nor a save touches them.
   */
  load(): Promise<State | undefined>;
  /** Whether nobody changed the file since the last load or save. */
  isUnchanged(): Promise<boolean>;
  /**
   * Once it resolves, the state survives a power loss. Do not call it again before it settles.
   * @throws Error if the state cannot be saved, or somebody else changed the file.
   */
  save(state: State): Promise<void>;
}

/** The directory of the path must exist. */
export function openStateFile<State>(
  path: string,
  format: StateFormat<State>,
  log: Log,
  fs: Fs,
): StateFile<State> {
  let generation = 0;
  let fingerprint: Fingerprint;

  return {
    async load() {
      // A process that died may not have synced its last rename.
      await syncDirectory(fs, dirname(path)).catch(error => {
        log.warn(`${dirname(path)} cannot be synced: ${error.message}`);
      });
      const before = await fingerprintOf(fs, path);
      const broken: { name: string; reason: unknown }[] = [];
      /** Throws if the file cannot be read: it may not be broken, and the next attempt may succeed. */
      const read = async (name: string): Promise<ParsedState<State> | undefined> => {
        const text = await readText(fs, name);
        try {
          return text === undefined ? undefined : parseState(text, name, format);
        } catch (reason) {
          if (reason instanceof NewerFormatError) throw reason;
          broken.push({ name, reason });
          return undefined;
        }
      };
      const [file, previous] = [await read(path), await read(previousPath(path))];
      for (const { name, reason } of broken) await setAside(fs, name, reason, log);
      fingerprint = (await fingerprintOf(fs, path)) === before ? before : undefined;
      if (file?.isEdited) log.warn(`${path} was edited: merging its counts with those of the file before it`);
      // An intact file includes everything of its predecessor, so an excess there is damage.
      const isPreviousDamaged = file?.isEdited === false && previous?.isEdited;
      const found = [file, isPreviousDamaged ? undefined : previous].filter(file => file !== undefined);
      const [newest, older] = found.sort((one, other) => other.generation - one.generation);
      generation = Math.max(generation, newest?.generation ?? 0);
      return newest && older && format.merge ? format.merge(newest.state, older.state) : newest?.state;
    },
    async isUnchanged() {
      return (await fingerprintOf(fs, path)) === fingerprint;
    },
    async save(state) {
      generation += 1;
      const saved = await replaceFile(fs, path, fingerprint, formatState(generation, state, format));
      if (!saved) throw new Error(`somebody else changed ${basename(path)}`);
      fingerprint = saved;
    },
  };
}

/** The state in a file; undefined if it is missing. @throws Error if it is broken or cannot be read. */
export async function readState<State>(
  fs: Fs,
  path: string,
  format: StateFormat<State>,
): Promise<State | undefined> {
  const text = await readText(fs, path);
  return text === undefined ? undefined : parseState(text, path, format).state;
}

async function readText(fs: Fs, path: string): Promise<string | undefined> {
  try {
    return await fs.readFile(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    // A retry cannot help: treat a directory as a broken file.
    if (errorCode(error) === 'EISDIR') return '';
    throw new Error(`${path} cannot be read: ${error instanceof Error ? error.message : error}`, {
      cause: error,
    });
  }
}

/** Keeps a broken file for inspection, so that nothing overwrites it. */
async function setAside(fs: Fs, path: string, reason: unknown, log: Log): Promise<void> {
  const aside = `${path}.broken-${new Date().toISOString().replaceAll(':', '')}`;
  try {
    await fs.rename(path, aside);
    log.error(`${path} is broken (${reason}): kept as ${aside}`);
  } catch (error) {
    log.error(`${path} is broken (${reason}) and cannot be renamed (${error})`);
  }
}
