import { type CatalogFile, type FileDigest, sha256 } from '../read/files.ts';
import type { Fingerprint } from './fingerprint.ts';

/** How long a file without a proper end must be stable, in milliseconds. */
const NO_END_MS = 2_000;
/** How long a growing file must be stable, in milliseconds: longer than uploads usually stall. */
const GROWING_MS = 6_000;
/** A copy in steps hardly ever pauses for this many times the pause before. */
const PAUSE_FACTOR = 5;

/**
 * How long files must be stable before they count as complete, in milliseconds; 0 if nothing suggests otherwise.
 * `refused` are the files of the last set with errors.
 */
export function requiredStillMs(files: readonly CatalogFile[], refused: readonly FileDigest[]): number {
  if (files.some(file => hasGrown(file, refused))) return GROWING_MS;
  return files.every(hasEnd) ? 0 : NO_END_MS;
}

/**
 * How long files must be stable after this change before they count as complete, in milliseconds; 0 if none of them has
 * grown in place, as in a slow copy.
 */
export function growingMs(before: Fingerprint, after: Fingerprint): number {
  const isGrowing = [...after.sizes].some(([inode, bytes]) => {
    const bytesBefore = before.sizes.get(inode) ?? 0;
    return bytesBefore > 0 && bytesBefore < bytes;
  });
  return isGrowing ? Math.min(GROWING_MS, PAUSE_FACTOR * (after.changedAt - before.changedAt)) : 0;
}

/** Whether the file begins with a refused one, as the next step of a slow copy does. */
function hasGrown({ file, content }: CatalogFile, refused: readonly FileDigest[]): boolean {
  const before = refused.find(digest => digest.file === file);
  if (!before || before.bytes === 0 || before.bytes >= content.length) return false;
  return sha256(content.subarray(0, before.bytes)) === before.sha256;
}

/** Whether the file has a proper end: a line end for CSV (two bytes in UTF-16), the closing bracket for JSON. */
function hasEnd({ file, content }: CatalogFile): boolean {
  const end = content.toString('latin1', content.length - 64);
  return file.endsWith('.csv') ? /[\r\n]\0?$/.test(end) : /\]\0?[\s\0]*$/.test(end);
}
