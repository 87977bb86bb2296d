import { constants } from 'node:fs';
import { mkdir, mkdtemp, open, readdir, readFile, rename, rm, stat, statfs, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The part of `node:fs/promises` that the serving process uses for catalogs, history and state files. */
export interface Fs {
  open(path: string, flags: 'r' | 'wx'): Promise<OpenFile>;
  readFile(path: string, encoding: 'utf8'): Promise<string>;
  readBytes(path: string): Promise<Buffer>;
  /**
   * The first bytes of a file, and when it last changed in ms since 1970; undefined for a folder or a pipe, whose writer it
   * does not wait for.
   */
  readStart(path: string, maxBytes: number): Promise<{ bytes: Buffer; changedAt: number } | undefined>;
  readdir(path: string): Promise<string[]>;
  /** With the directories above it. */
  mkdir(path: string): Promise<unknown>;
  /** Makes a directory whose name begins with this, and resolves to its path. */
  mkdtemp(prefix: string): Promise<string>;
  rm(path: string, options: { recursive: true; force: true }): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
  stat(path: string, options: { bigint: true }): Promise<PathStats>;
  /** How full a disk is, in blocks of `bsize` bytes, of which `bavail` are free for any user. */
  statfs(path: string): Promise<{ bsize: number; blocks: number; bavail: number }>;
}

interface OpenFile {
  writeFile(content: string | Buffer): Promise<void>;
  sync(): Promise<void>;
  stat(options: { bigint: true }): Promise<Stats>;
  close(): Promise<void>;
}

/** Change when a file is written to or replaced. */
export interface Stats {
  ino: bigint;
  size: bigint;
  mtimeNs: bigint;
}

/** Those of a path. No program can set back the `ctime`. */
export interface PathStats extends Stats {
  dev: bigint;
  ctimeNs: bigint;
  ctimeMs: bigint;
}

/** `O_NONBLOCK` reads a pipe without a writer as an empty file instead of waiting forever. */
export const systemFs: Fs = {
  open,
  readFile: (path, encoding) => readFile(path, { encoding, flag: constants.O_RDONLY | constants.O_NONBLOCK }),
  readBytes: path => readFile(path),
  async readStart(path, maxBytes) {
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stats = await file.stat();
      if (!stats.isFile()) return undefined;
      const { buffer, bytesRead } = await file.read(Buffer.alloc(maxBytes), 0, maxBytes, 0);
      return { bytes: buffer.subarray(0, bytesRead), changedAt: stats.ctimeMs };
    } finally {
      await file.close();
    }
  },
  readdir,
  mkdir: createDirectories,
  mkdtemp,
  rm,
  rename,
  unlink,
  stat,
  statfs,
};

/**
 * Creates a directory and those above it. Node's `recursive` never returns below a directory in which nobody can create
 * one, such as /proc.
 */
export async function createDirectories(path: string): Promise<void> {
  const isThere = async () => (await stat(path).catch(() => undefined))?.isDirectory() === true;
  if (await isThere()) return;
  if (dirname(path) !== path) await createDirectories(dirname(path));
  await mkdir(path).catch(async error => {
    if (!(await isThere())) throw error;
  });
}

/** Undefined for a missing file. */
export async function statsOf(fs: Fs, path: string): Promise<Stats | undefined> {
  return fs.stat(path, { bigint: true }).catch(unlessMissing);
}

export function isSame(one: Stats | undefined, other: Stats | undefined): boolean {
  return one?.ino === other?.ino && one?.size === other?.size && one?.mtimeNs === other?.mtimeNs;
}

/**
 * Replaces a file and keeps the old one as `.prev`. Returns the new stats, or undefined, with nothing replaced, if those
 * of the file are not the expected ones. Once it resolves, the new text survives a power loss; if it rejects or is
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

/** Writes a file as a whole, or not at all. It survives a power loss once its directory is synced. */
export async function writeWhole(fs: Fs, path: string, content: string | Buffer): Promise<void> {
  const temporary = `${path}.tmp`;
  try {
    await writeNew(fs, temporary, content);
    await fs.rename(temporary, path);
  } catch (error) {
    // Leaves no half-written file on a full disk.
    await fs.unlink(temporary).catch(() => {});
    throw error;
  }
}

/** The path of the file that was replaced last. */
export function previousPath(path: string): string {
  return `${path}.prev`;
}

/** The system error code, such as ENOENT. */
export function errorCode(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/** Ignores a missing file; rethrows any other error. */
export function unlessMissing(error: unknown): undefined {
  if (errorCode(error) !== 'ENOENT') throw error;
}

/** Writes a new file; deletes the one that is there. */
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
