import { type CatalogName, catalogNames } from '../../../contract/columns.ts';
import { excerpt } from '../../../messages.ts';
import { columnName } from '../column-names.ts';
import type { Sheet } from '../sheet/collect-rows.ts';
import { damaged, WorkbookFault } from './fault.ts';

/** The catalogs that have a sheet in a workbook. @throws WorkbookFault if none has one, or one has two. */
export function catalogsIn(sheets: readonly Sheet[]): CatalogName[] {
  const found = catalogNames.filter(catalog => sheetOf(catalog, sheets));
  if (found.length > 0) return found;
  const message = `none of the sheets (${listOf(sheets)}) has the name of a catalog: give them names such as products and prices`;
  throw new WorkbookFault(message, { code: 'NO_SHEET' });
}

/**
 * The sheet with a catalog: the one with its name; or, in a workbook of one catalog, the only one.
 * @throws WorkbookFault if there is no such sheet, or more than one.
 */
export function chooseSheet(sheets: readonly Sheet[], catalog: CatalogName): Sheet {
  const sheet = sheetOf(catalog, sheets);
  if (sheet) return sheet;
  const visible = sheets.filter(({ isHidden }) => !isHidden);
  const [only] = visible;
  if (!only) throw damaged('it has no sheet that is shown');
  if (visible.length === 1) return only;
  const message = `none of the sheets (${listOf(visible)}) is named ${catalog}: give the one with the ${catalog} this name`;
  throw new WorkbookFault(message, { code: 'NO_SHEET' });
}

/** The catalog that a sheet is named after. Letter case, white space, hyphens and underscores do not matter. */
export function catalogOf({ name }: Pick<Sheet, 'name'>): CatalogName | undefined {
  return catalogNames.find(catalog => catalog === columnName(name, catalogNames));
}

function sheetOf(catalog: CatalogName, sheets: readonly Sheet[]): Sheet | undefined {
  const [sheet, second] = sheets.filter(sheet => catalogOf(sheet) === catalog);
  if (!sheet || !second) return sheet;
  const names = `${excerpt(sheet.name)} and ${excerpt(second.name)}`;
  const message = `two sheets have the name of a catalog, ${names}: rename or delete one of the two`;
  throw new WorkbookFault(message, { code: 'TWO_SHEETS' });
}

/** The names of the first sheets. */
function listOf(sheets: readonly Sheet[]): string {
  return sheets
    .slice(0, 5)
    .map(({ name }) => excerpt(name))
    .join(', ');
}
