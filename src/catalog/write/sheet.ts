import type { Column } from '../../contract/columns.ts';
import { validationXml } from './validations.ts';
import type { WrittenCatalog, WrittenValue } from './written-catalog.ts';
import { cellXml, columnLetter } from './xml.ts';

/** The formats of cells, each with its number: built in, or from 164 (ECMA-376, 18.8.30). A cell has the index as its style. */
export const formats = [
  { code: 'General', id: 0 },
  { code: '@', id: 49 },
  { code: 'yyyy-mm-dd hh:mm:ss', id: 164 },
] as const;
const [GENERAL, TEXT, TIME, HEADING] = [0, 1, 2, 3];

/** How long a text in a cell of Excel can be, in UTF-16 units. */
export const MAX_CELL_LENGTH = 32_767;
/** The day 1970-01-01, as spreadsheets count days. */
const EPOCH_DAY = 25_569;
const DAY_MS = 86_400_000;

/**
 * The XML of the sheet of a catalog: headings that stay in view, columns of the type of their values, and what may be
 * written into them. `catalogs` are those that have a sheet.
 */
export function sheetXml(written: WrittenCatalog, catalogs: readonly WrittenCatalog[]): string {
  const { columns, rows } = written;
  const styles = columns.map(styleOf);
  const cols = columns.map(
    (column, index) =>
      `<col min="${index + 1}" max="${index + 1}" width="${widthOf(column)}" style="${styles[index]}" customWidth="1"/>`,
  );
  const headings = columns.map(({ name }, index) => textCell(name, `${columnLetter(index)}1`, HEADING));
  const lines = rows.map((row, index) => {
    const cells = row.map((value, column) =>
      cell(value, `${columnLetter(column)}${index + 2}`, styles[column] ?? 0),
    );
    return `<row r="${index + 2}">${cells.join('')}</row>`;
  });
  return [
    '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>',
    `<cols>${cols.join('')}</cols>`,
    `<sheetData><row r="1">${headings.join('')}</row>${lines.join('')}</sheetData>`,
    validationXml(written, catalogs),
  ].join('');
}

/** Text keeps what is typed into it, such as 1-2, which would become a date. */
function styleOf({ schema }: Column): number {
  const { cellType = 'text' } = schema;
  if (cellType === 'time' || cellType === 'timeOrZero') return TIME;
  return cellType === 'text' || cellType === 'fileName' ? TEXT : GENERAL;
}

/** In characters: wide enough for the heading, and for most values. */
function widthOf(column: Column): number {
  const usual = { [GENERAL]: 10, [TEXT]: 32, [TIME]: 20 }[styleOf(column)] ?? 0;
  return Math.max(usual, column.name.length + 4);
}

function cell(value: WrittenValue, place: string, style: number): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return textCell(value, place, style);
  if (typeof value === 'boolean') return `<c r="${place}" t="b"><v>${Number(value)}</v></c>`;
  const number = value instanceof Date ? value.getTime() / DAY_MS + EPOCH_DAY : value;
  return `<c r="${place}" s="${style}"><v>${number}</v></c>`;
}

function textCell(text: string, place: string, style: number): string {
  return `<c r="${place}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${cellXml(text)}</t></is></c>`;
}

/** Whether no text is too long for a cell. */
export function fitsCells({ rows }: WrittenCatalog): boolean {
  return rows.every(row => row.every(value => typeof value !== 'string' || value.length <= MAX_CELL_LENGTH));
}
