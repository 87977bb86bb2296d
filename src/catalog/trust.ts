import type { Fingerprint } from './fingerprint.ts';
import { type CatalogFile, type Digest, sha256 } from './read.ts';

const NO_END_MS = 2_000;
/** Longer than an upload stalls as a rule. */
const GROWING_MS = 6_000;
/** A copy that goes on in steps hardly ever stalls for so many times as long as between two of them. */
const TIMES_PAUSE = 5;

/**
 * For how many milliseconds files must have lain still before they are believed to be whole: 0 where nothing speaks
 * against it. `refused` are the files of the last set that had an error.
 */
export function distrustMs(files: readonly CatalogFile[], refused: readonly Digest[]): number {
  if (files.some(file => hasGrown(file, refused))) return GROWING_MS;
  return files.every(hasEnd) ? 0 : NO_END_MS;
}

/**
 * For how many milliseconds files must lie still after this change before they are believed to be whole: 0 where none of
 * them has grown in its place, as it does in a slow copy.
 */
export function growingMs(before: Fingerprint, after: Fingerprint): number {
  const isGrowing = [...after.sizes].some(([inode, bytes]) => {
    const bytesBefore = before.sizes.get(inode) ?? 0;
    return bytesBefore > 0 && bytesBefore < bytes;
  });
  return isGrowing ? Math.min(GROWING_MS, TIMES_PAUSE * (after.changedAt - before.changedAt)) : 0;
}

/** Whether the file continues one that was refused, as a slow copy does. */
function hasGrown({ file, content }: CatalogFile, refused: readonly Digest[]): boolean {
  const before = refused.find(digest => digest.file === file);
  if (!before || before.bytes === 0 || before.bytes >= content.length) return false;
  return sha256(content.subarray(0, before.bytes)) === before.sha256;
}

/** Whether the file ends as a whole one does: CSV with a line end (two bytes in UTF-16), JSON with its bracket. */
function hasEnd({ file, content }: CatalogFile): boolean {
  const end = content.toString('latin1', content.length - 64);
  return file.endsWith('.csv') ? /[\r\n]\0?$/.test(end) : /\]\0?[\s\0]*$/.test(end);
}
