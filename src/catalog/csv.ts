import { type CsvRecord, cellStart, readRecords } from './csv-records.ts';
import { chooseDelimiter, columnName, delimiters, separatorLine } from './dialect.ts';
import { excerpt, type Place, type Report } from './problems.ts';
import type { Column } from './schemas.ts';
import { unknownColumn } from './suggest.ts';
import type { RowText, Table } from './table.ts';
import type { SourceText } from './text.ts';

/**
 * Takes a CSV file apart (RFC 4180; line ends CRLF, LF and CR, mixed too). The first row that is not blank is the
 * header, after a line such as `sep=;`. Blank rows, and nameless and blank columns at the end, are as if absent.
 */
export function parseCsv(
  source: SourceText,
  columns: Column[],
  decimal: Table['decimal'],
  report: Report,
): Table {
  const { file, text } = source;
  const offset = separatorLine(text);
  const delimiter = chooseDelimiter(
    text.slice(offset),
    columns.map(column => column.name),
  );
  const { records, complete } = readRecords(source, offset, delimiter, report);
  const [header, ...body] = records.filter(({ cells }) => !cells.every(isBlank));
  const names = header?.cells.map(columnName) ?? [];
  const width = names.findLastIndex(name => name !== '') + 1;
  const cellPlace = (record: Pick<CsvRecord, 'start' | 'end'>, index: number) =>
    source.place(cellStart(text, record, index, delimiter));

  if (header) checkHeader(names.slice(0, width), columns, index => cellPlace(header, index), report);
  else if (complete) report(source.place(0), 'EMPTY_FILE', 'the file is empty: write a header row');
  const isWhole = ({ cells }: CsvRecord) =>
    cells.length >= width && cells.length <= names.length && cells.slice(width).every(isBlank);
  for (const record of body.filter(record => !isWhole(record))) {
    report(source.place(record.start), 'RAGGED_ROW', raggedRow(record.cells.length, width, delimiter));
  }
  return {
    file,
    notation: 'csv',
    encoding: source.encoding,
    delimiter,
    decimal,
    header: header && new Set(names),
    rows: body.map(record => ({
      start: record.start,
      end: record.end,
      whole: isWhole(record),
      cells: new Map(record.cells.slice(0, width).map((cell, index) => [names[index] ?? '', cell])),
    })),
    lastRow: lastRow(text, body),
    complete: complete && columns.every(({ name, required }) => !required || names.includes(name)),
    place: (row, column) =>
      column === undefined ? source.place(row.start) : cellPlace(row, names.indexOf(column)),
  };
}

function lastRow(text: string, body: CsvRecord[]): RowText | undefined {
  const last = body.at(-1);
  const [row = '', lineEnd = ''] = last ? text.slice(last.start, last.end).split(/([\r\n]+$)/) : [];
  return last && { text: row, ended: lineEnd !== '' };
}

function isBlank(cell: string): boolean {
  return cell.trim() === '';
}

function checkHeader(
  names: string[],
  columns: Column[],
  place: (index: number) => Place,
  report: Report,
): void {
  const known = columns.map(column => column.name);
  for (const [index, name] of names.entries()) {
    const first = names.indexOf(name);
    if (name === '') {
      const message = `column ${index + 1} has no name: write one of ${known.join(', ')}`;
      report(place(index), 'BLANK_COLUMN', message);
    } else if (first < index) {
      const message = `the column ${excerpt(name)} stands twice: delete one of the two`;
      report(place(index), 'DUPLICATE_COLUMN', message, place(first));
    } else if (name === '__proto__') {
      report(place(index), 'FORBIDDEN_COLUMN', 'the name __proto__ is no name for a column: delete it');
    } else if (!known.includes(name)) {
      report(place(index), 'UNKNOWN_COLUMN', unknownColumn(name, known));
    }
  }
  for (const { name, required } of columns) {
    if (!required || names.includes(name)) continue;
    report(place(0), 'MISSING_COLUMN', `the header lacks the column ${name}: add it`);
  }
}

function raggedRow(cells: number, width: number, delimiter: string): string {
  const name = delimiters.get(delimiter);
  const hint =
    cells > width
      ? `put a cell that contains a ${name} in quotes`
      : `write a ${name} after each cell but the last, also after an empty one`;
  return `${cells} cells under ${width} headers: ${hint}`;
}
