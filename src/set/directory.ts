import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import {
  catalogFileNames,
  imageFileNames,
  imageType,
  isMarkdownName,
  isMarkdownPath,
  MARKDOWN_FOLDER,
  markdownPath,
} from '../contract/catalog-files.ts';
import type { Reporter } from '../contract/problems.ts';
import { type Fs, systemFs, unlessAbsent, unlessMissing } from '../files/atomic-write.ts';
import { LFS_POINTER, POINTER } from '../formats/decode.ts';
import { reasonOf } from '../messages.ts';
import type { Settings } from '../settings/settings.ts';
import { candidatesIn } from './look-alikes.ts';

/** A directory of catalog files: on disk, in the history, or in memory. */
export interface Directory {
  name: string;
  /** The maximum size of a file, and of all Markdown files together. */
  maxFileMb: number;
  /**
   * Returns the paths of the files in it, in its Markdown folder, and up to two folders deeper. Undefined, and reported, if the
   * directory cannot be read. Also reports a Markdown folder that cannot be read.
   */
  list(report: Reporter): Promise<readonly string[] | undefined>;
  /** Returns the first 64 kB of a file; undefined if it cannot be read. */
  peek(file: string): Promise<Buffer | undefined>;
  /** Returns the bytes of a file; undefined, and reported, if it cannot be read or is too big. */
  read(file: string, report: Reporter): Promise<Buffer | undefined>;
  /** Returns the images; undefined if they are not known, so that none counts as missing. */
  images(): Promise<ImageFiles | undefined>;
}

export interface ImageFiles {
  names: ReadonlySet<string>;
  /** Returns the bytes of a file up to 1 kB; undefined for larger ones, and if it cannot be read. */
  readSmall(name: string): Promise<Buffer | undefined>;
}

/** Files up to this size may not be images, and are checked. */
const SMALL_BYTES = 1024;
const PEEKED_BYTES = 2 ** 16;

function tooBig(bytes: number, maxFileMb: number): string | undefined {
  if (bytes <= maxFileMb * 2 ** 20) return undefined;
  return `the file has ${Math.ceil(bytes / 2 ** 20)} MB, but only ${maxFileMb} MB are allowed: make it smaller, or ask your administrator to raise MAX_FILE_MB`;
}

/** Opens files in memory, by paths such as `news.csv` or `news/7-open.md`. */
export function memoryDirectory(
  name: string,
  files: ReadonlyMap<string, Buffer>,
  images: Directory['images'],
): Directory {
  return {
    name,
    maxFileMb: Number.POSITIVE_INFINITY,
    list: async () => [...files.keys()],
    peek: async file => files.get(file)?.subarray(0, PEEKED_BYTES),
    read: async file => files.get(file),
    images,
  };
}

/** A file of a check: the path in the form, and the content, if it was sent. */
export interface SentFile {
  path: string;
  bytes: number;
  content: Buffer | undefined;
}

/**
 * Overlays a directory with files, by their paths; with only these files if they are `isComplete`. Images are overlaid
 * likewise. `read` has the files that were used; all others have no effect on the set.
 */
export function withFiles(directory: Directory, files: ReadonlyMap<string, SentFile>, isComplete: boolean) {
  const read = new Set<SentFile>();
  const images = new Map<string, SentFile>();
  for (const [path, file] of files) if (imageType(path)) images.set(basename(path), file);
  const overlay: Directory = {
    ...directory,
    async list(report) {
      const paths = isComplete ? [] : await directory.list(report);
      return paths && [...new Set([...paths, ...files.keys()])].filter(isListed).sort();
    },
    async peek(path) {
      const file = files.get(path);
      return file || isComplete ? file?.content?.subarray(0, PEEKED_BYTES) : directory.peek(path);
    },
    async read(path, report) {
      const file = files.get(path);
      if (!file) return directory.read(path, report);
      read.add(file);
      const message = tooBig(file.bytes, directory.maxFileMb);
      if (message !== undefined) report({ file: path }, 'FILE_TOO_BIG', message);
      else if (!file.content)
        report({ file: path }, 'UNREADABLE_FILE', 'only the name of this file was sent: send its content');
      return message === undefined ? file.content : undefined;
    },
    async images() {
      const others = await directory.images();
      const readSmallOne = async (name: string) => {
        const file = images.get(name);
        if (!file) return others?.readSmall(name);
        read.add(file);
        return file.bytes < SMALL_BYTES ? file.content : undefined;
      };
      return others && { names: new Set([...others.names, ...images.keys()]), readSmall: readSmallOne };
    },
  };
  return { directory: overlay, read: read as ReadonlySet<SentFile> };
}

