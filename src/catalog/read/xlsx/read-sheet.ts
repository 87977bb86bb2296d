import { columnLetters } from '../column-names.ts';
import { type CellPlace, cellPlace, cellRange, checkColumn, checkRow } from '../sheet/cell-names.ts';
import { joinText } from '../sheet/cell-source.ts';
import { addRange, collectRows, type SheetContent } from '../sheet/collect-rows.ts';
import type { Archive } from '../workbook/archive.ts';
import { damaged } from '../workbook/fault.ts';
import { isTrue, readXml, type XmlVisitor } from '../workbook/xml.ts';
import { collectText } from './shared-strings.ts';
import { type CellContext, cellSource, type StoredCell } from './stored-cell.ts';

/** Reads a sheet as Excel writes it. Calls `onRow` for each row, with the part of the sheet up to its end, from 0 to 1. */
export async function readSheet(
  archive: Archive,
  part: string,
  context: CellContext,
  onRow: (part: number) => void,
): Promise<SheetContent> {
  const content: SheetContent = { rows: [], merged: [], hiddenColumns: [] };
  const size = archive.size(part);
  let readBytes = 0;
  const visitor = sheetVisitor(content, context, () => onRow(readBytes / size));
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
  const row = collectRows(rows, onRow);
  let column = -1;
  let cell: OpenCell | undefined;
  let field: 'value' | 'formula' | undefined;
  return {
    open(name, attributes) {
      if (name === 'row') {
        row.open(rowNumber(row.number(), attributes.r), isTrue(attributes.hidden));
        column = -1;
      } else if (name === 'c') {
        cell = openCell(row.number(), column, attributes);
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
      if (field) cell[field] = joinText(cell[field], text);
      else inline.text(text);
    },
    close(name) {
      if (name === 'v' || name === 'f') field = undefined;
      else if (name === 'row') row.close();
      else if (name === 'c' && cell) {
        cell.text = inline.take();
        row.add(column, cellSource(cell, context));
        cell = undefined;
      } else if (cell) inline.close(name);
    },
  };
}

/** The number of the next row; rows without one follow each other. */
function rowNumber(before: number, written?: string): number {
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
