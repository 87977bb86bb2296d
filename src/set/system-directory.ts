import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import {
  catalogFileNames,
  isMarkdownName,
  MARKDOWN_FOLDER,
  markdownPath,
} from '../contract/catalog-files.ts';
import type { Reporter } from '../contract/problems.ts';
import { reasonOf } from '../messages.ts';
import { type Directory, PEEKED_BYTES, tooBig } from './directory.ts';
import { findLookAlikes } from './look-alikes.ts';

interface SystemPaths {
  catalogDir: string;
  imagesDir: string;
  maxFileMb: number;
}

export function systemDirectory({ catalogDir: path, imagesDir, maxFileMb }: SystemPaths): Directory {
  return {
    name: path,
    maxFileMb,
    async list(report) {
      const names = await readdir(path).catch(error =>
        report({ file: path }, 'NO_DIRECTORY', folderError(error)),
      );
      if (!names) return undefined;
      const texts = await markdownFolder(path).catch(error =>
        report({ file: MARKDOWN_FOLDER }, 'UNREADABLE_FILE', folderError(error)),
      );
      const deeper = [...(await filesInFolders(path, '')), ...(await filesInFolders(path, markdownPath('')))];
      return [...names, ...(texts ?? []).map(markdownPath), ...deeper];
    },
    async peek(file) {
      // Reading a named pipe could block forever.
      const isFile = await stat(join(path, file)).then(
        stats => stats.isFile(),
        () => false,
      );
      const beginning = isFile && createReadStream(join(path, file), { end: PEEKED_BYTES - 1 });
      return beginning ? buffer(beginning).catch(() => undefined) : undefined;
    },
    read: (file, report) => readContent(join(path, file), file, maxFileMb, report),
    images: () => imageNames(imagesDir),
  };
}

/** The names in the folder of Markdown files; none if there is no such folder. @throws if it cannot be read. */
async function markdownFolder(dir: string): Promise<string[]> {
  return readdir(join(dir, MARKDOWN_FOLDER)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
    return [];
  });
}

/** How many folders are listed, and how many files of each are known. */
const MAX_FOLDERS = 50;
const MAX_FILES = 500;

/** The paths of the files in the folders of a folder, except that of Markdown files and names that begin with `.` or `_`. */
async function filesInFolders(dir: string, path: string): Promise<string[]> {
  const entries = await readdir(join(dir, path), { withFileTypes: true }).catch(() => []);
  const folders = entries
    .filter(entry => entry.isDirectory() && !/^[._]/.test(entry.name))
    .map(({ name }) => `${path}${name}/`)
    .filter(folder => folder !== markdownPath(''))
    .sort();
  const files: string[] = [];
  for (const folder of folders.slice(0, MAX_FOLDERS)) {
    const names = (await readdir(join(dir, folder)).catch(() => [])).sort();
    files.push(...names.slice(0, MAX_FILES).map(name => folder + name));
  }
  return files;
}

async function readContent(
  path: string,
  file: string,
  maxFileMb: number,
  report: Reporter,
): Promise<Buffer | undefined> {
  try {
    const stats = await stat(path);
    const message = tooBig(stats.size, maxFileMb);
    // Reading a named pipe could block forever.
    if (!stats.isFile()) report({ file }, 'UNREADABLE_FILE', NOT_A_FILE);
    else if (message !== undefined) report({ file }, 'FILE_TOO_BIG', message);
    else return await readFile(path);
  } catch (error) {
    report({ file }, 'UNREADABLE_FILE', fileError(error as NodeJS.ErrnoException));
  }
  return undefined;
}

const NOT_A_FILE =
  'this is a folder, a pipe or a device: rename or move it, and put the file here under this name';

/** What is wrong and what to do if the system cannot read a catalog file, for editors and without a path. */
export function fileError(error: NodeJS.ErrnoException): string {
  const { code = '' } = error;
  if (code === 'EBUSY') return 'another program has locked this file: close the file there';
  if (['ENOENT', 'ELOOP', 'ENAMETOOLONG', 'ENOTDIR'].includes(code))
    return 'this is a link to a file that does not exist: delete the link, and put the file itself here';
  return accessError(error, 'file', 'save it again, or ask your administrator to check it');
}

