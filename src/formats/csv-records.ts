import type { ProblemCode, Reporter } from '../contract/problems.ts';
import type { SourceText } from './decode.ts';
import { columnLetters, MAX_COLUMNS, MAX_ROWS, type RawRow, tooManyColumns, tooManyRows } from './table.ts';

const LF = 10;
const CR = 13;
const QUOTE = 34;

/** One record of a CSV file, whose columns are not known yet. */
export interface CsvRecord extends RawRow {
  number: number;
}

const NO_NAMES: readonly string[] = [];

/**
 * The records from an offset to the end of the text (RFC 4180), without empty lines. After a quoting error they are not
 * `complete`: only the records before it are returned, or none if a row or the file is too large. Long cells are parts of
 * the text, which stays in memory as long as they do.
 */
export function readRecords(
  source: SourceText,
  from: number,
  delimiter: string,
  report: Reporter,
): { records: CsvRecord[]; complete: boolean } {
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
      report({ ...source.locate(record.end), row: number, cell }, record.fault, faults[record.fault]);
      return { records, complete: false };
    }
    if (records.length === MAX_ROWS) return refuse(start, 'TOO_MANY_ROWS', tooManyRows);
    if (cells.length > MAX_COLUMNS) return refuse(start, 'TOO_MANY_COLUMNS', tooManyColumns);
    const end = afterLineBreak(text, record.end);
    // A row is made in one piece: copies of 100,000 of them take long.
    records.push({ start, end, number, matchesHeader: true, names: NO_NAMES, cells });
    start = end;
  }
  return { records, complete: true };
}

const faults = {
  UNCLOSED_QUOTE: 'the quote that opens this cell is never closed: add the closing "',
  STRAY_QUOTE:
    'this cell contains a quote: put the whole cell in quotes, and write "" for each quote inside it',
} as const satisfies Partial<Record<ProblemCode, string>>;

/** Adds the cells of a record, and where each begins. Returns where it ends, before its line break; or where its faulty cell begins. */
function readCells(
  text: string,
  start: number,
  separator: number,
  cells: string[],
  starts?: number[],
): { end: number; fault?: keyof typeof faults } {
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
    // Nothing may follow a closing quote, and a cell that does not begin with a quote has none.
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

/** The offset of the quote that closes the one at `open`; -1 if there is none. */
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

/** The offsets of the cells of a record. */
export function cellStarts(text: string, { start }: Pick<CsvRecord, 'start'>, delimiter: string): number[] {
  const starts: number[] = [];
  readCells(text, start, delimiter.charCodeAt(0), [], starts);
  return starts;
}
