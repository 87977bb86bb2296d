import type { DiskStats, Fs } from './atomic-write.ts';

/** What is left of a disk is for read counts from here on: this many bytes, or this part of the disk if that is less. */
const RESERVED_BYTES = 32 * 2 ** 20;
const RESERVED_PART = 0.1;

/**
 * Whether so many bytes can be written to the disk of a directory, and still leave what read counts need there. Whatever
 * the service can do without asks first. A disk that does not say how full it is has room.
 */
export async function hasRoom(fs: Pick<Fs, 'statfs'>, dir: string, bytes: number): Promise<boolean> {
  const stats = await fs.statfs(dir).catch(() => undefined);
  return stats === undefined || leavesRoom(stats, bytes);
}

/** Whether a disk has room for so many bytes and for read counts. */
export function leavesRoom({ bsize, blocks, bavail }: DiskStats, bytes: number): boolean {
  return bavail * bsize - bytes >= Math.min(RESERVED_BYTES, blocks * bsize * RESERVED_PART);
}
