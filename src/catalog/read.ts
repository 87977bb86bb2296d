import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Report } from './problems.ts';
import { type CatalogName, catalogFiles, catalogNames, catalogs } from './schemas.ts';

/** What tells one content of a file from another. */
export interface Digest {
  file: string;
  bytes: number;
  /** In hexadecimal. */
  sha256: string;
}

/** A catalog file as it was read, not yet looked into. */
export interface CatalogFile extends Digest {
  catalog: CatalogName;
  content: Buffer;
}

const BYTES_PER_MB = 1024 * 1024;

/**
 * Reads the catalog files of a directory. Only files whose whole name matches are looked at: `news.json`, `news.csv`.
 * One that has more than `maxFileMb` is refused by its size.
 */
export async function readFiles(dir: string, maxFileMb: number, report: Report): Promise<CatalogFile[]> {
  const files: CatalogFile[] = [];
  const names = await readdir(dir).catch(error => {
    report({ file: dir }, 'NO_DIRECTORY', `the catalog directory cannot be read: ${error.message}`);
  });
  if (!names) return files;
  for (const catalog of catalogNames) {
    const file = chooseFile(catalog, names, report);
    const content = file && (await readContent(dir, file, maxFileMb, report));
    if (content) files.push({ catalog, file, content, bytes: content.length, sha256: sha256(content) });
  }
  return files;
}

export function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

function chooseFile(catalog: CatalogName, names: string[], report: Report): string | undefined {
  const [file, second] = catalogFiles
    .filter(candidate => candidate.catalog === catalog && names.includes(candidate.file))
    .map(candidate => candidate.file);
  if (file && second) {
    report({ file: second }, 'TWO_FILES', `${file} is there as well: delete one of the two`, { file });
  } else if (!file && catalogs[catalog].required) {
    const missing = `there is neither ${catalog}.json nor ${catalog}.csv: add one`;
    report({ file: `${catalog}.json` }, 'MISSING_FILE', missing);
  }
  return second ? undefined : file;
}

async function readContent(
  dir: string,
  file: string,
  maxFileMb: number,
  report: Report,
): Promise<Buffer | undefined> {
  const path = join(dir, file);
  try {
    const stats = await stat(path);
    // A pipe of this name would keep its reader waiting for ever.
    if (!stats.isFile()) throw new Error('it is no regular file');
    if (stats.size <= maxFileMb * BYTES_PER_MB) return await readFile(path);
    const size = Math.ceil(stats.size / BYTES_PER_MB);
    const message = `the file has ${size} MB, and ${maxFileMb} are allowed: make it smaller, or set MAX_FILE_MB`;
    report({ file }, 'FILE_TOO_BIG', message);
  } catch (error) {
    report({ file }, 'UNREADABLE_FILE', `the file cannot be read: ${(error as Error).message}`);
  }
  return undefined;
}
