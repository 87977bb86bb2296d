import { catalogNames } from './columns.ts';

/** The files that have one catalog. */
export const catalogFiles = catalogNames.flatMap(catalog =>
  ['json', 'csv', 'xlsx'].map(extension => ({ catalog, file: `${catalog}.${extension}` })),
);

/** The workbook that has a sheet for each catalog. */
export const CATALOG_WORKBOOK = 'catalog.xlsx';

/** The names of all files that are read. Other files are ignored. */
export const catalogFileNames: ReadonlySet<string> = new Set([
  ...catalogFiles.map(({ file }) => file),
  CATALOG_WORKBOOK,
]);

/** Whether a file that is read is a workbook. */
export function isWorkbook(file: string): boolean {
  return file.endsWith('.xlsx');
}
