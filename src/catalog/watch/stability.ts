import { isWorkbook } from '../../contract/catalog-files.ts';
import { type FileContent, type FileDigest, sha256 } from '../read/files.ts';

/** How long a file that may be incomplete must lie still before it is believed, in ms: longer than uploads usually stall. */
export const STILL_MS = 6_000;

/**
 * Whether all files are believed at once: JSON if its array is closed; a workbook if its directory is there; CSV if it ends
 * with a line end, and does not continue a `doubted` file, as the next step of a slow copy does.
 */
export function areWhole(files: readonly FileContent[], doubted: readonly FileDigest[]): boolean {
  return files.every(file => hasEnd(file) && (!file.file.endsWith('.csv') || !continues(file, doubted)));
}

/**
 * Whether a file has a proper end: a line end for CSV (two bytes in UTF-16), the closing bracket for JSON, the directory for
 * workbooks.
 */
function hasEnd({ file, content }: FileContent): boolean {
  if (isWorkbook(file)) return hasDirectory(content);
  const end = content.toString('latin1', Math.max(0, content.length - 64));
  return file.endsWith('.csv') ? /[\r\n]\0?$/.test(end) : /\]\0?[\s\0]*$/.test(end);
}

/** Whether a ZIP archive ends with its directory: a record of 22 bytes, which ends with the length of the comment after it. */
function hasDirectory(content: Buffer): boolean {
  const start = content.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  return (
    start !== -1 &&
    start + 22 <= content.length &&
    start + 22 + content.readUInt16LE(start + 20) === content.length
  );
}

/** Whether a file begins with one that was read before, and is longer. */
function continues({ file, content }: FileContent, doubted: readonly FileDigest[]): boolean {
  return doubted.some(
    before =>
      before.file === file &&
      before.bytes > 0 &&
      before.bytes < content.length &&
      sha256(content.subarray(0, before.bytes)) === before.sha256,
  );
}
