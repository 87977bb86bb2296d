import type { Stats } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Reporter } from '../../problems/problems.ts';
import { fileError } from './system-errors.ts';

export const BYTES_PER_MB = 1024 * 1024;

/** The bytes of a file; undefined, and reported, if it is unreadable or larger than `maxFileMb`. */
export async function readContent(
  dir: string,
  file: string,
  maxFileMb: number,
  report: Reporter,
): Promise<Buffer | undefined> {
  const path = join(dir, file);
  try {
    const stats = await stat(path);
    // Reading a named pipe could block forever.
    if (!stats.isFile()) report({ file }, 'UNREADABLE_FILE', notAFile(stats));
    else if (stats.size > maxFileMb * BYTES_PER_MB)
      report({ file }, 'FILE_TOO_BIG', tooBig(stats, maxFileMb));
    else return await readFile(path);
  } catch (error) {
    report({ file }, 'UNREADABLE_FILE', fileError(error));
  }
  return undefined;
}

function notAFile(stats: Stats): string {
  const what = stats.isDirectory() ? 'a folder' : 'a pipe or a device';
  return `this is ${what}, not a file: rename or move it, and put the file here under this name`;
}

function tooBig({ size }: Stats, maxFileMb: number): string {
  return `the file has ${Math.ceil(size / BYTES_PER_MB)} MB, but only ${maxFileMb} MB are allowed: make it smaller, or ask your administrator to raise MAX_FILE_MB`;
}
