import type { Column } from '../contract/columns.ts';
import type { ProblemCode, Reporter, SourceLocation } from '../contract/problems.ts';
import { plural } from '../messages.ts';
import { CR, LF, type SourceText, sourceText } from './decode.ts';
import { readHeader, withoutHeading } from './header.ts';
import {
  columnLetters,
  knownHeadings,
  MAX_COLUMNS,
  MAX_ROWS,
  MAX_TITLE_ROWS,
  type RawRow,
  type RowText,
  type Table,
  tooManyColumns,
  tooManyRows,
} from './table.ts';

/**
 * Parses a CSV file (RFC 4180, with any mix of CRLF, LF and CR). The header is the first row that is not blank, after an
 * optional line such as `sep=;`. Ignores blank rows, blank columns at the right, and blank cells there.
 */
export function parseCsv(source: SourceText, columns: Column[], decimal: '.' | ',', report: Reporter): Table {
  const { file, text } = source;
  const offset = separatorLine(text);
  const known = columns.map(column => column.name);
  const delimiter = chooseDelimiter(text.slice(offset), known);
  const { records, complete } = readRecords(source, offset, delimiter, report);
  const filled = records.filter(({ cells }) => !cells.every(isBlank));
  const [first] = filled;
  const headingStarts = first && cellStarts(text, first, delimiter);
  const place = (row?: RawRow, index?: number): SourceLocation => {
    if (!row) return source.locate(0);
    const { start, end, number = 0 } = row;
    if (index === undefined) return { ...source.locate(start), row: number };
    const starts = row === first ? headingStarts : cellStarts(text, row, delimiter);
    const at = source.locate(starts?.[index] ?? end);
    return { ...at, row: number, cell: `${columnLetters(index)}${number}` };
  };
  const { header, names, hasRequired, locate } = readHeader({ filled, columns, place, report }, complete);
  const needed =
    names.findLastIndex(name => columns.some(column => column.name === name && column.required)) + 1;
  const body = header ? filled.slice(1) : [];
  for (const [index, row] of body.entries()) {
    row.names = names;
    row.matchesHeader = fitsHeadings(filled, index + 1, row, names.length, needed);
  }
  const last = lastRow(text, body);
  return {
    file,
    format: 'csv',
    encoding: source.encoding,
    delimiter,
    decimal,
    header: header && new Set(names),
    rows: body,
    lastRow: last,
    check(row) {
      if (row.matchesHeader) return;
      const isCutOff = row === body.at(-1) && last?.hasLineEnd === false;
      const { index, message } = raggedRow(row.cells, names.length, delimiter, isCutOff);
      report(place(row, index), 'RAGGED_ROW', message);
    },
    complete: complete && hasRequired,
    locate,
  };
}

function lastRow(text: string, body: CsvRecord[]): RowText | undefined {
  const last = body.at(-1);
  if (!last) return undefined;
  const line = text.slice(last.start, last.end);
  // A copy, since this outlives the text, and V8 keeps the whole text for a slice.
  const copy = Buffer.from(line.replace(/\r?\n$|\r$/, '')).toString();
  return { text: copy, hasLineEnd: copy.length < line.length };
}

/** Excel omits empty columns at the right for blocks of 16 rows, counted from the first row of the sheet. */
const BLOCK_ROWS = 16;

/**
 * Whether the cells of a row are under the right headings. That is so if there are `width` of them. It is also so if a
 * program has added blank cells, or omitted empty ones after the first `needed`, and all rows of the block have the same
 * number of cells. The first record is the header.
 */
function fitsHeadings(
  records: readonly CsvRecord[],
  index: number,
  { cells, number }: CsvRecord,
  width: number,
  needed: number,
): boolean {
  if (cells.length === width) return true;
  if (cells.length < needed || !cells.slice(width).every(isBlank)) return false;
  const [header] = records;
  if (cells.length === header?.cells.length) return true;
  const blocksBefore = (other: CsvRecord) =>
    Math.floor((number - 1) / BLOCK_ROWS) - Math.floor((other.number - 1) / BLOCK_ROWS);
  const near = records.slice(Math.max(0, index - 2 * BLOCK_ROWS), index + BLOCK_ROWS);
  const block = near.filter(other => blocksBefore(other) === 0);
  const before = block.length > 1 ? [] : near.filter(other => blocksBefore(other) === 1);
  // Rows that lack a needed cell are refused anyway and prove nothing; nor does the header about longer rows.
  const others = [...before, ...block].filter(other =>
    other === header ? cells.length < width : other.cells.length >= needed,
  );
  // A single row may have lost a cell in the middle, or have a delimiter inside a cell.
  return others.length > 1 && others.every(other => other.cells.length === cells.length);
}