function isListed(path: string): boolean {
  const folders = path.split('/').slice(isMarkdownPath(path) ? 1 : 0, -1);
  return folders.length <= FOLDERS_DEEP && !folders.some(folder => /^[._]/.test(folder));
}

export type SystemPaths = Pick<Settings, 'catalogDir' | 'imagesDir' | 'maxFileMb'>;

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
      const stats = await stat(join(path, file)).catch(() => undefined);
      // Reading a named pipe could block forever.
      if (!stats?.isFile()) return undefined;
      return buffer(createReadStream(join(path, file), { end: PEEKED_BYTES - 1 })).catch(() => undefined);
    },
    async read(file, report) {
      try {
        const stats = await stat(join(path, file));
        const message = tooBig(stats.size, maxFileMb);
        const notFile =
          'this is a folder, a pipe or a device: rename or move it, and put the file here under this name';
        // Reading a named pipe could block forever.
        if (!stats.isFile()) report({ file }, 'UNREADABLE_FILE', notFile);
        else if (message !== undefined) report({ file }, 'FILE_TOO_BIG', message);
        else return await readFile(join(path, file));
      } catch (error) {
        const fault = error as NodeJS.ErrnoException;
        if (fault.code !== 'ENOENT' || !file.includes('\ufffd'))
          report({ file }, 'UNREADABLE_FILE', fileError(fault));
        else report({ file }, 'NOT_READ', 'the name of this file is not valid UTF-8: rename it');
      }
      return undefined;
    },
    images: () => imageFiles(imagesDir),
  };
}

/** Lists the Markdown folder; empty if there is none. @throws if it cannot be read. */
async function markdownFolder(dir: string, fs: Pick<Fs, 'readdir'> = systemFs): Promise<string[]> {
  return (await fs.readdir(join(dir, MARKDOWN_FOLDER)).catch(unlessAbsent)) ?? [];
}

const FOLDERS_DEEP = 2;

/** Lists files in subfolders, except the Markdown folder and names that begin with `.` or `_`. */
async function filesInFolders(dir: string, path: string, depth = 0, found: string[] = []): Promise<string[]> {
  const entries = await readdir(join(dir, path), { withFileTypes: true }).catch(() => []);
  for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
    const file = path + entry.name;
    if (/^[._]/.test(entry.name) || file === MARKDOWN_FOLDER) continue;
    const target = entry.isSymbolicLink() ? await stat(join(dir, file)).catch(() => entry) : entry;
    if (!target.isDirectory()) found.push(...(depth > 0 ? [file] : []));
    else if (depth < FOLDERS_DEEP) await filesInFolders(dir, `${file}/`, depth + 1, found);
  }
  return found;
}

/** Says, to editors and without a path, why a catalog file cannot be read and what to do. */
export function fileError(error: NodeJS.ErrnoException): string {
  const { code = '' } = error;
  if (code === 'EBUSY') return 'another program has locked this file: close the file there';
  if (['ENOENT', 'ELOOP', 'ENAMETOOLONG', 'ENOTDIR'].includes(code))
    return 'this is a link to a file that does not exist: delete the link, and put the file itself here';
  return accessError(error, 'file', 'save it again, or ask your administrator to check it');
}

/** The same for the catalog directory. */
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

