import { CsvError } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import type { Report } from './problems.ts';
import { unknownColumn } from './suggest.ts';
import type { RawRow, Table } from './table.ts';
import type { SourceText } from './text.ts';

const DELIMITER = ',';

interface CsvRecord {
  start: number;
  end: number;
  cells: string[];
}

/** Takes a CSV file apart (RFC 4180; line ends CRLF, LF and CR, mixed too). The first line that is not blank is the header. */
export function parseCsv(source: SourceText, known: readonly string[], report: Report): Table {
  const { records, complete } = readRecords(source, report);
  const [header, ...body] = records.filter(
    record => record.cells.length > 1 || record.cells[0]?.trim() !== '',
  );
  const columns = header?.cells.map(columnName) ?? [];
  if (header === undefined) {
    report({
      file: source.file,
      line: 1,
      column: 1,
      code: 'EMPTY_FILE',
      message: 'the file is empty: write a header row',
    });
  } else {
    checkHeader(source, header, columns, known, report);
  }
  return {
    file: source.file,
    notation: 'csv',
    header: header && new Set(columns.filter(column => known.includes(column))),
    rows: body.map(record => rawRow(record, columns, checkWidth(source, record, columns.length, report))),
    complete: complete && header !== undefined,
    place: (row, column) =>
      source.place(column === undefined ? row.start : cellStart(source.text, row, columns.indexOf(column))),
  };
}

/** All records up to the end or the first fault of quoting, with their places. */
function readRecords(source: SourceText, report: Report): { records: CsvRecord[]; complete: boolean } {
  const bytes = Buffer.from(source.text);
  const records: CsvRecord[] = [];
  let readBytes = 0;
  let offset = 0;
  try {
    parse(bytes, {
      delimiter: DELIMITER,
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
    const cell = offset + wholeCells + (Number(error.index) > 0 ? DELIMITER.length : 0);
    const unclosed = error.code === 'CSV_QUOTE_NOT_CLOSED';
    report({
      ...source.place(cell),
      code: unclosed ? 'UNCLOSED_QUOTE' : 'STRAY_QUOTE',
      message: unclosed
        ? 'this cell opens a quote that is never closed: add the closing "'
        : 'a quote stands inside this cell: put the whole cell in quotes and write each inner " twice',
    });
    return { records, complete: false };
  }
}

/** Headers are matched without regard to case and to white space around them (no-break spaces too). */
function columnName(header: string): string {
  return header.trim().toLowerCase();
}

function checkHeader(
  source: SourceText,
  header: CsvRecord,
  columns: string[],
  known: readonly string[],
  report: Report,
): void {
  for (const [index, column] of columns.entries()) {
    const place = source.place(cellStart(source.text, header, index));
    if (column === '') {
      report({
        ...place,
        code: 'BLANK_COLUMN',
        message: `column ${index + 1} has no name: write one of ${known.join(', ')}`,
      });
    } else if (columns.indexOf(column) < index) {
      const also = source.place(cellStart(source.text, header, columns.indexOf(column)));
      report({
        ...place,
        code: 'DUPLICATE_COLUMN',
        message: `the column ${column} stands twice: delete one of the two`,
        also,
      });
    } else if (!known.includes(column)) {
      report({ ...place, code: 'UNKNOWN_COLUMN', message: unknownColumn(column, known) });
    }
  }
}

function checkWidth(source: SourceText, record: CsvRecord, width: number, report: Report): boolean {
  const count = record.cells.length;
  if (count === width) return true;
  const hint =
    count > width
      ? 'put a cell that contains a comma in quotes'
      : 'write a comma for each cell, also for an empty one';
  report({
    ...source.place(record.start),
    code: 'RAGGED_ROW',
    message: `${count} cells under ${width} headers: ${hint}`,
  });
  return false;
}

function rawRow({ start, end, cells }: CsvRecord, columns: string[], whole: boolean): RawRow {
  return { start, end, whole, cells: new Map(cells.map((cell, index) => [columns[index] ?? '', cell])) };
}

/** Offset at which the cell with this index begins: a delimiter divides only outside of quotes. */
function cellStart(text: string, { start, end }: { start: number; end: number }, index: number): number {
  let quoted = false;
  let offset = start;
  for (let left = index; left > 0 && offset < end; offset += 1) {
    if (text[offset] === '"') quoted = !quoted;
    else if (text[offset] === DELIMITER && !quoted) left -= 1;
  }
  return offset;
}
