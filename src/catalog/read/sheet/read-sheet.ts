import { columnLetters, MAX_TITLE_ROWS } from '../csv/dialect.ts';
import { MAX_COLUMNS } from '../table.ts';
import { damaged } from '../workbook/fault.ts';
import { collectText } from '../workbook/shared-strings.ts';
import type { Sheet, Workbook } from '../workbook/workbook.ts';
import { isTrue, readXml, type XmlVisitor } from '../workbook/xml.ts';
import { type CellPlace, type CellRange, cellPlace, cellRange, checkColumn, checkRow } from './cell-names.ts';
import { type CellSource, isBlankSource } from './cell-source.ts';
import { type CellContext, cellSource, type StoredCell } from './stored-cell.ts';

/** A row of a sheet that is not blank. */
export interface SheetRow {
  /** Its number in the spreadsheet, from 1. */
  number: number;
  /** The cells up to the last one that is not blank, unless it is further right than any of the first rows. */
  cells: CellSource[];
  /** The first cell further right that is not blank. */
  beyond: { column: number; source: CellSource } | undefined;
  isHidden: boolean;
}

/** What a sheet holds. */
export interface SheetContent {
  rows: SheetRow[];
  merged: CellRange[];
  /** The first and the last column of each hidden part, from 0. */
  hiddenColumns: [first: number, last: number][];
}

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
  let row: SheetRow = { number: 0, cells: [], beyond: undefined, isHidden: false };
  let column = -1;
  let cell: OpenCell | undefined;
  let field: 'value' | 'formula' | undefined;
  let width = MAX_COLUMNS;
  const closeRow = () => {
    if (!row.beyond && row.cells.every(isBlankSource)) return;
    rows.push(row);
    onRow();
    // The headings are among these rows, and no other cells need to be kept.
    if (rows.length === MAX_TITLE_ROWS + 1) width = Math.max(...rows.map(({ cells }) => cells.length));
  };
  const addCell = (source: CellSource) => {
    if (source === '') return;
    if (column >= width) {
      if (!isBlankSource(source)) row.beyond ??= { column, source };
      return;
    }
    while (row.cells.length < column) row.cells.push('');
    row.cells.push(source);
  };
  return {
    open(name, attributes) {
      if (name === 'row') {
        const number = openRow(row.number, attributes.r);
        row = { number, cells: [], beyond: undefined, isHidden: isTrue(attributes.hidden) };
        column = -1;
      } else if (name === 'c') {
        cell = openCell(row.number, column, attributes);
        column = cell.column;
      } else if (name === 'v') field = 'value';
      else if (name === 'f') {
        field = 'formula';
        if (cell) cell.hasFormula = true;
      } else if (name === 'mergeCell') merged.push(cellRange(attributes.ref ?? ''));
      else if (name === 'col' && isTrue(attributes.hidden))
        hiddenColumns.push([Number(attributes.min) - 1, Number(attributes.max) - 1]);
      else if (cell) inline.open(name);
    },
    text(text) {
      if (!cell) return;
      if (field) cell[field] += text;
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
