import { type CatalogName, guardWords, isExtra, notPublic } from '../contract/columns.ts';
import type { SourceLocation, UnlocatedPlace } from '../contract/problems.ts';
import { excerpt, nearest } from '../messages.ts';

/**
 * A catalog parsed into rows and cells. Cells are raw: CSV cells without their quotes, values of front matter as they are
 * written, its own fields and JSON values as JSON, cells of workbooks as a {@link CellSource}. Nothing is validated yet.
 */
export interface Table {
  file: string;
  /** The sheet of a workbook; undefined for other files. */
  sheet?: string | undefined;
  format: 'csv' | 'json' | 'sheet' | 'markdown';
  encoding: string;
  delimiter?: string | undefined;
  decimal: '.' | ',';
  /** The column names of the header; undefined for an empty file, and for JSON and Markdown, whose rows name their columns. */
  header?: ReadonlySet<string> | undefined;
  rows: RawRow[];
  /** The last row of a CSV file; undefined if it has none, and for other files. */
  lastRow?: RowText | undefined;
  /** False if parsing stopped early or a column is missing: absent rows and values then prove nothing. */
  complete: boolean;
  /** The line of each row of a JSON file; undefined for other files. */
  lines?(): Uint32Array;
  /** Reports what only matters if this is a row of the table, and no note below it: its number of cells, and how they look. */
  check?(row: RawRow): void;
  /** The start of a row or, if the row has the column, of its value; in JSON, of what is at an offset in the value. */
  locate(row: RawRow, column?: string, offset?: number): SourceLocation;
}

/** A row of a table, or its value in a column, for reports. */
export function placeIn({ file, sheet, locate }: Table, row: RawRow, column?: string): UnlocatedPlace {
  const names = { ...(sheet !== undefined && { sheet }), ...(column && { heading: column }) };
  return { file, ...names, row, locate: () => locate(row, column) };
}

/** One row of a table: its extent in the text, and its cells. */
export interface RawRow {
  /** Offsets in the text (UTF-16 units); 0 in a workbook and in Markdown. */
  start: number;
  end: number;
  /** The row in a spreadsheet, from 1; undefined for JSON and Markdown. */
  number?: number;
  /** False if a row has more or fewer cells than the header. Only its id is used. */
  matchesHeader: boolean;
  /** The column name of each cell. Rows with the same names share the array: a Map for each row takes much memory. */
  names: readonly string[];
  /** Emptied once the row is validated. */
  cells: readonly string[];
}

/** The cell in a column of a row; the last one if the row has the column twice. */
export function cellOf({ names, cells }: RawRow, column: string): string | undefined {
  return cells[names.lastIndexOf(column)];
}

/** The text of a cell of a JSON file or a workbook: that of a string, or any other value as it is written. */
export function writtenText(cell: string): string {
  return cell.startsWith('"') ? String(JSON.parse(cell)) : cell;
}

/** The columns that a file has, known or not: those of its header, or those that any row names. */
export function columnsIn({ header, rows }: Table): Set<string> {
  const columns = new Set(header);
  let last: RawRow['names'] = [];
  for (const { names } of rows) {
    if (names !== last) for (const name of names) columns.add(name);
    last = names;
  }
  return columns;
}

/** The source text of a row, without its line end. */
export interface RowText {
  text: string;
  hasLineEnd: boolean;
}

/** What leaves a value out, by the format of its table. */
export const omissions: Readonly<Record<Table['format'], string>> = {
  csv: 'leave the cell empty',
  sheet: 'leave the cell empty',
  json: 'leave out the key',
  markdown: 'leave out the line',
};

/** The limits of a spreadsheet; a larger file is an accident or an attack. */
export const MAX_ROWS = 2 ** 20;
export const MAX_COLUMNS = 2 ** 14;
export const tooManyRows = `the file has more than ${MAX_ROWS} rows: delete empty and unneeded rows`;
export const tooManyColumns = `this row has more than ${MAX_COLUMNS} columns: delete empty and unneeded columns`;

/** What is kept of a table once its set is loaded. */
export interface LoadedFile extends Pick<Table, 'file' | 'sheet' | 'encoding' | 'delimiter' | 'lastRow'> {
  catalog: CatalogName;
  rows: number;
  /** A comma, if numbers are read with one as the decimal sign. */
  decimal: ',' | undefined;
}

/** The message for an unknown column: the nearest known name or, if it is like none and may be public, how to show it. */
export function unknownColumn(column: string, known: readonly string[], format: Table['format']): string {
  const near = nearest(columnName(column, known), known);
  const parts = column.slice(0, 100).split(/\P{L}+|(?<=\p{Ll})(?=\p{Lu})/u);
  const words = [column, guardWordOf(column) ?? '', ...parts].map(lettersOf);
  const isPrivate = (word: string) => notPublic.has(word) || nearest(word, [...wordsByLetters.keys()]);
  const isOurs = words.some(word => known.includes(word) || isPrivate(word));
  const letters = column.replace(/^\s*extra(?:\.|\s*$)/i, '').replace(/[^\p{L}\p{M}\p{Nd}-]+/gu, '_');
  // Own fields have names of up to 64 characters.
  const [name = 'NAME'] = /[^_](?:.{0,62}[^_])?/u.exec(letters) ?? [];
  const how = /csv|sheet/.test(format) ? `head it extra.${name}` : `move it into extra, as ${name}`;
  const hint = `known columns are ${known.join(', ')}${isOurs ? '' : `; to show it to every visitor, ${how}`}`;
  return `column ${excerpt(column) || '""'} is unknown and ignored: ${near ? `did you mean ${near}?` : hint}`;
}

