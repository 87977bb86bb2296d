// Files that survive crashes, full disks and power losses: the read counts, the history, and the state of webhooks.
//
// `writeWhole` and `replaceFile` write to a temporary file, sync it, and rename it; `replaceFile` also keeps the last version
// as `.prev`, and refuses if somebody else has changed the file. `state-format.ts` is what such files contain: JSON with a
// format number, a generation and a checksum. All of it goes through `Fs`, which tests replace by a disk that fails.
import { type BigIntStats, constants } from 'node:fs';
import * as fsPromises from 'node:fs/promises';
import { dirname } from 'node:path';

const { mkdir, open, readFile, stat } = fsPromises;

/** The part of `node:fs/promises` that the serving process uses. */
export interface Fs {
  open(path: string, flags: 'r' | 'wx'): Promise<OpenFile>;
  readFile(path: string): Promise<Buffer>;
  /** Reads the start of a file, and when it last changed in ms since 1970; undefined for folders and pipes. Never blocks. */
  readStart(path: string, maxBytes: number): Promise<{ bytes: Buffer; changedAt: number } | undefined>;
  readdir(path: string): Promise<string[]>;
  /** Creates the directories above it as well. */
  mkdir(path: string): Promise<unknown>;
  mkdtemp(prefix: string): Promise<string>;
  rm(path: string, options: { recursive: true; force: true }): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
  stat(path: string, options: { bigint: true }): Promise<PathStats>;
  /** Returns the size of a disk in blocks of `bsize` bytes, of which `bavail` are available to any user. */
  statfs(path: string): Promise<{ bsize: number; blocks: number; bavail: number }>;
}

interface OpenFile {
  writeFile(content: string | Buffer): Promise<void>;
  sync(): Promise<void>;
  stat(options: { bigint: true }): Promise<Stats>;
  close(): Promise<void>;
}

/** What changes when a file is written to or replaced. */
export type Stats = Pick<BigIntStats, 'ino' | 'size' | 'mtimeNs'>;
/** No program can set the `ctime` back. */
type PathStats = Stats & Pick<BigIntStats, 'dev' | 'ctimeNs' | 'ctimeMs'>;

/** With `O_NONBLOCK`, a pipe without a writer reads as an empty file instead of blocking forever. */
const READ_ONLY = constants.O_RDONLY | constants.O_NONBLOCK;

export const systemFs: Fs = {
  ...fsPromises,
  readFile: path => readFile(path, { flag: READ_ONLY }),
  async readStart(path, maxBytes) {
    const file = await open(path, READ_ONLY);
    try {
      const stats = await file.stat();
      if (!stats.isFile()) return undefined;
      const { buffer, bytesRead } = await file.read(Buffer.alloc(maxBytes), 0, maxBytes, 0);
      return { bytes: buffer.subarray(0, bytesRead), changedAt: stats.ctimeMs };
    } finally {
      await file.close();
    }
  },
  mkdir: createDirectories,
};

/** Creates a directory and those above it. Node's `recursive` hangs where none can be created, as below /proc. */
export async function createDirectories(path: string): Promise<void> {
  const isThere = async () => (await stat(path).catch(() => undefined))?.isDirectory() === true;
  if (await isThere()) return;
  if (dirname(path) !== path) await createDirectories(dirname(path));
  await mkdir(path).catch(async error => {
    if (!(await isThere())) throw error;
  });
}

/** Returns undefined for a missing file. */
export async function statsOf(fs: Fs, path: string): Promise<Stats | undefined> {
  return fs.stat(path, { bigint: true }).catch(unlessMissing);
}

export function isSame(one: Stats | undefined, other: Stats | undefined): boolean {
  return one?.ino === other?.ino && one?.size === other?.size && one?.mtimeNs === other?.mtimeNs;
}

/**
 * Replaces a file, keeps the old one as `.prev`, and returns the new stats. If the file's stats are not the expected ones, it
 * replaces nothing and returns undefined. Once it resolves, the new text survives a power loss. If it rejects or is
 * interrupted, the old text survives under one of the two names.
 */
export async function replaceFile(
  fs: Fs,
  path: string,
  expected: Stats | undefined,
  text: string,
): Promise<Stats | undefined> {
  const temporary = `${path}.tmp`;
  const stats = await writeNew(fs, temporary, text);
  if (!isSame(await statsOf(fs, path), expected)) return undefined;
  await fs.rename(path, previousPath(path)).catch(unlessMissing);
  await fs.rename(temporary, path);
  await syncDirectory(fs, dirname(path));
  return stats;
}

/** Writes a whole file or nothing. The file survives a power loss once its directory is synced. */
export async function writeWhole(fs: Fs, path: string, content: string | Buffer): Promise<void> {
  const temporary = `${path}.tmp`;
  try {
    await writeNew(fs, temporary, content);
    await fs.rename(temporary, path);
  } catch (error) {
    // Do not leave a half-written file on a full disk.
    await fs.unlink(temporary).catch(() => {});
    throw error;
  }
}

/** The path at which `replaceFile` keeps the old file. */
export function previousPath(path: string): string {
  return `${path}.prev`;
}

/** The code of a system error, such as ENOENT. */
export function errorCode(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/** Ignores a missing file; rethrows any other error. */
export function unlessMissing(error: unknown): undefined {
  if (errorCode(error) !== 'ENOENT') throw error;
}

/** Ignores a missing file, also if its directory is a file; rethrows any other error. */
export function unlessAbsent(error: unknown): undefined {
  if (errorCode(error) !== 'ENOTDIR') unlessMissing(error);
}

/** Writes a new file after deleting an existing one. */
async function writeNew(fs: Fs, path: string, content: string | Buffer): Promise<Stats> {
  // After a failed sync, a later sync of the same file may succeed without writing the lost pages.
  await fs.unlink(path).catch(unlessMissing);
  const file = await fs.open(path, 'wx');
  try {
    await file.writeFile(content);
    await file.sync();
    const stats = await file.stat({ bigint: true });
    const expected = Buffer.byteLength(content);
    if (Number(stats.size) !== expected) throw new Error(`${stats.size} of ${expected} bytes were written`);
    return stats;
  } finally {
    await file.close();
  }
}

/** Makes renames in a directory survive a power loss. */
export async function syncDirectory(fs: Fs, dir: string): Promise<void> {
  const handle = await fs.open(dir, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
