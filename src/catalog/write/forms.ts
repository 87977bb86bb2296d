import { csvOf } from './csv.ts';
import { jsonOf } from './json.ts';
import { fitsCells } from './sheet.ts';
import type { WrittenCatalog } from './written-catalog.ts';
import { xlsxOf } from './xlsx.ts';

/** The files of a folder by their names. */
export type NewFiles = Readonly<Record<string, string | Buffer>>;

/** The forms in which a set can be written. */
export const forms = {
  xlsx: workbookOf,
  csv: catalogs => Object.fromEntries(catalogs.map(written => [`${written.catalog}.csv`, csvOf(written)])),
  json: jsonFiles,
} as const satisfies Record<string, (catalogs: readonly WrittenCatalog[]) => NewFiles>;

export type FormName = keyof typeof forms;

/** A workbook; beside it JSON files for catalogs with texts that are too long for a cell. */
function workbookOf(catalogs: readonly WrittenCatalog[]): NewFiles {
  const sheets = catalogs.filter(fitsCells);
  const others = catalogs.filter(written => !fitsCells(written));
  return { ...(sheets.length > 0 && { 'catalog.xlsx': xlsxOf(sheets) }), ...jsonFiles(others) };
}

function jsonFiles(catalogs: readonly WrittenCatalog[]): NewFiles {
  return Object.fromEntries(catalogs.map(written => [`${written.catalog}.json`, jsonOf(written)]));
}
