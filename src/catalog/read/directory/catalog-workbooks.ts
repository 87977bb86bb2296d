import { catalogWorkbooks } from '../../../contract/catalog-files.ts';
import type { CatalogName } from '../../../contract/columns.ts';
import type { Reporter } from '../../../contract/problems.ts';
import { reportFault } from '../../../formats/workbook/cells.ts';
import type { Sheet } from '../../../formats/workbook/sheet.ts';
import { catalogOf, catalogsIn, openWorkbook } from '../../../formats/workbook/workbook.ts';
import type { Directory } from './directory.ts';
import { catalogLike } from './look-alikes.ts';

/** A workbook that has a sheet for each catalog. */
export interface CatalogWorkbook {
  file: string;
  /** Undefined if it cannot be read. */
  content: Buffer | undefined;
  /** The catalogs that have a sheet; undefined if it is damaged, or cannot be read. */
  catalogs: readonly CatalogName[] | undefined;
}

/** Reads the workbooks of all catalogs in a directory, and the names of their sheets. Reports what is wrong with them. */
export async function readCatalogWorkbooks(
  directory: Directory,
  names: readonly string[],
  report: Reporter,
): Promise<CatalogWorkbook[]> {
  const workbooks: CatalogWorkbook[] = [];
  for (const file of catalogWorkbooks.filter(name => names.includes(name))) {
    const content = await directory.read(file, report);
    workbooks.push({ file, content, catalogs: content && (await readCatalogs(file, content, report)) });
  }
  return workbooks;
}

/** The catalogs that have a sheet; undefined, and reported, if the workbook is damaged. */
async function readCatalogs(
  file: string,
  content: Buffer,
  report: Reporter,
): Promise<CatalogName[] | undefined> {
  try {
    const { sheets } = await openWorkbook(content);
    const catalogs = catalogsIn(sheets);
    warnOfSheets(file, sheets, report);
    return catalogs;
  } catch (error) {
    reportFault(error, file, undefined, report);
    return undefined;
  }
}

/** Warns of sheets that an editor may take for a catalog, but that are not read. */
function warnOfSheets(file: string, sheets: readonly Sheet[], report: Reporter): void {
  for (const sheet of sheets) {
    const catalog = catalogLike(`${sheet.name}.csv`);
    if (!catalog || catalogOf(sheet)) continue;
    const message = `this sheet is not read: name it ${catalog}, or delete it`;
    report({ file, sheet: sheet.name }, 'NOT_READ', message);
  }
}
