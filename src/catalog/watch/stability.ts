import { type CatalogFile, type FileDigest, sha256 } from '../read/files.ts';

/** How long a file that may be incomplete must lie still before it is believed, in ms: longer than uploads usually stall. */
export const STILL_MS = 6_000;

/**
 * Whether all files are believed at once: JSON if its array is closed; CSV if it ends with a line end, and does not
 * continue a `doubted` file, as the next step of a slow copy does.
 */
export function areWhole(files: readonly CatalogFile[], doubted: readonly FileDigest[]): boolean {
  return files.every(file => hasEnd(file) && (file.file.endsWith('.json') || !continues(file, doubted)));
}

/** Whether a file has a proper end: a line end for CSV (two bytes in UTF-16), the closing bracket for JSON. */
function hasEnd({ file, content }: CatalogFile): boolean {
  const end = content.toString('latin1', Math.max(0, content.length - 64));
  return file.endsWith('.csv') ? /[\r\n]\0?$/.test(end) : /\]\0?[\s\0]*$/.test(end);
}

/** Whether a file begins with one that was read before, and is longer. */
function continues({ file, content }: CatalogFile, doubted: readonly FileDigest[]): boolean {
  return doubted.some(
    before =>
      before.file === file &&
      before.bytes > 0 &&
      before.bytes < content.length &&
      sha256(content.subarray(0, before.bytes)) === before.sha256,
  );
}
