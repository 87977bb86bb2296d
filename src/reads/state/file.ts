import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import type { Log } from '../log.ts';
import { codeOf, type Disk, type Look, lookAt, previousOf, replaceFile, syncDirectory } from './disk.ts';

/** What state files say of themselves. */
export const FORMAT = 1;

/** How a file writes a state. */
export interface StateForm<State> {
  /** The state as JSON has it. */
  write(state: State): object;
  /** @throws Error where the value is no such state. */
  parse(value: Record<string, unknown>): State;
  /** Joins two states. Without it the newer one is taken, and a file that somebody has edited is broken. */
  merge?(one: State, other: State): State;
  /** Spaces of indentation; 2 for people. */
  indent: number;
}

/**
 * A file that keeps a state through crashes, as `{"format": 1, "generation": 17, "checksum": "…", …}`, together
 * with the one before it.
 */
export interface StateFile<State> {
  /**
   * The newest of the two files that is intact, or both of them merged; undefined where there is none. A broken one is
   * set aside under a telling name, with an error in the log.
   */
  load(): Promise<State | undefined>;
  /** Whether the file is as it was loaded or saved last, and not what somebody else has made of it. */
  isUntouched(): Promise<boolean>;
  /**
   * Once it resolves, the state survives a loss of power. It must not be called again before it is settled.
   * @throws Error where it cannot be saved, or somebody else has changed the file.
   */
  save(state: State): Promise<void>;
}

interface Found<State> {
  state: State;
  generation: number;
  /** Whether its checksum is not that of its values. */
  isEdited: boolean;
}

/** The state file at this path, whose directory has to exist. */
export function openStateFile<State>(
  path: string,
  form: StateForm<State>,
  log: Log,
  disk: Disk,
): StateFile<State> {
  let generation = 0;
  let look: Look;

  /** A file that cannot be read need not be broken: the next attempt may succeed. */
  const read = async (name: string): Promise<Found<State> | undefined> => {
    const text = await readText(disk, name);
    try {
      return text === undefined ? undefined : parseState(text, form);
    } catch (error) {
      const isAside = await setAside(disk, name, error, log);
      if (isAside && name === path) look = undefined;
      return undefined;
    }
  };

  return {
    async load() {
      // What a process has renamed that died before it could sync that is not safe yet.
      await syncDirectory(disk, dirname(path)).catch(error => {
        log.warn(`${dirname(path)} cannot be synced: ${error.message}`);
      });
      look = await lookAt(disk, path);
      const [file, previous] = [await read(path), await read(previousOf(path))];
      if (file?.isEdited)
        log.warn(`${path} was edited: what it says is joined with what was saved before it`);
      const found = [file, previous].filter(file => file !== undefined);
      const [newest, older] = found.sort((one, other) => other.generation - one.generation);
      generation = Math.max(generation, newest?.generation ?? 0);
      return newest && older && form.merge ? form.merge(newest.state, older.state) : newest?.state;
    },
    async isUntouched() {
      return (await lookAt(disk, path)) === look;
    },
    async save(state) {
      generation += 1;
      const saved = await replaceFile(disk, path, look, format(generation, form.write(state), form.indent));
      if (!saved) throw new Error(`somebody else has changed ${path}`);
      look = saved;
    },
  };
}

function format(generation: number, state: object, indent: number): string {
  const checksum = checksumOf(generation, state);
  return `${JSON.stringify({ format: FORMAT, generation, checksum, ...state }, null, indent)}\n`;
}

/** It is that of the values, not of the text, so that laying the text out in another way is no edit. */
function checksumOf(generation: unknown, state: object): string {
  return createHash('sha256')
    .update(JSON.stringify({ generation, ...state }))
    .digest('hex')
    .slice(0, 16);
}

/** The state in a file; undefined where there is no file. @throws Error where it cannot be read, or is broken. */
export async function readState<State>(
  disk: Disk,
  path: string,
  form: StateForm<State>,
): Promise<State | undefined> {
  const text = await readText(disk, path);
  return text === undefined ? undefined : parseState(text, form).state;
}

async function readText(disk: Disk, path: string): Promise<string | undefined> {
  try {
    return await disk.readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    // What lies in its place is no more of a file for being read again.
    if (codeOf(error) === 'EISDIR') return '';
    throw new Error(`${path} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}

/** @throws Error where the text is no such state. */
function parseState<State>(text: string, form: StateForm<State>): Found<State> {
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null) throw new Error('it is no object');
  const { format, generation, checksum, ...rest }: Record<string, unknown> = { ...value };
  if (format !== FORMAT) throw new Error(`format is ${JSON.stringify(format)} and not ${FORMAT}`);
  const isEdited = checksum !== checksumOf(generation, rest);
  if (isEdited && !form.merge) throw new Error('its checksum is another');
  return {
    state: form.parse(rest),
    generation: Number.isSafeInteger(generation) ? Number(generation) : 0,
    isEdited,
  };
}

/** Keeps a broken file for whoever may want to look at it, so that nothing overwrites it. */
async function setAside(disk: Disk, path: string, reason: unknown, log: Log): Promise<boolean> {
  const aside = `${path}.broken-${new Date().toISOString().replaceAll(':', '')}`;
  try {
    await disk.rename(path, aside);
    log.error(`${path} is broken (${reason}): it is kept as ${aside}`);
    return true;
  } catch (error) {
    log.error(`${path} is broken (${reason}), and cannot be set aside (${error})`);
    return false;
  }
}
