import { isMarkdownPath, isWorkbook, MARKDOWN_FILES, markdownPath } from '../contract/catalog-files.ts';
import type { FileContent, FileDigest } from '../formats/formats.ts';
import { unbundle } from '../formats/markdown/bundle.ts';

/** How long a set that may be incomplete must lie still, in milliseconds: longer than writers usually pause. */
export const STILL_MS = 6_000;

interface FileEnd {
  file: string;
  bytes: number;
  isProper: boolean;
}

/** The rows of a catalog whose files are not the served ones. */
export interface ChangedRows {
  files: readonly string[];
  /** Whether a file is gone that had it. */
  isGone: boolean;
  /** The served rows, in the order of their file; undefined if they are not known any more. */
  served: readonly (number | string)[] | undefined;
  next: readonly (number | string)[];
}

export interface ChangedFiles {
  /** How its files end; each Markdown file for itself. */
  ends: readonly FileEnd[];
  served: readonly FileDigest[];
  /** None if the set has errors, since then no row of it is served. */
  catalogs: readonly ChangedRows[];
  /** Whether it has been found incomplete, and has changed since. */
  isBeingWritten: boolean;
}

/**
 * How long a set must lie still before it is served, in milliseconds: 0, or {@link STILL_MS} if somebody may still be writing
 * it. A writer that pauses leaves the beginning of a file, a beginning over the rest of the old one, or some files of a folder.
 */
export function stillMsOf({ ends, served, catalogs, isBeingWritten }: ChangedFiles): number {
  const bytesBefore = new Map(served.map(({ file, bytes }) => [file, bytes]));
  // Any beginning of a Markdown file is one with the same row.
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
 * How a file ends: properly if with a line break (two bytes in UTF-16) for CSV and Markdown, the closing bracket for JSON, the
 * directory for workbooks. Markdown files are saved one by one.
 */
export function endsOf({ file, content }: Pick<FileContent, 'file' | 'content'>): FileEnd[] {
  if (file === MARKDOWN_FILES)
    return unbundle(content).flatMap(({ name, content }) => endsOf({ file: markdownPath(name), content }));
  return [{ file, bytes: content.length, isProper: hasEnd(file, content) }];
}

function hasEnd(file: string, content: Buffer): boolean {
  // The directory of a ZIP archive is a record of 22 bytes, which ends with the length of the comment after it.
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

/** Whether served rows are missing, in files that can be whole ones without them. */
function lacksRows({ files, isGone, served, next }: ChangedRows): boolean {
  if (!isGone && !files.some(endsAnywhere)) return false;
  const present = new Set(next);
  return !served?.every(key => present.has(key));
}

/**
 * Whether the missing rows of a CSV file are deleted ones: it has the row that was the last one, and the others before it, as
 * they were sorted. In a file that is sorted anew, they may follow.
 */
function areDeleted({ files: [file, ...others], isGone, served, next }: ChangedRows): boolean {
  if (!served || isGone || !file?.endsWith('.csv') || others.length > 0) return false;
  const [known, present] = [new Set(served), new Set(next)];
  const [left, found] = [served.filter(key => present.has(key)), next.filter(key => known.has(key))];
  return left.at(-1) === served.at(-1) && left.every((key, index) => key === found[index]);
}
