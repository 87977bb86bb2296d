import { CsvError, type Options, Parser } from 'csv-parse';
import type { ProblemCode, Reporter } from '../../problems/problems.ts';
import { columnLetters } from '../column-names.ts';
import type { SourceText } from '../decode.ts';
import { MAX_COLUMNS, MAX_ROWS, tooManyColumns, tooManyRows } from '../table.ts';

/** In UTF-16 units. A longer line may have more cells than an array holds, which would crash V8. */
const MAX_LINE_LENGTH = 10_000_000;

/** In UTF-16 units. The parser takes bytes, and a second copy of the whole text takes too much memory. */
const CHUNK_LENGTH = 2 ** 20;

/** Thrown to stop the parser at too many rows or columns. */
class TooLarge extends Error {}

/** One record of a CSV file: its extent in the text (UTF-16 units), and its cells without their quotes. */
export interface CsvRecord {
  start: number;
  end: number;
  /** Its row in a spreadsheet, from 1. */
  number: number;
  cells: string[];
}

/**
 * The records from an offset to the end of the text, without empty lines. After a quoting error they are not `complete`:
 * only the records before it are returned, or none if a line or the file is too large. Calls `onRow` for each record with the
 * part of the text up to its end.
 */
export function readRecords(
  source: SourceText,
  from: number,
  delimiter: string,
  report: Reporter,
  onRow: (part: number) => void = () => {},
): { records: CsvRecord[]; complete: boolean } {
  const { text } = source;
  const long = longLine(text);
  if (long !== undefined) {
    const message = `this line has more than ${MAX_LINE_LENGTH} characters: check what wrote the file, and save it again`;
    report(source.locate(long), 'LINE_TOO_LONG', message);
    return { records: [], complete: false };
  }
  const records: CsvRecord[] = [];
  let readBytes = 0;
  let offset = from;
  let number = 0;
  const stop = (start: number, code: ProblemCode, message: string) => {
    report(source.locate(start), code, message);
    throw new TooLarge();
  };
  try {
    parse(text, from, {
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      // Otherwise csv-parse creates an error for each empty line, which takes as long as ten rows.
      skip_empty_lines: true,
      on_record: (cells: string[], { bytes: end }) => {
        const start = afterEmptyLines(text, offset);
        number += 1 + lineBreaks(text, offset, start);
        offset = afterBytes(text, offset, end - readBytes);
        readBytes = end;
        if (records.length === MAX_ROWS) stop(start, 'TOO_MANY_ROWS', tooManyRows);
        if (cells.length > MAX_COLUMNS) stop(start, 'TOO_MANY_COLUMNS', tooManyColumns);
        records.push({ start, end: offset, number, cells });
        onRow(offset / text.length);
      },
    });
    return { records, complete: true };
  } catch (error) {
    if (error instanceof TooLarge) return { records: [], complete: false };
    if (!(error instanceof CsvError)) throw error;
    // csv-parse counts the bytes up to the cell before, so the faulty cell starts after the next delimiter.
    const before = afterBytes(text, offset, Number(error.bytes) - readBytes);
    const index = Number(error.index);
    const start = index === 0 ? afterEmptyLines(text, before) : before + delimiter.length;
    const row = number + 1 + lineBreaks(text, offset, afterEmptyLines(text, offset));
    const cell = { ...source.locate(start), row, cell: `${columnLetters(index)}${row}` };
    if (error.code === 'CSV_QUOTE_NOT_CLOSED') {
      report(cell, 'UNCLOSED_QUOTE', 'the quote that opens this cell is never closed: add the closing "');
    } else {
      const message =
        'this cell contains a quote: put the whole cell in quotes, and write "" for each quote inside it';
      report(cell, 'STRAY_QUOTE', message);
    }
    return { records, complete: false };
  }
}

/**
 * Parses a text from an offset in chunks. The synchronous API of csv-parse needs the whole text as bytes, and its stream
 * API is asynchronous.
 * @throws CsvError, and whatever `on_record` throws.
 */
function parse(text: string, from: number, options: Options): void {
  const parser = new Parser(options);
  const fail = (error?: Error | null) => {
    if (error) throw error;
  };
  for (let start = from; start < text.length; ) {
    const end = endOfChunk(text, start);
    parser._transform(Buffer.from(text.slice(start, end)), 'utf8', fail);
    start = end;
  }
  // With nothing to parse, it would push to its stream, which nobody reads.
  if (from < text.length) parser._flush(fail);
}

/** Does not split a surrogate pair. */
function endOfChunk(text: string, start: number): number {
  const end = start + CHUNK_LENGTH;
  const isInside = (text.charCodeAt(end) & 0xfc00) === 0xdc00;
  return isInside ? end + 1 : Math.min(end, text.length);
}

/** The offset that is this many bytes of UTF-8 after another one. */
function afterBytes(text: string, from: number, bytes: number): number {
  let offset = from;
  for (let left = bytes; left > 0; offset += 1) {
    const unit = text.charCodeAt(offset);
    // Each half of a surrogate pair is two of its four bytes.
    if (unit < 0x80) left -= 1;
    else left -= unit < 0x800 || (unit & 0xf800) === 0xd800 ? 2 : 3;
  }
  return offset;
}

/** The offset of the first character that is not a line break. */
function afterEmptyLines(text: string, offset: number): number {
  let start = offset;
  while (text[start] === '\n' || text[start] === '\r') start += 1;
  return start;
}

/** How many lines end in a part of the text that consists of line breaks. */
function lineBreaks(text: string, start: number, end: number): number {
  return start === end ? 0 : (text.slice(start, end).match(/\r\n|\n|\r/g)?.length ?? 0);
}

/** The offset of the first line that is too long. */
function longLine(text: string): number | undefined {
  let start = 0;
  while (text.length - start > MAX_LINE_LENGTH) {
    const length = text.slice(start).search(/[\r\n]|$/);
    if (length > MAX_LINE_LENGTH) return start;
    start += length + 1;
  }
  return undefined;
}

/** The offsets of the first `most` cells. Delimiters inside quotes do not count. */
export function cellStarts(
  text: string,
  { start, end }: Pick<CsvRecord, 'start' | 'end'>,
  delimiter: string,
  most = MAX_COLUMNS,
): number[] {
  const starts = [start];
  let quoted = false;
  for (let offset = start; offset < end && starts.length < most; offset += 1) {
    if (text[offset] === '"') quoted = !quoted;
    else if (text[offset] === delimiter && !quoted) starts.push(offset + 1);
  }
  return starts;
}