/** Whether a column is neither one of a catalog or an own field nor one that may keep rows from visitors. */
export function isUnknown(name: string, known: readonly string[]): boolean {
  return !known.includes(name) && !isExtra(name) && guardWordOf(name) === undefined;
}

/** The word for what keeps rows from visitors that a heading is, such as `visibility` of `Visibility in catalog`. */
export function guardWordOf(name: string): string | undefined {
  if (isExtra(name)) return undefined;
  const letters = lettersOf(name.replace(/\(.*\)/, '')).replace(/^is|^.*(status|visibility).*$/, '$1');
  return wordsByLetters.get(letters);
}

const wordsByLetters = new Map(Object.keys(guardWords).map(word => [lettersOf(word), word]));

/** Only the letters of a text, in lower case. */
export function lettersOf(text: string): string {
  return text.toLowerCase().replace(/\P{L}/gu, '');
}

/** Those of the `known` columns of a catalog in whose place a word for what keeps rows from visitors is read. */
export function readAs(word: string | undefined, known: readonly string[]): string[] {
  const { yes, time, isRead } = guardWords[word ?? ''] ?? {};
  return isRead ? known.filter(name => (yes && name === 'hidden') || name === time) : [];
}

/** The message for a column that is read in place of these. */
export function foreignColumn(column: string, replaced: readonly string[]): string {
  return `column ${excerpt(column)} is read in place of ${replaced.join(' and ')}: write ${replaced.join(' or ')} instead, or rename this column if it is about something else`;
}

/** How many rows may stand above the heading row of a file, such as a title. Such a file is refused. */
export const MAX_TITLE_ROWS = 9;

/** How many of the cells are headings of known columns. */
export function knownHeadings(cells: readonly string[], known: readonly string[]): number {
  return cells.filter(cell => known.includes(columnName(cell, known))).length;
}

/**
 * The column that a heading names. Letter case, white space, hyphens and underscores do not matter: `Product ID`,
 * `product-id` and `productId` are product_id. The name of an own field stays as it is written.
 */
export function columnName(heading: string, known: readonly string[]): string {
  const letters = plainSpelling(heading);
  const same = known.find(column => plainSpelling(column) === letters);
  if (same !== undefined) return same;
  const [, name] = /^extra\.(.*)$/is.exec(heading.trim()) ?? [];
  return name === undefined ? heading.trim().toLowerCase().replace(/\s+/g, '_') : `extra.${name}`;
}

function plainSpelling(name: string): string {
  return name.toLowerCase().replace(/[\s_-]+/g, '');
}

/** The letters of a spreadsheet's column, from index 0: `A`, `Z`, `AA`. */
export function columnLetters(index: number): string {
  const before = Math.floor(index / 26);
  return (before > 0 ? columnLetters(before - 1) : '') + String.fromCharCode(65 + (index % 26));
}

/** How the decimals of a column are written. */
export interface DecimalStyle {
  decimal: '.' | ',';
  /** Whether a cell of the column proves the sign. If not, `1.928` is ambiguous. */
  isProven: boolean;
}

/** An ambiguous number of a row, read as a decimal. */
export interface AmbiguousNumber {
  catalog: CatalogName;
  id: unknown;
  column: string;
  value: number;
}

/** Whether a number may have a thousands separator or a decimal sign: `1.928` is 1928, or 1 and a fraction. */
export function isAmbiguous(text: string): boolean {
  return /^[1-9]\d{0,2}[.,]\d{3}$/.test(text);
}

/**
 * The decimal sign of a column. In JSON it is a point. Elsewhere it is the one in a text that can only be a decimal, such
 * as `0,5`, `12.50` or `1234.567`. Without such a text, or with both signs in such texts, it is that of the table.
 */
export function decimalStyle(table: Table, column: string): DecimalStyle {
  const { format, decimal, rows } = table;
  if (format === 'json') return { decimal, isProven: true };
  let other: DecimalStyle['decimal'] | undefined;
  for (const row of rows) {
    const cell = cellOf(row, column) ?? '';
    // A number of a workbook is written with a point, whatever the texts of its column look like.
    const isNumber = format === 'sheet' && !cell.startsWith('"');
    const sign = isNumber ? undefined : signOf(format === 'csv' ? cell : writtenText(cell));
    if (sign === decimal) return { decimal, isProven: true };
    other ??= sign;
  }
  return { decimal: other ?? decimal, isProven: other !== undefined };
}

/** The decimal sign of a number that can only be a decimal. */
function signOf(cell: string): DecimalStyle['decimal'] | undefined {
  const [text, sign] = /^\d+([.,])\d+$/.exec(cell.trim()) ?? [];
  if (text === undefined || isAmbiguous(text)) return undefined;
  return sign === ',' ? ',' : '.';
}

/** What spreadsheets show for a formula that fails, such as `#REF!`. */
export const FORMULA_ERROR = /^#(?:\p{Lu}[\p{Lu}\d/]*[!?]|N\/A)$/u;