function isBlank(cell: string): boolean {
  return cell.trim() === '';
}

function raggedRow(cells: readonly string[], width: number, delimiter: string, isCutOff: boolean) {
  const name = delimiters.get(delimiter);
  const extra = cells.findIndex((cell, index) => index >= width && !isBlank(cell));
  if (extra !== -1) {
    const message = `${withoutHeading(JSON.stringify(cells[extra]?.slice(0, 40)), extra)}; if a cell of this row contains a ${name}, put that cell in quotes`;
    return { index: extra, message };
  }
  const ifComplete = isCutOff ? 'the file seems to be cut off here: save the whole file again, or ' : '';
  const remedy =
    cells.length < width
      ? `${ifComplete}write a ${name} after every cell but the last, even after an empty one`
      : `put a cell that contains a ${name} in quotes, or delete the empty cells at the end`;
  const message = `this row has ${plural(cells.length, 'cell')} under ${plural(width, 'heading')}: ${remedy}`;
  return { index: undefined, message };
}

/** Locates an offset in a CSV file that cannot be read from there on, and the cell around it. */
export function cellAt(source: SourceText, known: readonly string[], offset: number): SourceLocation {
  // The x makes a cell of an empty end.
  const before = sourceText(source.file, `${source.text.slice(0, offset)}x`);
  const start = separatorLine(before.text);
  let open: SourceLocation | undefined;
  const onFault: Reporter = place => {
    open = 'locate' in place ? place.locate() : place;
  };
  const delimiter = chooseDelimiter(before.text.slice(start), known);
  const { records } = readRecords(before, start, delimiter, onFault);
  const last = records.at(-1);
  const { row = last?.number ?? 1, cell = `${columnLetters((last?.cells.length ?? 1) - 1)}${row}` } =
    open ?? {};
  return { ...source.locate(offset), row, cell };
}

/** The delimiters and their names, most common first. */
export const delimiters = new Map([
  [',', 'comma'],
  [';', 'semicolon'],
  ['\t', 'tab'],
  ['|', 'vertical bar'],
]);

/** Returns the length of a first line such as `sep=;`, which sets the delimiter in spreadsheet programs; 0 if there is none. */
function separatorLine(text: string): number {
  return /^"?sep=.?"?(?:\r\n|\n|\r)/i.exec(text)?.[0].length ?? 0;
}

/** In UTF-16 units, far longer than all known headings together. */
const MAX_HEADING_LENGTH = 10_000;

/** Chooses the delimiter with the most `known` headings in one of the first lines, or else the most cells in the first. */
function chooseDelimiter(text: string, known: readonly string[]): string {
  const lines = text.slice(0, MAX_HEADING_LENGTH).match(/[^\r\n]*[\p{L}\p{N}][^\r\n]*/gu) ?? [];
  const first = lines.slice(0, MAX_TITLE_ROWS + 1);
  const matches = (delimiter: string) => {
    const unquoted = (line: string) => line.split(delimiter).map(cell => cell.replace(/^\s*"|"\s*$/g, ''));
    return Math.max(0, ...first.map(line => knownHeadings(unquoted(line), known)));
  };
  const cells = (delimiter: string) => first[0]?.split(delimiter).length ?? 0;
  const most = (count: (delimiter: string) => number) =>
    [...delimiters.keys()].reduce((best, other) => (count(other) > count(best) ? other : best));
  const best = most(matches);
  return matches(best) > 0 ? best : most(cells);
}

const QUOTE = 34;

/** A record whose columns are not known yet. */
interface CsvRecord extends RawRow {
  number: number;
}

const NO_NAMES: readonly string[] = [];

