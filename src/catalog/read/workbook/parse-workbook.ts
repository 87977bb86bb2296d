import { type CatalogName, columnsOf } from '../../../contract/columns.ts';
import type { Reporter } from '../../../contract/problems.ts';
import { sheetTable } from '../sheet/sheet-table.ts';
import type { Table } from '../table.ts';
import { chooseSheet } from './choose-sheet.ts';
import { reportFault } from './fault.ts';
import { openWorkbook } from './workbook.ts';

/**
 * Parses the sheet of a workbook that has a catalog; undefined, and reported, if it cannot be read. Calls `onRow` for each
 * row, with the part of the sheet up to its end, from 0 to 1.
 */
export async function parseWorkbook(
  catalog: CatalogName,
  file: string,
  content: Buffer,
  report: Reporter,
  onRow: (part: number) => void = () => {},
): Promise<Table | undefined> {
  let name: string | undefined;
  try {
    const workbook = await openWorkbook(content);
    const sheet = chooseSheet(workbook.sheets, catalog);
    name = sheet.name;
    return sheetTable(file, sheet, await workbook.read(sheet, onRow), columnsOf(catalog), report);
  } catch (error) {
    reportFault(error, file, name, report);
    return undefined;
  }
}
