import { isMarkdownPath, isWorkbook, MARKDOWN_FILES, markdownPath } from '../contract/catalog-files.ts';
import type { FileContent, FileDigest } from '../formats/formats.ts';
import { unbundle } from '../formats/markdown/bundle.ts';

/** How long a set that may be incomplete must be stable, in milliseconds: longer than writers usually pause. */
export const STILL_MS = 6_000;

interface FileEnd {
  file: string;
  bytes: number;
  isProper: boolean;
}

/** A catalog whose files differ from the served ones. */
export interface ChangedRows {
  files: readonly string[];
  /** Whether a file of the catalog is gone. */
  isGone: boolean;
  /** The served rows, in the order of their file; undefined if unknown. */
  served: readonly (number | string)[] | undefined;
  next: readonly (number | string)[];
}

export interface ChangedFiles {
  /** How the files end, each Markdown file separately. */
  ends: readonly FileEnd[];
  served: readonly FileDigest[];
  /** Empty if the set has errors, since then no row of it is served. */
  catalogs: readonly ChangedRows[];
  /** Whether the set was found incomplete and has changed since. */
  isBeingWritten: boolean;
}

/**
 * Returns how long a set must be stable before it is served, in milliseconds: 0, or {@link STILL_MS} if somebody may still be
 * writing. A writer that pauses leaves the beginning of a file, a beginning over the rest of the old one, or some of the files.
 */
export function stillMsOf({ ends, served, catalogs, isBeingWritten }: ChangedFiles): number {
  const bytesBefore = new Map(served.map(({ file, bytes }) => [file, bytes]));
  // Any beginning of a Markdown file is a valid file with the same row.
  const isBeginning = ({ file, bytes }: FileEnd) =>
    isMarkdownPath(file) && (isBeingWritten || bytes < (bytesBefore.get(file) ?? 0));
  const isOverwritten = ({ file, bytes }: FileEnd) => bytes === bytesBefore.get(file);
  const mayGrow = (rows: ChangedRows) =>
    lacksRows(rows) &&
    (isBeingWritten ||
      !areDeleted(rows) ||
      ends.some(end => rows.files.includes(end.file) && isOverwritten(end)));
  const isWhole = ends.every(end => end.isProper && !isBeginning(end)) && !catalogs.some(mayGrow);
  return isWhole ? 0 : STILL_MS;
}

/**
 * Says how a file ends: properly with a line break (two bytes in UTF-16) for CSV and Markdown, the closing bracket for JSON,
 * the directory for workbooks. Markdown files are listed separately.
 */
export function endsOf({ file, content }: Pick<FileContent, 'file' | 'content'>): FileEnd[] {
  if (file === MARKDOWN_FILES)
    return unbundle(content).flatMap(({ name, content }) => endsOf({ file: markdownPath(name), content }));
  return [{ file, bytes: content.length, isProper: hasEnd(file, content) }];
}

function hasEnd(file: string, content: Buffer): boolean {
  // The end record of a ZIP archive has 22 bytes, and ends with the length of the comment that follows.
  const start = isWorkbook(file) ? content.lastIndexOf('PK\x05\x06', undefined, 'latin1') : -1;
  if (start >= 0 && start + 22 <= content.length)
    return start + 22 + content.readUInt16LE(start + 20) === content.length;
  if (isWorkbook(file)) return false;
  const end = content.toString('latin1', Math.max(0, content.length - 64));
  return endsAnywhere(file) ? /[\r\n]\0?$/.test(end) : /\]\0?[\s\0]*$/.test(end);
}

function endsAnywhere(file: string): boolean {
  return file.endsWith('.csv') || isMarkdownPath(file);
}

/** Whether served rows are missing, though the files may be complete without them. */
function lacksRows({ files, isGone, served, next }: ChangedRows): boolean {
  if (!isGone && !files.some(endsAnywhere)) return false;
  const present = new Set(next);
  return !served?.every(key => present.has(key));
}

/**
 * Whether the missing rows of a CSV file were deleted: the row that was last is there, and the others in their old order before
 * it. In a reordered file, they may still follow.
 */
function areDeleted({ files: [file, ...others], isGone, served, next }: ChangedRows): boolean {
  if (!served || isGone || !file?.endsWith('.csv') || others.length > 0) return false;
  const [known, present] = [new Set(served), new Set(next)];
  const [left, found] = [served.filter(key => present.has(key)), next.filter(key => known.has(key))];
  return left.at(-1) === served.at(-1) && left.every((key, index) => key === found[index]);
}
