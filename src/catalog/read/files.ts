import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type CatalogName, catalogFiles, catalogNames, catalogs } from '../../contract/columns.ts';
import { reasonOf } from '../../messages.ts';
import type { Reporter } from '../problems/problems.ts';

/** Identifies the content of a file. */
export interface FileDigest {
  file: string;
  bytes: number;
  /** In hexadecimal. */
  sha256: string;
}

/** A catalog file with its bytes. */
export interface CatalogFile extends FileDigest {
  catalog: CatalogName;
  /** Emptied once the file is decoded. */
  content: Buffer;
}

const BYTES_PER_MB = 1024 * 1024;

/**
 * Reads the catalog files of a directory. Ignores files whose name is not exactly that of a catalog, such as `news.json`
 * or `news.csv`. Reports catalogs that are missing or ambiguous, and files that are unreadable or larger than `maxFileMb`.
 */
export async function readFiles(dir: string, maxFileMb: number, report: Reporter): Promise<CatalogFile[]> {
  const files: CatalogFile[] = [];
  const names = await readdir(dir).catch(error => {
    const message = `cannot read the catalog directory (${reasonOf(error)}): check CATALOG_DIR`;
    report({ file: dir }, 'NO_DIRECTORY', message);
  });
  if (!names) return files;
  const present = catalogNames.filter(catalog => filesOf(catalog, names).length > 0);
  if (present.length === 0) {
    const message = 'the directory has no catalog files: add one, such as products.csv or news.json';
    report({ file: dir }, 'MISSING_FILE', message);
  }
  for (const catalog of catalogNames) {
    const file = chooseFile(catalog, names, present, report);
    const content = file && (await readContent(dir, file, maxFileMb, report));
    if (content) files.push({ catalog, file, content, bytes: content.length, sha256: sha256(content) });
  }
  return files;
}

export function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

/** In milliseconds. */
const LIST_TIMEOUT_MS = 2000;

/**
 * The files in the images directory: none if it does not exist, since a site may have no images; undefined if it does
 * not respond, such as a network mount whose server is gone.
 */
export async function imageNames(dir: string): Promise<ReadonlySet<string> | undefined> {
  const listing = readdir(dir).catch(() => []);
  const names = await Promise.race([listing, delay(LIST_TIMEOUT_MS, undefined, { ref: false })]);
  return names && new Set(names);
}

function filesOf(catalog: CatalogName, names: readonly string[]): string[] {
  return catalogFiles
    .filter(candidate => candidate.catalog === catalog && names.includes(candidate.file))
    .map(candidate => candidate.file);
}

function chooseFile(
  catalog: CatalogName,
  names: readonly string[],
  present: readonly CatalogName[],
  report: Reporter,
): string | undefined {
  const [file, second] = filesOf(catalog, names);
  const [user] = catalogs[catalog].neededBy.filter(name => present.includes(name));
  if (file && second) {
    report({ file: second }, 'TWO_FILES', `${file} exists too: delete one of the two`, { file });
  } else if (!file && user) {
    const message = `this file is missing, but ${user} refer to it: add ${catalog}.csv or ${catalog}.json`;
    report({ file: `${catalog}.json` }, 'MISSING_FILE', message);
  }
  return second ? undefined : file;
}

async function readContent(
  dir: string,
  file: string,
  maxFileMb: number,
  report: Reporter,
): Promise<Buffer | undefined> {
  const path = join(dir, file);
  try {
    const stats = await stat(path);
    // Reading a named pipe could block forever.
    if (!stats.isFile()) throw new Error('not a regular file');
    if (stats.size <= maxFileMb * BYTES_PER_MB) return await readFile(path);
    const size = Math.ceil(stats.size / BYTES_PER_MB);
    const message = `the file has ${size} MB, but only ${maxFileMb} MB are allowed: make it smaller, or ask your administrator to raise MAX_FILE_MB`;
    report({ file }, 'FILE_TOO_BIG', message);
  } catch (error) {
    const message = `cannot read the file (${reasonOf(error)}): check what it is, and its permissions`;
    report({ file }, 'UNREADABLE_FILE', message);
  }
  return undefined;
}
