import { CATALOG_WORKBOOK } from '../../../contract/catalog-files.ts';
import type { CatalogName } from '../../../contract/columns.ts';
import type { Reporter } from '../../problems/problems.ts';
import { catalogOf, catalogsIn } from '../workbook/choose-sheet.ts';
import { WorkbookFault } from '../workbook/fault.ts';
import { openWorkbook, type Sheet } from '../workbook/workbook.ts';
import { readContent } from './content.ts';
import { catalogLike } from './look-alikes.ts';

/** The workbook that has a sheet for each catalog. */
export interface CatalogWorkbook {
  content: Buffer;
  /** Undefined if it is damaged. */
  catalogs: readonly CatalogName[] | undefined;
}

/** Reads the workbook of a directory and the names of its sheets. Reports why it is damaged, or undefined if it cannot be read. */
export async function readCatalogWorkbook(
  dir: string,
  maxFileMb: number,
  report: Reporter,
): Promise<CatalogWorkbook | undefined> {
  const content = await readContent(dir, CATALOG_WORKBOOK, maxFileMb, report);
  if (!content) return undefined;
  try {
    const { sheets } = await openWorkbook(content);
    const catalogs = catalogsIn(sheets);
    warnOfSheets(sheets, report);
    return { content, catalogs };
  } catch (error) {
    if (!(error instanceof WorkbookFault)) throw error;
    report({ file: CATALOG_WORKBOOK }, error.code, error.message);
    return { content, catalogs: undefined };
  }
}

/** Warns of sheets that an editor may take for a catalog, but that are not read. */
function warnOfSheets(sheets: readonly Sheet[], report: Reporter): void {
  for (const sheet of sheets) {
    const catalog = catalogLike(`${sheet.name}.csv`);
    if (!catalog || catalogOf(sheet)) continue;
    const message = `this sheet is not read: name it ${catalog}, or delete it`;
    report({ file: CATALOG_WORKBOOK, sheet: sheet.name }, 'NOT_READ', message);
  }
}
