import { CsvError } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import type { Report } from './problems.ts';
import type { SourceText } from './text.ts';

/** In characters. A line of many more commas has more cells than an array holds, which would end the whole server. */
const MAX_LINE_LENGTH = 10_000_000;

/** One record of a CSV file: its extent in the text (UTF-16 units), and its cells without their quotes. */
export interface CsvRecord {
  start: number;
  end: number;
  cells: string[];
}

/** All records from an offset on, up to the end or, where it is not `complete`, to the first fault of quoting. */
export function readRecords(
  source: SourceText,
  from: number,
  delimiter: string,
  report: Report,
): { records: CsvRecord[]; complete: boolean } {
  const long = longLine(source.text);
  if (long !== undefined) {
    const message = `this line has more than ${MAX_LINE_LENGTH} characters: was the file written by mistake?`;
    report(source.place(long), 'LINE_TOO_LONG', message);
    return { records: [], complete: false };
  }
  const bytes = Buffer.from(source.text.slice(from));
  const records: CsvRecord[] = [];
  let readBytes = 0;
  let offset = from;
  try {
    parse(bytes, {
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      on_record: (cells: string[], { bytes: end }) => {
        const start = offset;
        offset += bytes.toString('utf8', readBytes, end).length;
        readBytes = end;
        records.push({ start, end: offset, cells });
      },
    });
    return { records, complete: true };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    // csv-parse has read all cells before the faulty one; a delimiter stands between the two in a row.
    const wholeCells = bytes.toString('utf8', readBytes, Number(error.bytes)).length;
    const cell = source.place(offset + wholeCells + (Number(error.index) > 0 ? delimiter.length : 0));
    if (error.code === 'CSV_QUOTE_NOT_CLOSED') {
      report(cell, 'UNCLOSED_QUOTE', 'a quote opens this cell and is never closed: add the closing "');
    } else {
      const message =
        'a quote stands inside this cell: put the whole cell in quotes and write each inner " twice';
      report(cell, 'STRAY_QUOTE', message);
    }
    return { records, complete: false };
  }
}

/** Offset of the first line that is too long. */
function longLine(text: string): number | undefined {
  let start = 0;
  while (text.length - start > MAX_LINE_LENGTH) {
    const length = text.slice(start).search(/[\r\n]|$/);
    if (length > MAX_LINE_LENGTH) return start;
    start += length + 1;
  }
  return undefined;
}

/** Offset at which the cell with this index begins: a delimiter divides only outside of quotes. */
export function cellStart(
  text: string,
  { start, end }: Pick<CsvRecord, 'start' | 'end'>,
  index: number,
  delimiter: string,
): number {
  let quoted = false;
  let offset = start;
  for (let left = index; left > 0 && offset < end; offset += 1) {
    if (text[offset] === '"') quoted = !quoted;
    else if (text[offset] === delimiter && !quoted) left -= 1;
  }
  return offset;
}
