import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { catalogFileNames } from '../../contract/catalog-files.ts';
import { findLookAlikes } from '../read/directory/look-alikes.ts';

/** What the file system says about the catalog files of a directory, without reading them. */
export interface Fingerprint {
  /** Differs after every change: a write, a rename, a swapped link, a lost directory. */
  key: string;
  /** When a file last changed, in milliseconds since 1970. */
  changedAt: number;
}

/**
 * Takes the fingerprint of the catalog files by their paths: name, device, inode, size, mtime and ctime in nanoseconds.
 * No program can set back the ctime. Of files that only look like catalogs, it takes the names.
 */
export async function fingerprint(dir: string): Promise<Fingerprint> {
  const names = await readdir(dir).catch(errorCode);
  if (typeof names === 'string') return { key: names, changedAt: 0 };
  const files: Fingerprint[] = [];
  // One at a time: a mount that does not answer then blocks one thread of libuv's pool, not all.
  for (const file of catalogFileNames) if (names.includes(file)) files.push(await fileFingerprint(dir, file));
  const lookAlikes = findLookAlikes(names).map(({ file }) => file);
  return {
    key: [...files.map(({ key }) => key), ...lookAlikes].join('\n'),
    changedAt: Math.max(0, ...files.map(({ changedAt }) => changedAt)),
  };
}

async function fileFingerprint(dir: string, file: string): Promise<Fingerprint> {
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