/**
 * Reads the records from an offset to the end of the text (RFC 4180), without empty lines. After a quoting error, it returns
 * only the records before it, and they are not `complete`. If a row or the file is too large, it returns none. Long cells are
 * slices, which keep the whole text in memory.
 */
export function readRecords(source: SourceText, from: number, delimiter: string, report: Reporter) {
  const { text } = source;
  const records: CsvRecord[] = [];
  const refuse = (start: number, code: ProblemCode, message: string) => {
    report(source.locate(start), code, message);
    return { records: [], complete: false };
  };
  const separator = delimiter.charCodeAt(0);
  for (let start = from, number = 1; start < text.length; number += 1) {
    const lineEnd = afterLineBreak(text, start);
    if (lineEnd > start) {
      start = lineEnd;
      continue;
    }
    const cells: string[] = [];
    const record = readCells(text, start, separator, cells);
    if (record.fault) {
      const cell = `${columnLetters(cells.length)}${number}`;
      const isSpaced = /^[ \t]+"/.test(text.slice(record.end, record.end + 9));
      const message = isSpaced ? 'delete the space before the quote of this cell' : quoteFaults[record.fault];
      report({ ...source.locate(record.end), row: number, cell }, record.fault, message);
      return { records, complete: false };
    }
    if (records.length === MAX_ROWS) return refuse(start, 'TOO_MANY_ROWS', tooManyRows);
    if (cells.length > MAX_COLUMNS) return refuse(start, 'TOO_MANY_COLUMNS', tooManyColumns);
    const end = afterLineBreak(text, record.end);
    // Made in one piece, since copying 100,000 rows takes long.
    records.push({ start, end, number, matchesHeader: true, names: NO_NAMES, cells });
    start = end;
  }
  return { records, complete: true };
}

const quoteFaults = {
  UNCLOSED_QUOTE: 'the quote that opens this cell is never closed: add the closing "',
  STRAY_QUOTE:
    'this cell contains a quote: put the whole cell in quotes, and write "" for each quote inside it',
} as const satisfies Partial<Record<ProblemCode, string>>;

/** Adds the cells of a record and their offsets. Returns where it ends, before the line break, or where a fault begins. */
function readCells(
  text: string,
  start: number,
  separator: number,
  cells: string[],
  starts?: number[],
): { end: number; fault?: keyof typeof quoteFaults } {
  for (let at = start; ; at += 1) {
    const begin = at;
    starts?.push(begin);
    const isQuoted = text.charCodeAt(begin) === QUOTE;
    if (isQuoted) {
      const close = closingQuote(text, begin);
      if (close === -1) return { end: begin, fault: 'UNCLOSED_QUOTE' };
      at = close + 1;
    }
    const end = endOfCell(text, at, separator);
    // Nothing may follow a closing quote, and an unquoted cell may not contain a quote.
    if (isQuoted ? end > at : end < text.length && text.charCodeAt(end) === QUOTE)
      return { end: begin, fault: 'STRAY_QUOTE' };
    cells.push(isQuoted ? unquoted(text.slice(begin + 1, at - 1)) : text.slice(begin, end));
    at = end;
    // An array of many millions of cells would crash V8.
    if (text.charCodeAt(at) !== separator || cells.length > MAX_COLUMNS) return { end: at };
  }
}

function endOfCell(text: string, from: number, separator: number): number {
  for (let at = from; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === separator || unit === LF || unit === CR || unit === QUOTE) return at;
  }
  return text.length;
}

/** Returns the offset of the quote that closes the one at `open`, or -1. */
function closingQuote(text: string, open: number): number {
  let at = text.indexOf('"', open + 1);
  while (at !== -1 && text.charCodeAt(at + 1) === QUOTE) at = text.indexOf('"', at + 2);
  return at;
}

function unquoted(text: string): string {
  return text.includes('"') ? text.replaceAll('""', '"') : text;
}

function afterLineBreak(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  if (unit === CR) return text.charCodeAt(at + 1) === LF ? at + 2 : at + 1;
  return unit === LF ? at + 1 : at;
}

function cellStarts(text: string, { start }: Pick<CsvRecord, 'start'>, delimiter: string): number[] {
  const starts: number[] = [];
  readCells(text, start, delimiter.charCodeAt(0), [], starts);
  return starts;
}
