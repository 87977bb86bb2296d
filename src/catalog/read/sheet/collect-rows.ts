import { damaged, WorkbookFault } from '../workbook/fault.ts';
import type { CellRange } from './cell-names.ts';
import { type CellSource, isBlankSource } from './cell-source.ts';

/** A row of a sheet that is not blank. */
export interface SheetRow {
  /** Its number in the spreadsheet, from 1. */
  number: number;
  /** The cells up to the last one with a value. */
  cells: CellSource[];
  isHidden: boolean;
}

/** What a sheet holds. */
export interface SheetContent {
  rows: SheetRow[];
  merged: CellRange[];
  /** The first and the last column of each hidden part, from 0. */
  hiddenColumns: [first: number, last: number][];
}

/** Far more ranges of merged cells or hidden columns than anybody makes. */
const MAX_RANGES = 2 ** 16;
/** How many cells may be filled in that no program has written one by one: a few for each row of a large sheet. */
const MAX_FILLED = 2 ** 21;

/** Collects the rows of a sheet. Calls `onRow` for each that is not blank. */
export function collectRows(rows: SheetRow[], onRow: () => void = () => {}) {
  let row: SheetRow = { number: 0, cells: [], isHidden: false };
  let isBlank = true;
  let filled = 0;
  return {
    open(number: number, isHidden: boolean) {
      row = { number, cells: [], isHidden };
      isBlank = true;
    },
    number: () => row.number,
    /** Adds a cell, so many times, right of all others. */
    add(column: number, source: CellSource, times = 1) {
      if (source === '') return;
      filled += column - row.cells.length + times - 1;
      if (filled > MAX_FILLED) throw tooManyFilled();
      isBlank &&= isBlankSource(source);
      while (row.cells.length < column) row.cells.push('');
      for (let time = 0; time < times; time += 1) row.cells.push(source);
    },
    /** Ends the row. Returns whether it is kept. */
    close(): boolean {
      if (isBlank) return false;
      // A copy has room for its cells alone.
      rows.push({ ...row, cells: row.cells.slice() });
      onRow();
      return true;
    },
  };
}

function tooManyFilled(): WorkbookFault {
  const message =
    'the cells of this sheet are too far apart: delete what is far right of the table, and columns without values in it';
  return new WorkbookFault(message, { code: 'FILE_TOO_BIG' });
}

/** @throws WorkbookFault if there are far too many. */
export function addRange<Range>(ranges: Range[], range: Range): void {
  if (ranges.length === MAX_RANGES)
    throw damaged(`it has more than ${MAX_RANGES} merged cells or hidden columns`);
  ranges.push(range);
}

/** A sheet of a workbook. */
export interface Sheet {
  name: string;
  isHidden: boolean;
}

export interface Workbook<Known extends Sheet = Sheet> {
  sheets: readonly Known[];
  /** Reads one of the sheets. Calls `onRow` for each row, with the part of the sheet up to its end, from 0 to 1. */
  read(sheet: Known, onRow: (part: number) => void): Promise<SheetContent>;
}
