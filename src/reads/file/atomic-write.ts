import { constants } from 'node:fs';
import { open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The part of `node:fs/promises` that state files use. */
export interface Fs {
  open(path: string, flags: 'r' | 'wx'): Promise<OpenFile>;
  readFile(path: string, encoding: 'utf8'): Promise<string>;
  rename(from: string, to: string): Promise<void>;
  rm(path: string, options: { force: true }): Promise<void>;
  stat(path: string, options: { bigint: true }): Promise<Stats>;
}

interface OpenFile {
  writeFile(text: string): Promise<void>;
  sync(): Promise<void>;
  stat(options: { bigint: true }): Promise<Stats>;
  close(): Promise<void>;
}

interface Stats {
  ino: bigint;
  size: bigint;
  mtimeNs: bigint;
}

/** `O_NONBLOCK` reads a pipe without a writer as an empty file instead of waiting forever. */
export const systemFs: Fs = {
  open,
  readFile: (path, encoding) => readFile(path, { encoding, flag: constants.O_RDONLY | constants.O_NONBLOCK }),
  rename,
  rm,
  stat,
};

/** Changes when a file is written to or replaced; undefined for a missing file. */
export type Fingerprint = string | undefined;

export async function fingerprintOf(fs: Fs, path: string): Promise<Fingerprint> {
  const stats = await fs.stat(path, { bigint: true }).catch(unlessMissing);
  return stats && format(stats);
}

/**
 * Replaces a file and keeps the old one as `.prev`. Returns the new fingerprint, or undefined, with nothing replaced, if
 * the fingerprint of the file is not the expected one. Once it resolves, the new text survives a power loss; if it
 * rejects or is interrupted, the old text survives under one of the two names.
 */
export async function replaceFile(
  fs: Fs,
  path: string,
  expected: Fingerprint,
  text: string,
): Promise<Fingerprint> {
  const temporary = `${path}.tmp`;
  const fingerprint = await writeNew(fs, temporary, text);
  if ((await fingerprintOf(fs, path)) !== expected) return undefined;
  await fs.rename(path, previousPath(path)).catch(unlessMissing);
  await fs.rename(temporary, path);
  await syncDirectory(fs, dirname(path));
  return fingerprint;
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
function unlessMissing(error: unknown): undefined {
  if (errorCode(error) !== 'ENOENT') throw error;
}

function format({ ino, size, mtimeNs }: Stats): string {
  return `${ino} ${size} ${mtimeNs}`;
}

/** Always creates a new file: after a failed sync, a later sync may succeed without writing the lost pages. */
async function writeNew(fs: Fs, path: string, text: string): Promise<string> {
  await fs.rm(path, { force: true });
  const file = await fs.open(path, 'wx');
  try {
    await file.writeFile(text);
    await file.sync();
    const stats = await file.stat({ bigint: true });
    const expected = Buffer.byteLength(text);
    if (Number(stats.size) !== expected) throw new Error(`${stats.size} of ${expected} bytes were written`);
    return format(stats);
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
