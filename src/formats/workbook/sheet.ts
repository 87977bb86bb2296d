import { type Column, extraColumn, isExtra } from '../../contract/columns.ts';
import type { Reporter, SourceLocation } from '../../contract/problems.ts';
import { excerpt } from '../../messages.ts';
import { readHeader, withoutHeading } from '../header.ts';
import { columnLetters, MAX_TITLE_ROWS, type RawRow, type Table, writtenText } from '../table.ts';
import { currencyIn, type NumberFormat, otherDisplay } from './number-format.ts';
import { type CellRange, type CellSource, damaged, isBlankSource, WorkbookFault } from './stored-cells.ts';

/** Makes the table of a sheet. Headings, blank rows, and blank columns at the right are treated as in a CSV file. */
export function sheetTable(
  file: string,
  { name, isHidden }: Sheet,
  content: SheetContent,
  columns: Column[],
  report: Reporter,
): Table {
  const place = (row?: { number?: number }, column?: number): SourceLocation => ({
    file,
    sheet: name,
    ...(row?.number !== undefined && { row: row.number }),
    ...(column !== undefined && { cell: `${columnLetters(column)}${row?.number}` }),
  });
  const filled = content.rows
    .slice(0, MAX_TITLE_ROWS + 1)
    .map(({ number, cells }) => ({ number, cells: cells.map(writtenText) }));
  const isEmpty = (index: number) => content.rows.every(({ cells }) => isBlankSource(cells[index] ?? ''));
  const { header, names, hasRequired, locate } = readHeader({ filled, columns, place, report, isEmpty });
  const read = [...columns, ...names.filter(isExtra).map(extraColumn)];
  if (header) checkLayout(content, header.number, names, read, place, report);
  if (isHidden && header)
    report(place(), 'HIDDEN_SHEET', 'this sheet is hidden, and read all the same: show it, or delete it');
  const columnAt = names.map(name => read.find(column => column.name === name));
  const extraIn = (cells: readonly CellSource[]) =>
    cells.findIndex((cell, index) => index >= names.length && !isBlankSource(cell));
  /** The first currency among the prices. */
  let first: { currency: string; cell: string | undefined } | undefined;
  const formatsOf = new Map<RawRow, SheetRow['formats']>();
  const rows = (header ? content.rows.slice(1) : []).map(({ number, cells, formats }) => {
    const row: RawRow = { start: 0, end: 0, number, matchesHeader: extraIn(cells) === -1, names, cells };
    if (formats.length > 0) formatsOf.set(row, formats);
    return row;
  });
  return {
    file,
    sheet: name,
    format: 'sheet',
    encoding: 'utf-8',
    decimal: '.',
    header: header && new Set(names),
    rows,
    check(row) {
      for (const [index, format] of (formatsOf.get(row) ?? []).entries()) {
        const column = columnAt[index];
        const source = row.cells[index] ?? '';
        const currency = format && column?.name === 'price' ? currencyIn(format, source) : undefined;
        first ??= currency === undefined ? undefined : { currency, cell: place(row, index).cell };
        if (first && currency !== undefined && currency !== first.currency) {
          const message = `price ${source} shows ${currency}, but ${first.cell} shows ${first.currency}: ${source} is served; write all prices in one currency`;
          report({ ...place(row, index), heading: 'price' }, 'SHOWN_OTHERWISE', message);
        }
        const other = format && column && otherDisplay(format, source, column);
        if (!other) continue;
        const { fault, isText } = other;
        const code = excerpt(format.code);
        const message = isText
          ? `${column.name} ${excerpt(source)} ${fault} with the format ${code}: format the column as text, and type it again`
          : `${column.name} ${source} has the format ${code}, which ${fault}: ${source} is served; format the column as plain numbers, and check what it shows`;
        const location = { ...place(row, index), heading: column.name };
        report(location, isText ? 'BAD_TEXT' : 'SHOWN_OTHERWISE', message);
      }
      const extra = extraIn(row.cells);
      if (extra === -1) return;
      report(place(row, extra), 'RAGGED_ROW', withoutHeading(excerpt(row.cells[extra] ?? ''), extra));
    },
    complete: hasRequired,
    locate,
  };
}

