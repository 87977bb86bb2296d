import type { Fs } from './atomic-write.ts';

/** The last bytes of a disk are for read counts: this many, or this part of the disk if that is less. */
const RESERVED_BYTES = 32 * 2 ** 20;
const RESERVED_PART = 0.1;

/**
 * Whether a directory's disk has room for so many bytes besides what read counts need. Ask before writing anything that the
 * service can do without. A disk that does not say how full it is has room.
 */
export async function hasRoom(fs: Pick<Fs, 'statfs'>, dir: string, bytes: number): Promise<boolean> {
  const stats = await fs.statfs(dir).catch(() => undefined);
  if (!stats) return true;
  const { bsize, blocks, bavail } = stats;
  return bavail * bsize - bytes >= Math.min(RESERVED_BYTES, blocks * bsize * RESERVED_PART);
}
