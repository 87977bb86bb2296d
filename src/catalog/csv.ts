import { CsvError } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import type { Report } from './problems.ts';
import type { Column } from './schemas.ts';
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
export function parseCsv(source: SourceText, columns: Column[], report: Report): Table {
  const { records, complete } = readRecords(source, report);
  const [header, ...body] = records.filter(
    record => record.cells.length > 1 || record.cells[0]?.trim() !== '',
  );
  const names = header?.cells.map(columnName) ?? [];
  if (header) checkHeader(source, header, names, columns, report);
  else report(source.place(0), 'EMPTY_FILE', 'the file is empty: write a header row');
  return {
    file: source.file,
    notation: 'csv',
    header: header && new Set(names),
    rows: body.map(record => rawRow(record, names, checkWidth(source, record, names.length, report))),
    complete: complete && header !== undefined,
    place: (row, column) =>
      source.place(column === undefined ? row.start : cellStart(source.text, row, names.indexOf(column))),
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
    if (error.code === 'CSV_QUOTE_NOT_CLOSED') {
      report(
        source.place(cell),
        'UNCLOSED_QUOTE',
        'a quote opens this cell and is never closed: add the closing "',
      );
    } else {
      const message =
        'a quote stands inside this cell: put the whole cell in quotes and write each inner " twice';
      report(source.place(cell), 'STRAY_QUOTE', message);
    }
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
  names: string[],
  columns: Column[],
  report: Report,
): void {
  const known = columns.map(column => column.name);
  const place = (index: number) => source.place(cellStart(source.text, header, index));
  for (const [index, name] of names.entries()) {
    const first = names.indexOf(name);
    if (name === '') {
      report(
        place(index),
        'BLANK_COLUMN',
        `column ${index + 1} has no name: write one of ${known.join(', ')}`,
      );
    } else if (first < index) {
      const message = `the column ${name} stands twice: delete one of the two`;
      report(place(index), 'DUPLICATE_COLUMN', message, place(first));
    } else if (!known.includes(name)) {
      report(place(index), 'UNKNOWN_COLUMN', unknownColumn(name, known));
    }
  }
  for (const { name, required } of columns) {
    if (!required || names.includes(name)) continue;
    report(place(0), 'MISSING_COLUMN', `the header lacks the column ${name}: add it`);
  }
}

function checkWidth(source: SourceText, { start, cells }: CsvRecord, width: number, report: Report): boolean {
  if (cells.length === width) return true;
  const hint =
    cells.length > width
      ? 'put a cell that contains a comma in quotes'
      : 'write a comma for each cell, also for an empty one';
  report(source.place(start), 'RAGGED_ROW', `${cells.length} cells under ${width} headers: ${hint}`);
  return false;
}

function rawRow({ start, end, cells }: CsvRecord, names: string[], whole: boolean): RawRow {
  return { start, end, whole, cells: new Map(cells.map((cell, index) => [names[index] ?? '', cell])) };
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
