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

/** The catalog that may be a folder of Markdown files, with a row in each, and the folder. */
export const MARKDOWN_CATALOG = 'news';
export const MARKDOWN_FOLDER: string = MARKDOWN_CATALOG;

/** Stands for these files, which are one catalog file together. */
export const MARKDOWN_FILES = `${MARKDOWN_FOLDER}/*.md`;

/** The path of a Markdown file in the catalog directory. */
export function markdownPath(name: string): string {
  return `${MARKDOWN_FOLDER}/${name}`;
}

export function isMarkdownPath(file: string): boolean {
  return file.startsWith(markdownPath(''));
}

/** Whether a file in the folder is read: drafts and temporary files, with such a beginning, are not. */
export function isMarkdownName(name: string): boolean {
  return /^[^._~#].*\.md$/.test(name);
}

/** Whether a file that is read is a workbook. */
export function isWorkbook(file: string): boolean {
  return /\.(?:xlsx|ods)$/.test(file);
}
