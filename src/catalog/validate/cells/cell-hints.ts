import { type CellType, type Column, catalogs, MAX_TEXT_LENGTH } from '../../../contract/columns.ts';
import type { ProblemCode } from '../../../contract/problems.ts';
import { omissions, textOf } from '../../../formats/table.ts';
import { type CellFormat, cellText, cellTypes, isFormula } from './cell-types.ts';
import { numberHint, thousandsHint } from './number-hints.ts';
import { timeHint } from './time-hints.ts';

/** What is wrong with a cell, to follow its column and value in a message, and what to do about it. */
export interface CellHint {
  code: ProblemCode;
  /** Empty if `remedy` says enough. */
  fault: string;
  remedy: string;
}

const FORMULA_ERROR: CellHint = {
  code: 'FORMULA',
  fault: ' is the error of a formula',
  remedy: 'repair the formula, then save again',
};

/** `written` is the cell: not empty, and not valid in its column. */
export function hintFor(column: Column, written: string, format: CellFormat): CellHint {
  const cell = format.format === 'sheet' ? textOf(written) : written;
  const type = column.schema.cellType ?? 'text';
  const { code } = cellTypes[type];
  const { decimal } = format;
  const remedy = `write ${expectedValue(column, format, cell)}`;
  if (type === 'text' && cell.length > MAX_TEXT_LENGTH) {
    const fault = ` has more than ${MAX_TEXT_LENGTH} characters`;
    return { code, fault, remedy: 'shorten it, and put pictures into the images directory' };
  }
  if (type === 'text' && cell.startsWith('"')) {
    return { code, fault: ' contains half of a character', remedy: 'type the character again' };
  }
  if (isFormula(written, format)) {
    const remedy = 'open the workbook in your spreadsheet program, and save it there';
    if (cell.startsWith('=')) return { code: 'FORMULA', fault: ' is a formula without a value', remedy };
    return FORMULA_ERROR;
  }
  if (cell.trim().startsWith('=')) {
    return { code: 'FORMULA', fault: ' is a formula', remedy: 'paste its value instead' };
  }
  // Such as #REF!, #N/A, #DIV/0!, in any language, and Err:502.
  if (/^(#[\p{Lu}\d/]+[!?]?|Err:\d+)$/u.test(cell.trim())) return FORMULA_ERROR;
  if (/^#+$/.test(cell.trim())) {
    return { code, fault: ' did not fit', remedy: 'make the column wider, then save again' };
  }
  const number = format.format === 'json' ? undefined : writtenNumberHint(type, cell, format);
  if (number && format.format === 'sheet')
    return { ...number, remedy: 'type it again as a number, since the cell holds text' };
  if (number) return number;
  if (format.format !== 'sheet' && /^\d+([.,]\d+)?E\+\d+$/i.test(cell)) {
    const fault = ' was shortened by a spreadsheet';
    return { code, fault, remedy: 'format the column as plain numbers, then save again' };
  }
  if (code === 'BAD_TIME') return { code, fault: '', remedy, ...timeHint(cellText(written, format), format) };
  if (type === 'price' && isLong(cell, decimal)) {
    const limits = 'write at most 8 digits after the decimal sign, and 15 in total';
    return { code, fault: ' has too many digits', remedy: limits };
  }
  return { code, fault: '', remedy };
}

/** What to write into a cell, given what is in it now. */
export function expectedValue(column: Column, format: CellFormat, cell = ''): string {
  const { references } = column.schema;
  const value = plainValue(column, format, cell);
  return references ? `${value}, or the name of a ${catalogs[references].noun}` : value;
}

function plainValue({ schema, required }: Column, { format, decimal }: CellFormat, cell: string): string {
  const { cellType = 'text', minimum } = schema;
  const { code, json, expected } = cellTypes[cellType];
  if (cellType === 'count' && minimum >= 0) return `a whole number of ${minimum} or more, such as 10`;
  if (format !== 'json') {
    const orEmpty = required ? '' : `, or ${omissions[format]}`;
    const inSpreadsheet = '; in a spreadsheet, format the column as yyyy-mm-dd';
    if (cellType === 'flag') return expected + orEmpty;
    if (code === 'BAD_TIME') return expected + orEmpty + (format === 'csv' ? inSpreadsheet : '');
    return expected.replace(/(?<=\d)\.(?=\d)/, decimal);
  }
  const isQuoted = cell.startsWith('"');
  if (json === 'quoted' && !isQuoted) return `${expected} in "double quotes"`;
  return json === 'bare' && isQuoted ? `${expected}, without quotes` : expected;
}

function writtenNumberHint(type: CellType, cell: string, format: CellFormat): CellHint | undefined {
  if (type === 'price' || type === 'size') return numberHint(cell, format);
  const isWhole = type === 'id' || type === 'count' || type === 'reads';
  return isWhole ? thousandsHint(cell.trim(), format.decimal) : undefined;
}

function isLong(text: string, decimal: string): boolean {
  return text.length > 9 && text.split(decimal).length <= 2 && /^\d+$/.test(text.replace(decimal, ''));
}
