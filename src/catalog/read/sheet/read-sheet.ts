import { columnLetters } from '../csv/dialect.ts';
import { damaged, WorkbookFault } from '../workbook/fault.ts';
import { collectText, join } from '../workbook/shared-strings.ts';
import type { Sheet, Workbook } from '../workbook/workbook.ts';
import { isTrue, readXml, type XmlVisitor } from '../workbook/xml.ts';
import { type CellPlace, type CellRange, cellPlace, cellRange, checkColumn, checkRow } from './cell-names.ts';
import { type CellSource, isBlankSource } from './cell-source.ts';
import { type CellContext, cellSource, type StoredCell } from './stored-cell.ts';

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

/** How many empty cells are filled in between others: a few for each row of a large sheet. */
const MAX_GAPS = 2 ** 21;
/** Far more ranges of merged cells or hidden columns than anybody makes. */
const MAX_RANGES = 2 ** 16;

/** Reads a sheet. Calls `onRow` for each row, with the part of the sheet up to its end, from 0 to 1. */
export async function readSheet(
  { archive, context }: Workbook,
  { part }: Sheet,
  onRow: (part: number) => void,
): Promise<SheetContent> {
  const content: SheetContent = { rows: [], merged: [], hiddenColumns: [] };
  const size = archive.size(part);
  let readBytes = 0;
  const visitor = sheetVisitor(content, await context(), () => onRow(readBytes / size));
  await readXml(archive, part, visitor, bytes => {
    readBytes += bytes;
  });
  return content;
}

/** A cell while it is read. */
type OpenCell = StoredCell & CellPlace;

function sheetVisitor(
  { rows, merged, hiddenColumns }: SheetContent,
  context: CellContext,
  onRow: () => void,
): XmlVisitor {
  const inline = collectText();
  let row: SheetRow = { number: 0, cells: [], isHidden: false };
  let column = -1;
  let cell: OpenCell | undefined;
  let field: 'value' | 'formula' | undefined;
  let gaps = 0;
  const addCell = (source: CellSource) => {
    if (source === '') return;
    gaps += column - row.cells.length;
    if (gaps > MAX_GAPS) throw tooFarApart();
    while (row.cells.length < column) row.cells.push('');
    row.cells.push(source);
  };
  const closeRow = () => {
    if (row.cells.every(isBlankSource)) return;
    // A copy has room for its cells alone.
    rows.push({ ...row, cells: row.cells.slice() });
    onRow();
  };
  return {
    open(name, attributes) {
      if (name === 'row') {
        const number = openRow(row.number, attributes.r);
        row = { number, cells: [], isHidden: isTrue(attributes.hidden) };
        column = -1;
      } else if (name === 'c') {
        cell = openCell(row.number, column, attributes);
        column = cell.column;
      } else if (name === 'v') field = 'value';
      else if (name === 'f') {
        field = 'formula';
        if (cell) cell.hasFormula = true;
      } else if (name === 'mergeCell') addRange(merged, cellRange(attributes.ref ?? ''));
      else if (name === 'col' && isTrue(attributes.hidden))
        addRange(hiddenColumns, [Number(attributes.min) - 1, Number(attributes.max) - 1]);
      else if (cell) inline.open(name);
    },
    text(text) {
      if (!cell) return;
      if (field) cell[field] = join(cell[field], text);
      else inline.text(text);
    },
    close(name) {
      if (name === 'v' || name === 'f') field = undefined;
      else if (name === 'row') closeRow();
      else if (name === 'c' && cell) {
        cell.text = inline.take();
        addCell(cellSource(cell, context));
        cell = undefined;
      } else if (cell) inline.close(name);
    },
  };
}

function addRange<Range>(ranges: Range[], range: Range): void {
  if (ranges.length === MAX_RANGES)
    throw damaged(`it has more than ${MAX_RANGES} merged cells or hidden columns`);
  ranges.push(range);
}

/** The number of the next row; rows without one follow each other. */
function openRow(before: number, written?: string): number {
  const number = written === undefined ? before + 1 : Number(written);
  if (!(Number.isInteger(number) && number > before)) throw damaged(`row ${written} follows row ${before}`);
  checkRow(number);
  return number;
}

/** The next cell of a row; cells without a place follow each other. */
function openCell(row: number, before: number, attributes: Readonly<Record<string, string>>): OpenCell {
  const { r: name = `${columnLetters(before + 1)}${row}`, t: type = 'n', s: style = '' } = attributes;
  const place = cellPlace(name);
  checkColumn(place.column, name);
  if (place.row !== row || place.column <= before) throw damaged(`${name} is in a wrong place`, name);
  return { name, ...place, type, style, hasFormula: false, formula: '', value: '', text: '' };
}

function tooFarApart(): WorkbookFault {
  const message =
    'the cells of this sheet are too far apart: delete what is far right of the table, and columns without values in it';
  return new WorkbookFault(message, { code: 'FILE_TOO_BIG' });
}