/** The same for the folder of the catalog files. */
export function folderError(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT')
    return 'this folder does not exist: create it, or ask your administrator to correct CATALOG_DIR';
  if (error.code === 'ENOTDIR')
    return 'this is not a folder: only your administrator can correct CATALOG_DIR';
  return accessError(error, 'folder', 'ask your administrator to check it');
}

function accessError(error: NodeJS.ErrnoException, what: 'file' | 'folder', remedy: string): string {
  const { code = '' } = error;
  if (code === 'EACCES' || code === 'EPERM')
    return `the service is not permitted to read this ${what}: only your administrator can change its permissions`;
  if (/^E(?:STALE|TIMEDOUT|NOTCONN|HOSTDOWN|HOSTUNREACH)$/.test(code))
    return 'the network drive does not answer: only your administrator can reconnect it';
  if (code === 'EMFILE' || code === 'ENFILE')
    return 'the service cannot open any more files: only your administrator can change that';
  return `this ${what} cannot be read (${reasonOf(error)}): ${remedy}`;
}

/** What the file system says about the catalog files of a directory, without reading them. */
export interface Fingerprint {
  /** Differs after every change: a write, a rename, a swapped link, a lost directory. */
  key: string;
  /** When a file last changed, in milliseconds since 1970. */
  changedAt: number;
  fileCount: number;
}

/**
 * Takes the fingerprint of the catalog files by their paths: name, device, inode, size, mtime and ctime in nanoseconds.
 * No program can set back the ctime. Of files that only look like catalogs, it takes the names.
 */
export async function fingerprint(dir: string): Promise<Fingerprint> {
  const names = await readdir(dir).catch(errorName);
  if (typeof names === 'string') return { key: names, changedAt: 0, fileCount: 0 };
  const inFolder = names.includes(MARKDOWN_FOLDER) ? await markdownFolder(dir).catch(errorName) : [];
  const [texts, fault] = typeof inFolder === 'string' ? [[], inFolder] : [inFolder, ''];
  const watched = [
    ...[...catalogFileNames].filter(file => names.includes(file)),
    ...texts.filter(isMarkdownName).map(markdownPath),
  ];
  const keys: string[] = [];
  let changedAt = 0;
  // One at a time: a mount that does not answer then blocks one thread of libuv's pool, not all.
  for (const file of watched) {
    const stats = await stat(join(dir, file), { bigint: true }).catch(errorName);
    if (typeof stats === 'string') {
      keys.push(`${file} ${stats}`);
    } else {
      const { dev, ino, size, mtimeNs, ctimeNs, ctimeMs } = stats;
      keys.push([file, dev, ino, size, mtimeNs, ctimeNs].join(' '));
      changedAt = Math.max(changedAt, Number(ctimeMs));
    }
  }
  const lookAlikes = findLookAlikes(names, texts).map(({ file }) => file);
  return { key: [...keys, ...lookAlikes, fault].join('\n'), changedAt, fileCount: watched.length };
}

function errorName(error: NodeJS.ErrnoException): string {
  return error.code ?? error.message;
}

export interface ImageListing {
  names: ReadonlySet<string>;
  /** Differs after an image was added, removed or renamed, and after the directory was replaced. */
  state: string;
}

/**
 * The files in the images directory: none if it does not exist, since a site may have no images; undefined if it does
 * not respond, such as a network mount whose server is gone.
 */
export async function imageNames(
  dir: string,
  look = listChanged,
  timeoutMs = 2000,
): Promise<ReadonlySet<string> | undefined> {
  const timeout = delay(timeoutMs, undefined, { ref: false });
  return (await Promise.race([look(dir, undefined), timeout]))?.names;
}

/** Lists the images directory, unless it is still in this state. May never resolve. */
export async function listChanged(
  dir: string,
  lastState: string | undefined,
): Promise<ImageListing | undefined> {
  const stats = await stat(dir, { bigint: true }).catch((error: NodeJS.ErrnoException) => String(error.code));
  const state = typeof stats === 'string' ? stats : [stats.dev, stats.ino, stats.mtimeNs].join(' ');
  if (state === lastState) return undefined;
  return { state, names: new Set(await readdir(dir).catch(() => [])) };
}
