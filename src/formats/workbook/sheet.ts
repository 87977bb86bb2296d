import type { Column } from '../../contract/columns.ts';
import type { Reporter, SourceLocation } from '../../contract/problems.ts';
import { excerpt } from '../../messages.ts';
import { checkHeader, checkHeadingRow } from '../header.ts';
import { columnLetters, columnName, MAX_TITLE_ROWS, type RawRow, type Table, textOf } from '../table.ts';
import { type CellRange, type CellSource, damaged, isBlankSource, WorkbookFault } from './cells.ts';
import { type NumberFormat, otherDisplay } from './number-format.ts';

/**
 * The table of a sheet. Its headings, blank rows, and blank columns at the right are treated as those of a CSV file; its
 * cells are sources, as in `12.5` and `"12.5"`.
 */
export function sheetTable(
  file: string,
  { name, isHidden }: Sheet,
  content: SheetContent,
  columns: Column[],
  report: Reporter,
): Table {
  const known = columns.map(column => column.name);
  const place = (row?: number, column?: number): SourceLocation => ({
    file,
    sheet: name,
    ...(row !== undefined && { row }),
    ...(column !== undefined && { cell: `${columnLetters(column)}${row}` }),
  });
  const first = content.rows
    .slice(0, MAX_TITLE_ROWS + 1)
    .map(({ number, cells }) => ({ number, cells: cells.map(textOf) }));
  const hasHeader = checkHeadingRow(
    first,
    known,
    row => (row ? place(row.number) : { file, sheet: name }),
    report,
  );
  const header = hasHeader ? first[0] : undefined;
  const body = header ? content.rows.slice(1) : [];
  const allNames = header?.cells.map(cell => columnName(cell, known)) ?? [];
  const names = allNames.slice(0, allNames.findLastIndex(heading => heading !== '') + 1);
  if (header) {
    const locateHeading = (index: number) => ({
      ...place(header.number, index),
      heading: names[index] ?? '',
    });
    checkHeader(names, header.cells, columns, locateHeading, report);
    checkLayout(content, { first: header.number, names, known, isHidden }, place, report);
  }
  const columnAt = names.map(name => columns.find(column => column.name === name));
  const formatsOf = new Map<RawRow, NonNullable<SheetRow['formats']>>();
  const displays = (cells: readonly CellSource[], formats: SheetRow['formats'] = []) =>
    formats.flatMap((format, index) => {
      const column = columnAt[index];
      const source = cells[index] ?? '';
      const other = format && column && otherDisplay(format, source, column);
      return other ? [{ ...other, format, column, source, index }] : [];
    });
  const rows = body.map((row): RawRow => {
    const extra = row.cells.findIndex((cell, index) => index >= names.length && !isBlankSource(cell));
    const raw = {
      start: 0,
      end: 0,
      number: row.number,
      matchesHeader: extra === -1,
      names,
      cells: row.cells,
    };
    if (row.formats && displays(row.cells, row.formats).length > 0) formatsOf.set(raw, row.formats);
    return raw;
  });
  const check = (row: RawRow) => {
    for (const other of displays(row.cells, formatsOf.get(row))) {
      const { format, column, source, index } = other;
      const code = excerpt(format.code);
      const message = other.isText
        ? `${column.name} ${excerpt(source)} ${other.fault} with the format ${code}: format the column as text, and type it again`
        : `${column.name} ${source} has the format ${code}, which ${other.fault}: ${source} is served; format the column as plain numbers, and check what it shows`;
      const location = { ...place(row.number, index), heading: column.name };
      report(location, other.isText ? 'BAD_TEXT' : 'SHOWN_OTHERWISE', message);
    }
    if (row.matchesHeader) return;
    const extra = row.cells.findIndex((cell, index) => index >= names.length && !isBlankSource(cell));
    const letters = columnLetters(extra);
    const message = `${excerpt(row.cells[extra] ?? '')} is in column ${letters}, which has no heading: clear the cell or give the column a heading`;
    report(place(row.number, extra), 'RAGGED_ROW', message);
  };
  return {
    file,
    sheet: name,
    format: 'sheet',
    encoding: 'utf-8',
    delimiter: undefined,
    decimal: '.',
    header: header && new Set(names),
    rows,
    lastRow: undefined,
    check,
    complete:
      header !== undefined && columns.every(({ name, required }) => !required || names.includes(name)),
    locate: ({ number = 0 }, column) =>
      column === undefined
        ? place(number)
        : { ...place(number, Math.max(0, names.indexOf(column))), heading: column },
  };
}

