import type { Column } from '../../contract/columns.ts';
import { formatLocal } from '../../time-zone.ts';
import { isAmbiguous } from '../table.ts';
import { plainNumber } from '../workbook/cells.ts';
import type { WrittenCatalog, WrittenValue } from './written-catalog.ts';
import { fitsCells, xlsxOf } from './xlsx.ts';

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

/** Without it, Excel takes UTF-8 for the encoding of the country. */
const BYTE_ORDER_MARK = '\uFEFF';

function csvOf({ columns, rows }: WrittenCatalog): Buffer {
  const heading = lineOf(columns.map(({ name }) => name));
  return Buffer.from(BYTE_ORDER_MARK + heading + rows.map(row => lineOf(row.map(cellText))).join(''));
}

function lineOf(cells: readonly string[]): string {
  return `${cells.map(quoted).join(',')}\r\n`;
}

function cellText(value: WrittenValue): string {
  if (typeof value === 'number') {
    const text = plainNumber(value);
    // `1.928` may be 1928 with a thousands separator, `1.9280` may not.
    return isAmbiguous(text) ? `${text}0` : text;
  }
  return value instanceof Date ? formatLocal(value.getTime() / 1000) : String(value ?? '');
}

function quoted(cell: string): string {
  return /[",;|\t\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

function jsonOf({ columns, rows }: WrittenCatalog): Buffer {
  if (rows.length === 0) return Buffer.from('[]\n');
  return Buffer.from(`[\n${rows.map(row => `  ${jsonRow(columns, row)}`).join(',\n')}\n]\n`);
}

function jsonRow(columns: readonly Column[], row: readonly WrittenValue[]): string {
  const values = columns.flatMap(({ name }, index) => {
    const value = row[index];
    return value === undefined ? [] : [`${JSON.stringify(name)}: ${jsonValue(value)}`];
  });
  return `{${values.join(', ')}}`;
}

/** JSON would write a small number with an exponent, which a price may not have. */
function jsonValue(value: NonNullable<WrittenValue>): string {
  if (typeof value === 'number') return plainNumber(value);
  return JSON.stringify(value instanceof Date ? formatLocal(value.getTime() / 1000) : value);
}
