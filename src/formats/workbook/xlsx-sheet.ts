import { columnLetters } from '../table.ts';
import type { Archive } from './archive.ts';
import { DATE_FORMAT } from './number-format.ts';
import { addRange, type CellLook, collectRows, type SheetContent } from './sheet.ts';
import {
  type CellPlace,
  type CellSource,
  cellPlace,
  cellRange,
  checkColumn,
  checkRow,
  damaged,
  dateSource,
  joinText,
  numberSource,
  storedNumber,
} from './stored-cells.ts';
import { type Attributes, isTrue, readXml } from './xml.ts';

/** Reads a sheet as Excel writes it. */
export async function readSheet(archive: Archive, part: string, context: CellContext): Promise<SheetContent> {
  const content: SheetContent = { rows: [], merged: [], hiddenColumns: [] };
  const inline = collectText();
  const row = collectRows(content.rows);
  let column = -1;
  let cell: StoredCell | undefined;
  let field: 'value' | 'formula' | undefined;
  await readXml(archive, part, {
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
      } else if (name === 'mergeCell') addRange(content.merged, cellRange(attributes.ref ?? ''));
      else if (name === 'col' && isTrue(attributes.hidden))
        addRange(content.hiddenColumns, [Number(attributes.min) - 1, Number(attributes.max) - 1]);
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
        const style = context.styles[Number(cell.style)];
        const format = cell.type === 'd' ? DATE_FORMAT : cell.type === 'n' ? style?.format : undefined;
        row.add(column, cellSource(cell, context), { format, isStruck: style?.isStruck === true });
        cell = undefined;
      } else if (cell) inline.close(name);
    },
  });
  return content;
}

/** Returns the number of the next row. A row without a number follows the one before. */
function rowNumber(before: number, written?: string): number {
  const number = written === undefined ? before + 1 : Number(written);
  if (!(Number.isInteger(number) && number > before)) throw damaged(`row ${written} follows row ${before}`);
  checkRow(number);
  return number;
}

/** Starts the next cell of a row. A cell without a place follows the one before. */
function openCell(row: number, before: number, attributes: Attributes): StoredCell {
  const { r: name = `${columnLetters(before + 1)}${row}`, t: type = 'n', s: style = '' } = attributes;
  const place = cellPlace(name);
  checkColumn(place.column, name);
  if (place.row !== row || place.column <= before) throw damaged(`${name} is in a wrong place`, name);
  return { name, ...place, type, style, hasFormula: false, formula: '', value: '', text: '' };
}

/** What the cells of a workbook refer to. */
export interface CellContext {
  strings: readonly CellSource[];
  /** By the index that cells refer to. */
  styles: readonly CellLook[];
  /** The year in which dates begin. */
  dateSystem: 1900 | 1904;
}

interface StoredCell extends CellPlace {
  /** Such as `E17`. */
  name: string;
  type: string;
  style: string;
  hasFormula: boolean;
  /** Empty if the cell shares the formula of another one. */
  formula: string;
  /** The content of its `v` element. */
  value: string;
  /** The text of its `is` element. */
  text: string;
}

/** Returns the value of a cell, of a formula the stored one. @throws WorkbookFault for a value that no program writes. */
function cellSource(cell: StoredCell, { strings, styles, dateSystem }: CellContext): CellSource {
  const { name, type, style, hasFormula, formula, value, text } = cell;
  if (type === 'inlineStr') return text === '' ? '' : JSON.stringify(text);
  if (value === '') return hasFormula && type !== 'str' ? `=${formula}` : '';
  switch (type) {
    case 's': {
      const found = /^\d+$/.test(value) ? strings[Number(value)] : undefined;
      if (found === undefined) throw damaged(`the text ${value} is missing`, name);
      return found === '""' ? '' : found;
    }
    case 'str':
      return JSON.stringify(withoutEscapes(value));
    case 'b':
      return value === '1' || value === 'true' ? 'true' : 'false';
    case 'e':
      return value.startsWith('#') ? value : `#${value}`;
    case 'd':
      return value.replace('T', ' ').replace(/ 00:00:00(\.0+)?$/, '');
    case 'n': {
      const number = storedNumber(value, name);
      return styles[Number(style)]?.format?.isDate ? dateSource(number, dateSystem) : numberSource(number);
    }
    default:
      throw damaged(`the type ${type} is unknown`, name);
  }
}

/** Reads the texts that cells refer to by index. */
export async function readSharedStrings(archive: Archive, part: string): Promise<CellSource[]> {
  const strings: CellSource[] = [];
  const { open, text, close, take } = collectText();
  await readXml(archive, part, {
    open,
    text,
    close(name) {
      close(name);
      if (name === 'si') strings.push(JSON.stringify(take()));
    },
  });
  return strings;
}

/** Collects the text of `t` elements, including formatted runs, but not phonetic hints (`rPh`). */
function collectText() {
  let text = '';
  let isText = false;
  let isPhonetic = false;
  return {
    open(name: string) {
      if (name === 't') isText = !isPhonetic;
      else if (name === 'rPh') isPhonetic = true;
    },
    text(piece: string) {
      if (isText) text = joinText(text, piece);
    },
    close(name: string) {
      if (name === 't') isText = false;
      else if (name === 'rPh') isPhonetic = false;
    },
    take() {
      const taken = withoutEscapes(text);
      text = '';
      return taken;
    },
  };
}

/** Decodes escapes such as `_x000D_`, with a small x, for characters that XML forbids or changes (ECMA-376, 22.9.2.19). */
function withoutEscapes(text: string): string {
  if (!text.includes('_')) return text;
  return text.replace(/_x([0-9a-fA-F]{4})_/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}
