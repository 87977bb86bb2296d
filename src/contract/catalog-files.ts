import { extname } from 'node:path';
import { localTime } from '../time-zone.ts';
import { catalogNames } from './columns.ts';

export const catalogFiles = catalogNames.flatMap(catalog =>
  ['json', 'csv', 'xlsx', 'ods'].map(extension => ({ catalog, file: `${catalog}.${extension}` })),
);

/** Workbooks with a sheet for each catalog. */
export const catalogWorkbooks: readonly string[] = ['catalog.xlsx', 'catalog.ods'];

export const catalogFileNames: ReadonlySet<string> = new Set([
  ...catalogFiles.map(({ file }) => file),
  ...catalogWorkbooks,
]);

/** The catalog that may be a folder of Markdown files, each with one row; also the name of the folder. */
export const MARKDOWN_FOLDER = 'news';

/** The name of these files together, which count as one. */
export const MARKDOWN_FILES = `${MARKDOWN_FOLDER}/*.md`;

export function markdownPath(name: string): string {
  return `${MARKDOWN_FOLDER}/${name}`;
}

export function isMarkdownPath(file: string): boolean {
  return file.startsWith(markdownPath(''));
}

/**
 * Whether a file in the folder is read. Temporary files and drafts, such as `_1-a.md`, `1-a.draft.md` and what is in
 * `1-a.draft`, are not. In subfolders, only page bundles are whose name begins with a date, such as `2026-03-31-a/index.md`.
 */
export function isMarkdownName(name: string): boolean {
  if (!/^[^._~#].*\.(?:md|markdown)$/.test(name) || /\.draft(?:\.\w+$|\/)/i.test(name)) return false;
  return !name.includes('/') || (/^[^/]*\/index\.md$/.test(name) && dateIn(name) !== undefined);
}

/** Returns the path within the Markdown folder; undefined for other files, and for those that are not read. */
export function markdownName(path: string): string | undefined {
  const name = isMarkdownPath(path) ? path.slice(markdownPath('').length) : '';
  return isMarkdownName(name) ? name : undefined;
}

/** Returns the date at the beginning of a name, as `2026-03-31`; undefined if there is none since 1970. */
export function dateIn(name: string): string | undefined {
  const [, year, , month, day] = /^(\d{4})(-?)(\d\d)\2(\d\d)(?!\d)/.exec(name) ?? [];
  return (localTime([year, month, day]) ?? -1) >= 0 ? `${year}-${month}-${day}` : undefined;
}

export function isWorkbook(file: string): boolean {
  return /\.(?:xlsx|ods)$/.test(file);
}

/** The media types of images by file extension. */
export const imageTypes: ReadonlyMap<string, string> = new Map([
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['webp', 'image/webp'],
  ['gif', 'image/gif'],
  ['avif', 'image/avif'],
  ['svg', 'image/svg+xml'],
]);

/** Returns the media type of an image by its name, in any letter case; undefined for other files. */
export function imageType(name: string): string | undefined {
  return imageTypes.get(extname(name).slice(1).toLowerCase());
}

/**
 * Returns the file name of the image that a path means, whatever its folders; undefined for a URL, and for what is no image.
 * Does not depend on the images directory, which may change without the catalogs.
 */
export function imageIn(text: string): string | undefined {
  const path = text.trim();
  const name = path.slice(path.search(/[^/\\]*$/));
  return /^(?:[a-z][a-z\d+.-]+:|\/\/)/i.test(path) || !imageType(name) ? undefined : name;
}

/** Returns the name of an image and its other Unicode forms, in which macOS writes names. */
export function imageFileNames(name: string): string[] {
  return [...new Set([name, name.normalize('NFC'), name.normalize('NFD')])];
}

export function hasImage(names: ReadonlySet<string>, image: string): boolean {
  return imageFileNames(image).some(file => names.has(file));
}