/** A row of a sheet that is not blank. */
interface SheetRow {
  /** Its number in the spreadsheet, from 1. */
  number: number;
  /** The cells up to the last one with a value. */
  cells: CellSource[];
  /** The formats of these cells; undefined if all show their values as they are. */
  formats?: readonly (NumberFormat | undefined)[] | undefined;
  isHidden: boolean;
  /** Whether all cells with a value are struck out. */
  isStruck: boolean;
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

/** How a cell looks. */
interface Look {
  format: NumberFormat | undefined;
  isStruck: boolean;
}

const PLAIN: Look = { format: undefined, isStruck: false };

/** Collects the rows of a sheet. Calls `onRow` for each that is not blank. */
export function collectRows(rows: SheetRow[], onRow: () => void = () => {}) {
  let row: SheetRow = { number: 0, cells: [], isHidden: false, isStruck: true };
  let formats: (NumberFormat | undefined)[] = [];
  let isBlank = true;
  let filled = 0;
  return {
    open(number: number, isHidden: boolean) {
      row = { number, cells: [], isHidden, isStruck: true };
      formats = [];
      isBlank = true;
    },
    number: () => row.number,
    /** Adds a cell, so many times, right of all others. */
    add(column: number, source: CellSource, { format, isStruck } = PLAIN, times = 1) {
      if (source === '') return;
      filled += column - row.cells.length + times - 1;
      if (filled > MAX_FILLED) throw tooManyFilled();
      const isBlankCell = isBlankSource(source);
      isBlank &&= isBlankCell;
      row.isStruck &&= isStruck || isBlankCell;
      while (row.cells.length < column) row.cells.push('');
      for (let time = 0; time < times; time += 1) {
        if (format) formats[row.cells.length] = format;
        row.cells.push(source);
      }
    },
    /** Ends the row. Returns whether it is kept. */
    close(): boolean {
      if (isBlank) return false;
      const before = rows.at(-1)?.formats;
      const isSame =
        before?.length === formats.length && formats.every((format, at) => format === before[at]);
      if (formats.length > 0) row.formats = isSame ? before : formats;
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

/** Where the table of a sheet is. */
interface Layout {
  /** The row of the headings. */
  first: number;
  /** The names of the columns, from the first one. */
  names: readonly string[];
  /** The names of the columns of the catalog. */
  known: readonly string[];
  isHidden: boolean;
}

/** Refuses merged cells, which have one value for several rows or columns. Warns of what an editor does not see. */
function checkLayout(
  { rows, merged, hiddenColumns }: SheetContent,
  { first, names, known, isHidden }: Layout,
  place: (row?: number, column?: number) => SourceLocation,
  report: Reporter,
): void {
  for (const { name, first: from, last: to } of merged) {
    const isInside = to.row >= first && from.column < names.length;
    const isOne = from.row === to.row && from.column === to.column;
    if (!isInside || isOne) continue;
    const message = `the cells ${name} are merged: unmerge them, and fill in every cell`;
    const heading = names[from.column] ?? '';
    report({ ...place(from.row, from.column), heading }, 'MERGED_CELLS', message);
  }
  if (isHidden) {
    report(place(), 'HIDDEN_SHEET', 'this sheet is hidden, and read all the same: show it, or delete it');
  }
  for (const [from, to] of hiddenColumns) {
    for (const [column, name] of names.entries()) {
      if (column < from || column > to || !known.includes(name)) continue;
      const message = `column ${columnLetters(column)} is hidden, and read all the same: show it, or delete it`;
      report({ ...place(first, column), heading: name }, 'HIDDEN_CELLS', message);
    }
  }
  for (const { number, isHidden, isStruck } of rows) {
    if (number <= first) continue;
    const hidden = 'this row is hidden or filtered out, and read all the same: show it, or delete it';
    const struck = 'this row is struck out, and read all the same: delete it, or remove the line through it';
    if (isHidden) report(place(number), 'HIDDEN_CELLS', hidden);
    if (isStruck) report(place(number), 'STRUCK_OUT', struck);
  }
}
