import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, readlink, realpath } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { Readable } from 'node:stream';
import type { ConcurrencyLimit } from './concurrency-limit.ts';

/** Opening a pipe does not wait for a writer, and a terminal does not become the controlling one. */
const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;
const CHUNK_BYTES = 64 * 1024;

export interface OpenFile {
  handle: FileHandle;
  stats: Stats;
}

/**
 * Opens a regular file that lies inside a directory, also through links within it. The check applies to the open file,
 * since its path may change at any moment. Linux shows the real path of an open file below `descriptors`. Elsewhere the
 * path is resolved, and has to lead to the same inode; defeating that takes two directory swaps between two system calls.
 * @throws Error if there is no such file.
 */
export async function openInside(
  dir: string,
  name: string,
  descriptors = '/proc/self/fd',
): Promise<OpenFile> {
  const realDir = await realpath(dir);
  const path = join(realDir, name);
  const handle = await open(path, FLAGS);
  try {
    const stats = await handle.stat();
    const link = join(descriptors, String(handle.fd));
    const realPath = await readlink(link).catch(() => resolveSame(path, stats));
    if (!stats.isFile() || !isInside(realDir, realPath)) throw new Error(`${path} is not a file in ${dir}`);
    return { handle, stats };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function resolveSame(path: string, { dev, ino }: Stats): Promise<string> {
  const realPath = await realpath(path);
  const found = await lstat(realPath);
  if (found.dev !== dev || found.ino !== ino) throw new Error(`${path} was replaced while it was opened`);
  return realPath;
}

function isInside(dir: string, path: string): boolean {
  const steps = relative(dir, path);
  return !isAbsolute(steps) && steps.split(sep)[0] !== '..';
}

/**
 * Streams a part of an open file, and closes the file with the stream. If the file gets shorter meanwhile, the stream
 * fails, so that no later bytes on the connection pass for the missing ones.
 */
export function streamPart(file: OpenFile, start: number, length: number, limit: ConcurrencyLimit): Readable {
  const stream = Readable.from(chunksOf(file.handle, start, start + length, limit), { objectMode: false });
  return stream.once('close', () => closeFile(file, limit));
}

/** Closes a file. Failures do not matter, since nothing was written. */
export function closeFile({ handle }: OpenFile, limit: ConcurrencyLimit): void {
  limit.run(() => handle.close()).catch(() => {});
}

async function* chunksOf(handle: FileHandle, start: number, end: number, limit: ConcurrencyLimit) {
  for (let at = start; at < end; ) {
    const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, end - at));
    const { bytesRead } = await limit.run(() => handle.read(buffer, 0, buffer.length, at));
    if (bytesRead === 0) throw new Error(`the image was truncated while it was sent: ${at} of ${end} bytes`);
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
  }
}
