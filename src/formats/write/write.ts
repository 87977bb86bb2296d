// Writes a set of catalogs as files that editors can work on, for the commands `convert` and `template`.
//
// A `WrittenCatalog` has columns, and rows of plain values. Each of the `formats` turns a list of them into files. `xlsx.ts`
// writes the workbook, `validations.ts` the lists and prompts of its cells. Reading the files again gives the same values.
import { type Column, EXTRA } from '../../contract/columns.ts';
import { formatLocal } from '../../time-zone.ts';
import { isAmbiguous } from '../table.ts';
import { plainNumber } from '../workbook/stored-cells.ts';
import { asTable, type WrittenCatalog, type WrittenValue } from './written-catalog.ts';
import { fitsCells, xlsxOf } from './xlsx.ts';

/** The files of a folder by name. */
export type NewFiles = Readonly<Record<string, string | Buffer>>;

export const formats = {
  xlsx: workbookOf,
  csv: catalogs => Object.fromEntries(catalogs.map(csvFile)),
  json: jsonFiles,
} as const satisfies Record<string, (catalogs: readonly WrittenCatalog[]) => NewFiles>;

export type FormatName = keyof typeof formats;

/** A CSV file, or a JSON file for a catalog that a table cannot express. */
function csvFile(written: WrittenCatalog): [name: string, content: Buffer] {
  const table = asTable(written);
  return table ? [`${table.catalog}.csv`, csvOf(table)] : [`${written.catalog}.json`, jsonFile(written)];
}

/** Writes a workbook, and JSON files for catalogs that a table cannot express, or with texts too long for a cell. */
function workbookOf(catalogs: readonly WrittenCatalog[]): NewFiles {
  const sheets = catalogs.flatMap(written => asTable(written) ?? []).filter(fitsCells);
  const others = catalogs.filter(({ catalog }) => !sheets.some(sheet => sheet.catalog === catalog));
  return { ...(sheets.length > 0 && { 'catalog.xlsx': xlsxOf(sheets) }), ...jsonFiles(others) };
}

function jsonFiles(catalogs: readonly WrittenCatalog[]): NewFiles {
  return Object.fromEntries(catalogs.map(written => [`${written.catalog}.json`, jsonFile(written)]));
}

/** Without it, Excel reads UTF-8 in the encoding of the country. */
const BYTE_ORDER_MARK = '\uFEFF';

function csvOf({ columns, rows }: WrittenCatalog): Buffer {
  const heading = csvLine(columns.map(({ name }) => name));
  return Buffer.from(BYTE_ORDER_MARK + heading + rows.map(row => csvLine(row.map(csvText))).join(''));
}

function csvLine(cells: readonly string[]): string {
  return `${cells.map(quotedCell).join(',')}\r\n`;
}

function csvText(value: WrittenValue): string {
  if (typeof value === 'number') {
    const text = plainNumber(value);
    // `1.928` could be 1928 with a thousands separator, `1.9280` cannot.
    return isAmbiguous(text) ? `${text}0` : text;
  }
  return value instanceof Date ? formatLocal(value.getTime() / 1000) : String(value ?? '');
}

function quotedCell(cell: string): string {
  return /[",;|\t\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

function jsonFile({ columns, rows }: WrittenCatalog): Buffer {
  if (rows.length === 0) return Buffer.from('[]\n');
  return Buffer.from(`[\n${rows.map(row => `  ${jsonRow(columns, row)}`).join(',\n')}\n]\n`);
}

function jsonRow(columns: readonly Column[], row: readonly WrittenValue[]): string {
  const values = columns.flatMap(({ name }, index) => {
    const value = row[index];
    if (value === undefined) return [];
    return `${JSON.stringify(name)}: ${name === EXTRA ? value : jsonValue(value)}`;
  });
  return `{${values.join(', ')}}`;
}

/** JSON.stringify() writes small numbers with an exponent, which a price may not have. */
function jsonValue(value: NonNullable<WrittenValue>): string {
  if (typeof value === 'number') return plainNumber(value);
  return JSON.stringify(value instanceof Date ? formatLocal(value.getTime() / 1000) : value);
}
