import { MAX_COLUMNS, MAX_ROWS, tooManyColumns, tooManyRows } from '../table.ts';
import { damaged, WorkbookFault } from '../workbook/fault.ts';

/** A cell by its row, from 1, and its column, from 0. */
export interface CellPlace {
  row: number;
  column: number;
}

/** The cells from one corner to another. */
export interface CellRange {
  name: string;
  first: CellPlace;
  last: CellPlace;
}

/** The place of a cell by its name, such as `E17`. @throws WorkbookFault if it is none, or beyond the limits of a sheet. */
export function cellPlace(name: string): CellPlace {
  const [, letters = '', row = ''] = /^([A-Z]{1,3})([1-9]\d{0,6})$/.exec(name) ?? tooFar(name);
  const column = Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
  checkRow(Number(row), name);
  checkColumn(column, name);
  return { row: Number(row), column };
}

/** The cells that a name such as `A2:A5` means. */
export function cellRange(name: string): CellRange {
  const [first = '', last = first] = name.split(':');
  return { name, first: cellPlace(first), last: cellPlace(last) };
}

export function checkRow(row: number, cell?: string): void {
  if (row > MAX_ROWS) throw new WorkbookFault(tooManyRows, { code: 'TOO_MANY_ROWS', cell });
}

export function checkColumn(column: number, cell?: string): void {
  if (column >= MAX_COLUMNS) throw new WorkbookFault(tooManyColumns, { code: 'TOO_MANY_COLUMNS', cell });
}

function tooFar(name: string): never {
  if (/^[A-Z]+[1-9]\d*$/.test(name)) {
    if (/^[A-Z]{4}/.test(name)) checkColumn(MAX_COLUMNS, name);
    checkRow(MAX_ROWS + 1, name);
  }
  throw damaged(`${name.slice(0, 20)} is no cell`);
}