interface SheetRow {
  /** As the spreadsheet shows it, from 1. */
  number: number;
  /** Up to the last one with a value. */
  cells: CellSource[];
  /** By the index of the cell; undefined where values are shown as they are. */
  formats: (NumberFormat | undefined)[];
  isHidden: boolean;
  /** Whether all cells with a value are struck out. */
  isStruck: boolean;
}

export interface SheetContent {
  /** The rows that are not blank. */
  rows: SheetRow[];
  merged: CellRange[];
  /** The ranges of hidden columns, from 0. */
  hiddenColumns: [first: number, last: number][];
}

/** Far more merged cells or hidden columns than any sheet has. */
const MAX_RANGES = 2 ** 16;
/** How many gaps between cells and repeated cells may be filled in: a few for each row of a large sheet. */
const MAX_FILLED = 2 ** 21;
const TOO_FAR_APART =
  'the cells of this sheet are too far apart: delete what is far right of the table, and columns without values in it';

export interface CellLook {
  /** Undefined if the value is shown as it is. */
  format: NumberFormat | undefined;
  isStruck: boolean;
}

/** Adds the rows of a sheet that are not blank to `rows`. */
export function collectRows(rows: SheetRow[]) {
  let row: SheetRow = { number: 0, cells: [], formats: [], isHidden: false, isStruck: true };
  let isBlank = true;
  let filled = 0;
  return {
    open(number: number, isHidden: boolean) {
      row = { number, cells: [], formats: [], isHidden, isStruck: true };
      isBlank = true;
    },
    number: () => row.number,
    /** Adds a cell `times` times, to the right of all others. */
    add(column: number, source: CellSource, { format, isStruck }: CellLook, times = 1) {
      if (source === '') return;
      filled += column - row.cells.length + times - 1;
      if (filled > MAX_FILLED) throw new WorkbookFault(TOO_FAR_APART, { code: 'FILE_TOO_BIG' });
      const isBlankCell = isBlankSource(source);
      isBlank &&= isBlankCell;
      row.isStruck &&= isStruck || isBlankCell;
      while (row.cells.length < column) row.cells.push('');
      for (let time = 0; time < times; time += 1) {
        if (format) row.formats[row.cells.length] = format;
        row.cells.push(source);
      }
    },
    /** Ends the row, and returns whether it is kept. */
    close(): boolean {
      if (isBlank) return false;
      // The copy has no spare capacity.
      rows.push({ ...row, cells: row.cells.slice() });
      return true;
    },
  };
}

/** @throws WorkbookFault if there are far too many ranges. */
export function addRange<Range>(ranges: Range[], range: Range): void {
  if (ranges.length === MAX_RANGES)
    throw damaged(`it has more than ${MAX_RANGES} merged cells or hidden columns`);
  ranges.push(range);
}

export interface Sheet {
  name: string;
  isHidden: boolean;
  read(): Promise<SheetContent>;
}

/** Refuses merged cells, which have one value for several cells. Warns of what editors do not see, such as hidden rows. */
function checkLayout(
  { rows, merged, hiddenColumns }: SheetContent,
  /** The number of the heading row. */
  first: number,
  names: readonly string[],
  columns: readonly Column[],
  place: (row: { number: number }, column?: number) => SourceLocation,
  report: Reporter,
): void {
  for (const { name, first: from, last: to } of merged) {
    const isInside = to.row >= first && from.column < names.length;
    const isOne = from.row === to.row && from.column === to.column;
    if (!isInside || isOne) continue;
    const message = `the cells ${name} are merged: unmerge them, and fill in every cell`;
    const heading = names[from.column] ?? '';
    report({ ...place({ number: from.row }, from.column), heading }, 'MERGED_CELLS', message);
  }
  for (const [from, to] of hiddenColumns) {
    for (const [column, name] of names.entries()) {
      if (column < from || column > to || !columns.some(known => known.name === name)) continue;
      const message = `column ${columnLetters(column)} is hidden, and read all the same: show it, or delete it`;
      report({ ...place({ number: first }, column), heading: name }, 'HIDDEN_CELLS', message);
    }
  }
  for (const row of rows) {
    if (row.number <= first) continue;
    const hidden = 'this row is hidden or filtered out, and read all the same: show it, or delete it';
    const struck = 'this row is struck out, and read all the same: delete it, or remove the line through it';
    if (row.isHidden) report(place(row), 'HIDDEN_CELLS', hidden);
    if (row.isStruck) report(place(row), 'STRUCK_OUT', struck);
  }
}
