import { isMarkdownPath, isWorkbook, MARKDOWN_FILES, markdownPath } from '../../contract/catalog-files.ts';
import { type FileContent, type FileDigest, sha256 } from '../read/files.ts';
import { unbundle } from '../read/markdown/bundle.ts';

/** How long a file that may be incomplete must lie still before it is believed, in ms: longer than uploads usually stall. */
export const STILL_MS = 6_000;

/** A file as somebody saves it. */
type SavedFile = Pick<FileContent, 'file' | 'content'>;

/**
 * Whether all files are believed at once: JSON if its array is closed; a workbook if its directory is there; CSV and Markdown
 * if they end with a line end, and do not continue a `doubted` file, as the next step of a slow copy does. Markdown, of
 * which any beginning is valid, must also not be shorter than the file that is `served`.
 */
export function areWhole(
  files: readonly SavedFile[],
  doubted: readonly FileDigest[],
  served: readonly FileDigest[] = [],
): boolean {
  return files
    .flatMap(eachSaved)
    .every(
      file => hasEnd(file) && !(endsAnywhere(file) && continues(file, doubted)) && !isShortened(file, served),
    );
}

/** Markdown files are saved one by one. */
function eachSaved(file: SavedFile): SavedFile[] {
  if (file.file !== MARKDOWN_FILES) return [file];
  return unbundle(file.content).map(({ name, content }) => ({ file: markdownPath(name), content }));
}

/**
 * Whether a file has a proper end: a line end for CSV and Markdown (two bytes in UTF-16), the closing bracket for JSON, the
 * directory for workbooks.
 */
function hasEnd(file: SavedFile): boolean {
  const { content } = file;
  if (isWorkbook(file.file)) return hasDirectory(content);
  const end = content.toString('latin1', Math.max(0, content.length - 64));
  return endsAnywhere(file) ? /[\r\n]\0?$/.test(end) : /\]\0?[\s\0]*$/.test(end);
}

/** Whether the file can be a whole one after any of its lines. */
function endsAnywhere({ file }: SavedFile): boolean {
  return file.endsWith('.csv') || isMarkdownPath(file);
}

function isShortened({ file, content }: SavedFile, served: readonly FileDigest[]): boolean {
  return isMarkdownPath(file) && served.some(before => before.file === file && before.bytes > content.length);
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
function continues({ file, content }: SavedFile, doubted: readonly FileDigest[]): boolean {
  return doubted.some(
    before =>
      before.file === file &&
      before.bytes > 0 &&
      before.bytes < content.length &&
      sha256(content.subarray(0, before.bytes)) === before.sha256,
  );
}
