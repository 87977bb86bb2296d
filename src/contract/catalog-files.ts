import { extname } from 'node:path';
import { localTime } from '../time-zone.ts';
import { catalogNames } from './columns.ts';

/** The files that have one catalog. */
export const catalogFiles = catalogNames.flatMap(catalog =>
  ['json', 'csv', 'xlsx', 'ods'].map(extension => ({ catalog, file: `${catalog}.${extension}` })),
);

/** The workbooks that have a sheet for each catalog. */
export const catalogWorkbooks: readonly string[] = ['catalog.xlsx', 'catalog.ods'];

/** The names of all files that are read. Other files are ignored. */
export const catalogFileNames: ReadonlySet<string> = new Set([
  ...catalogFiles.map(({ file }) => file),
  ...catalogWorkbooks,
]);

/** The catalog that may be a folder of Markdown files, with a row in each, and the name of the folder. */
export const MARKDOWN_FOLDER = 'news';

/** Names these files together, which count as one catalog file. */
export const MARKDOWN_FILES = `${MARKDOWN_FOLDER}/*.md`;

/** The path of a Markdown file in the catalog directory. */
export function markdownPath(name: string): string {
  return `${MARKDOWN_FOLDER}/${name}`;
}

export function isMarkdownPath(file: string): boolean {
  return file.startsWith(markdownPath(''));
}

/**
 * Whether a file in the folder is read: temporary files and drafts, such as `_1-a.md` and `1-a.draft.md`, are not. Of
 * folders in it, only page bundles whose name begins with a date are, such as `2026-03-31-a/index.md`.
 */
export function isMarkdownName(name: string): boolean {
  if (!/^[^._~#].*\.(?:md|markdown)$/.test(name) || /\.draft\.\w+$/i.test(name)) return false;
  return !name.includes('/') || (/^[^/]*\/index\.md$/.test(name) && dateIn(name) !== undefined);
}

/** The name in the folder of Markdown files of one that is read; undefined for other paths. */
export function markdownName(path: string): string | undefined {
  const name = isMarkdownPath(path) ? path.slice(markdownPath('').length) : '';
  return isMarkdownName(name) ? name : undefined;
}

/** The date with which the name of a Markdown file begins, as `2026-03-31`; undefined if it begins with none since 1970. */
export function dateIn(name: string): string | undefined {
  const [, year, , month, day] = /^(\d{4})(-?)(\d\d)\2(\d\d)(?!\d)/.exec(name) ?? [];
  return (localTime([year, month, day]) ?? -1) >= 0 ? `${year}-${month}-${day}` : undefined;
}

/** Whether a file that is read is a workbook. */
export function isWorkbook(file: string): boolean {
  return /\.(?:xlsx|ods)$/.test(file);
}

/** The media types of the images that are served, by file extension. */
export const imageTypes: ReadonlyMap<string, string> = new Map([
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['webp', 'image/webp'],
  ['gif', 'image/gif'],
  ['avif', 'image/avif'],
  ['svg', 'image/svg+xml'],
]);

/** The media type of an image by its file name, in any letter case; undefined for other files. */
export function imageType(name: string): string | undefined {
  return imageTypes.get(extname(name).slice(1).toLowerCase());
}

/**
 * The file of the images directory that a path means, whatever folder it is in where somebody wrote it; undefined for an
 * address, and for what is no image. What the directory has does not matter: it may change without the catalogs.
 */
export function imageIn(text: string): string | undefined {
  const path = text.trim();
  const name = path.slice(path.search(/[^/\\]*$/));
  return /^(?:[a-z][a-z\d+.-]+:|\/\/)/i.test(path) || !imageType(name) ? undefined : name;
}

/** The names that an image's file may have: its own, and the same in other Unicode forms, as macOS writes names. */
export function imageFileNames(name: string): string[] {
  return [...new Set([name, name.normalize('NFC'), name.normalize('NFD')])];
}

/** Whether the file of an image is among these names. */
export function hasImage(names: ReadonlySet<string>, image: string): boolean {
  return imageFileNames(image).some(file => names.has(file));
}
