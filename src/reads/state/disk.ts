import { open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The part of the file system that keeping state needs. */
export interface Disk {
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

/** The system's. */
export const systemDisk: Disk = { open, readFile, rename, rm, stat };

/** What tells a file from another one at its path, and from itself once it was written to: a text, or that it is missing. */
export type Look = string | undefined;

export async function lookAt(disk: Disk, path: string): Promise<Look> {
  const stats = await disk.stat(path, { bigint: true }).catch(unlessMissing);
  return stats && lookOf(stats);
}

/**
 * Puts a text in the place of a file that has this look, and keeps the one before it as `.prev`. Returns the new look,
 * or undefined where the file has another one by now, and then replaces nothing. Once it resolves, the text survives a
 * loss of power; where it rejects or is cut short, the text before it does, under one of the two names.
 */
export async function replaceFile(disk: Disk, path: string, old: Look, text: string): Promise<Look> {
  const temporary = `${path}.tmp`;
  const look = await writeNew(disk, temporary, text);
  if ((await lookAt(disk, path)) !== old) return undefined;
  await disk.rename(path, previousOf(path)).catch(unlessMissing);
  await disk.rename(temporary, path);
  await syncDirectory(disk, dirname(path));
  return look;
}

/** Where the file is kept that was replaced last. */
export function previousOf(path: string): string {
  return `${path}.prev`;
}

/** The system's code of an error, such as ENOENT. */
export function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/** Undefined for a file that is missing; any other error is thrown on. */
function unlessMissing(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT') throw error;
}

function lookOf({ ino, size, mtimeNs }: Stats): string {
  return `${ino} ${size} ${mtimeNs}`;
}

/** After a sync that failed nobody knows what of a file is on the disk, hence each one is made anew. */
async function writeNew(disk: Disk, path: string, text: string): Promise<string> {
  await disk.rm(path, { force: true });
  const file = await disk.open(path, 'wx');
  try {
    await file.writeFile(text);
    await file.sync();
    const stats = await file.stat({ bigint: true });
    const expected = Buffer.byteLength(text);
    if (Number(stats.size) !== expected) throw new Error(`${stats.size} of ${expected} bytes were written`);
    return lookOf(stats);
  } finally {
    await file.close();
  }
}

/** Makes the renames in a directory survive a loss of power. */
export async function syncDirectory(disk: Disk, dir: string): Promise<void> {
  const handle = await disk.open(dir, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