export type Fingerprint = Awaited<ReturnType<typeof fingerprint>>;

/**
 * Takes the fingerprint of the catalog files: name, device, inode, size, mtime and ctime in nanoseconds (no program can set
 * back the ctime); of files that only look like catalogs, the names. `key` differs after every change: a write, a rename, a
 * swapped link, a lost directory. `changedAt` is when a file last changed, in milliseconds since 1970.
 */
export async function fingerprint(dir: string, fs: Pick<Fs, 'readdir' | 'stat'> = systemFs) {
  const names = await fs.readdir(dir).catch(errorName);
  if (typeof names === 'string') return { key: names, changedAt: 0, fileCount: 0 };
  const inFolder = names.includes(MARKDOWN_FOLDER) ? await markdownFolder(dir, fs).catch(errorName) : [];
  const [texts, fault] = typeof inFolder === 'string' ? [[], inFolder] : [inFolder, ''];
  const watched = [
    ...[...catalogFileNames].filter(file => names.includes(file)),
    ...texts.flatMap(name => [name, `${name}/index.md`].find(isMarkdownName) ?? []).map(markdownPath),
  ];
  const keys: string[] = [];
  let changedAt = 0;
  // One at a time, so that a mount that does not answer blocks only one thread of libuv.
  for (const file of watched) {
    const stats = await fs.stat(join(dir, file), { bigint: true }).catch(errorName);
    if (typeof stats === 'string') {
      keys.push(`${file} ${stats}`);
    } else {
      const { dev, ino, size, mtimeNs, ctimeNs, ctimeMs } = stats;
      keys.push([file, dev, ino, size, mtimeNs, ctimeNs].join(' '));
      changedAt = Math.max(changedAt, Number(ctimeMs));
    }
  }
  const key = [...keys, ...candidatesIn(names, texts), fault].join('\n');
  return { key, changedAt, fileCount: watched.length };
}

function errorName(error: NodeJS.ErrnoException): string {
  return error.code ?? error.message;
}

export interface ImageListing {
  names: ReadonlySet<string>;
  /** Differs after an image was added, removed or renamed, and after the directory was replaced or its mode changed. */
  state: string;
}

/**
 * Lists the images directory: empty if it does not exist, since a site may have no images; undefined if it cannot be read or
 * does not respond, such as a network mount whose server is gone.
 */
export async function imageFiles(
  dir: string,
  look = listChanged,
  timeoutMs = 2000,
): Promise<ImageFiles | undefined> {
  const timeout = delay(timeoutMs, undefined, { ref: false });
  const listing = await Promise.race([look(dir, undefined).catch(() => undefined), timeout]);
  return listing && { names: listing.names, readSmall: name => readSmall(join(dir, name)) };
}

/** Says what a file is instead of an image, and what to do; undefined if it seems to be an image. */
export async function imageFault(image: string, { names, readSmall }: ImageFiles) {
  const file = imageFileNames(image).find(name => names.has(name));
  const content = file === undefined ? undefined : await readSmall(file);
  if (content?.length === 0) return 'empty: put the image there again';
  return content && LFS_POINTER.test(content.toString()) ? POINTER : undefined;
}

async function readSmall(path: string): Promise<Buffer | undefined> {
  const stats = await stat(path).catch(() => undefined);
  return stats?.isFile() && stats.size < SMALL_BYTES ? readFile(path).catch(() => undefined) : undefined;
}

/** Lists the images directory, unless it is still in this state. May never resolve. @throws Error if it cannot be read. */
export async function listChanged(
  dir: string,
  lastState: string | undefined,
  fs: Pick<Fs, 'readdir' | 'stat'> = systemFs,
): Promise<ImageListing | undefined> {
  const stats = await fs.stat(dir, { bigint: true }).catch(unlessMissing);
  const state = stats ? [stats.dev, stats.ino, stats.ctimeNs].join(' ') : '';
  if (state === lastState) return undefined;
  return { state, names: new Set(stats && (await fs.readdir(dir))) };
}
