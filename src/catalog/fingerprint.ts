import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { catalogFiles } from './schemas.ts';

/** What the system says of the catalog files of a directory, without a look into them. */
export interface Fingerprint {
  /** Another one after every change: a write, a rename, a swapped link, a lost directory. */
  key: string;
  /** When the last of the files was changed, in milliseconds since 1970. */
  changedAt: number;
  /** The bytes of each file, by device and inode. */
  sizes: ReadonlyMap<string, number>;
}

const NOTHING = { changedAt: 0, sizes: new Map<string, number>() };

/**
 * Takes the fingerprint of the catalog files, by path, so that it does not matter how they came there: name, device,
 * inode, size, and the times of the last write and of the last change in nanoseconds, which no program can set back.
 */
export async function fingerprint(dir: string): Promise<Fingerprint> {
  const names = await readdir(dir).catch(errorCode);
  if (typeof names === 'string') return { key: names, ...NOTHING };
  const files = await Promise.all(
    catalogFiles.filter(({ file }) => names.includes(file)).map(({ file }) => fileFingerprint(dir, file)),
  );
  return {
    key: files.map(({ key }) => key).join('\n'),
    changedAt: Math.max(0, ...files.map(({ changedAt }) => changedAt)),
    sizes: new Map(files.flatMap(({ sizes }) => [...sizes])),
  };
}

async function fileFingerprint(dir: string, file: string): Promise<Fingerprint> {
  const stats = await stat(join(dir, file), { bigint: true }).catch(errorCode);
  if (typeof stats === 'string') return { key: `${file} ${stats}`, ...NOTHING };
  const { dev, ino, size, mtimeNs, ctimeNs, ctimeMs } = stats;
  return {
    key: [file, dev, ino, size, mtimeNs, ctimeNs].join(' '),
    changedAt: Number(ctimeMs),
    sizes: new Map([[`${dev} ${ino}`, Number(size)]]),
  };
}

function errorCode(error: NodeJS.ErrnoException): string {
  return error.code ?? error.message;
}
