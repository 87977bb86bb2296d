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

/** Whether a file that is read is a workbook. */
export function isWorkbook(file: string): boolean {
  return /\.(?:xlsx|ods)$/.test(file);
}
