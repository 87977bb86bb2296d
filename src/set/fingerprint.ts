import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  catalogFileNames,
  isMarkdownName,
  MARKDOWN_FOLDER,
  markdownPath,
} from '../contract/catalog-files.ts';
import { findLookAlikes } from './look-alikes.ts';
import { markdownFolder } from './system-directory.ts';

/** What the file system says about the catalog files of a directory, without reading them. */
export interface Fingerprint {
  /** Differs after every change: a write, a rename, a swapped link, a lost directory. */
  key: string;
  /** When a file last changed, in milliseconds since 1970. */
  changedAt: number;
  /** How many files were looked at. */
  fileCount: number;
}

/**
 * Takes the fingerprint of the catalog files by their paths: name, device, inode, size, mtime and ctime in nanoseconds.
 * No program can set back the ctime. Of files that only look like catalogs, it takes the names.
 */
export async function fingerprint(dir: string): Promise<Fingerprint> {
  const names = await readdir(dir).catch(errorCode);
  if (typeof names === 'string') return { key: names, changedAt: 0, fileCount: 0 };
  const inFolder = names.includes(MARKDOWN_FOLDER) ? await markdownFolder(dir).catch(errorCode) : [];
  const [texts, fault] = typeof inFolder === 'string' ? [[], inFolder] : [inFolder, ''];
  const watched = [
    ...[...catalogFileNames].filter(file => names.includes(file)),
    ...texts.filter(isMarkdownName).map(markdownPath),
  ];
  const files: FilePrint[] = [];
  // One at a time: a mount that does not answer then blocks one thread of libuv's pool, not all.
  for (const file of watched) files.push(await fileFingerprint(dir, file));
  const lookAlikes = findLookAlikes(names, texts).map(({ file }) => file);
  return {
    key: [...files.map(({ key }) => key), ...lookAlikes, fault].join('\n'),
    changedAt: files.reduce((latest, { changedAt }) => Math.max(latest, changedAt), 0),
    fileCount: files.length,
  };
}

/** What the file system says about one file. */
type FilePrint = Omit<Fingerprint, 'fileCount'>;

async function fileFingerprint(dir: string, file: string): Promise<FilePrint> {
  const stats = await stat(join(dir, file), { bigint: true }).catch(errorCode);
  if (typeof stats === 'string') return { key: `${file} ${stats}`, changedAt: 0 };
  const { dev, ino, size, mtimeNs, ctimeNs, ctimeMs } = stats;
  return {
    key: [file, dev, ino, size, mtimeNs, ctimeNs].join(' '),
    changedAt: Number(ctimeMs),
  };
}

function errorCode(error: NodeJS.ErrnoException): string {
  return error.code ?? error.message;
}
