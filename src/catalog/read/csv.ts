import type { Column } from '../../contract/columns.ts';
import { excerpt, plural } from '../../messages.ts';
import type { Reporter, SourceLocation } from '../problems/problems.ts';
import { chooseDelimiter, columnName, delimiters, separatorLine } from './csv-dialect.ts';
import { type CsvRecord, cellStarts, readRecords } from './csv-records.ts';
import type { SourceText } from './decode.ts';
import { type RowText, type Table, unknownColumn } from './table.ts';

/**
 * Parses a CSV file (RFC 4180, but with any mix of CRLF, LF and CR). The header is the first row that is not blank, after
 * an optional line such as `sep=;`. Ignores blank rows, and blank columns without a name at the right.
 */
export function parseCsv(
  source: SourceText,
  columns: Column[],
  decimal: Table['decimal'],
  report: Reporter,
  onRow?: (part: number) => void,
): Table {
  const { file, text } = source;
  const offset = separatorLine(text);
  const delimiter = chooseDelimiter(
    text.slice(offset),
    columns.map(column => column.name),
  );
  const { records, complete } = readRecords(source, offset, delimiter, report, onRow);
  const [header, ...body] = records.filter(({ cells }) => !cells.every(isBlank));
  const allNames = header?.cells.map(columnName) ?? [];
  const width = allNames.findLastIndex(name => name !== '') + 1;
  const names = allNames.slice(0, width);
  const locateCell = (record: Pick<CsvRecord, 'start' | 'end'>, index: number) =>
    source.locate(cellStarts(text, record, delimiter, index + 1)[index] ?? record.end);

  if (header) {
    const starts = cellStarts(text, header, delimiter);
    checkHeader(names, columns, index => source.locate(starts[index] ?? header.start), report);
  } else if (complete) {
    report(source.locate(0), 'EMPTY_FILE', 'the file is empty: write a row of column headings');
  }
  const matchesHeader = ({ cells }: CsvRecord) =>
    cells.length >= width && cells.length <= allNames.length && cells.slice(width).every(isBlank);
  for (const record of body.filter(record => !matchesHeader(record))) {
    report(source.locate(record.start), 'RAGGED_ROW', raggedRow(record.cells.length, width, delimiter));
  }
  return {
    file,
    format: 'csv',
    encoding: source.encoding,
    delimiter,
    decimal,
    header: header && new Set(names),
    rows: body.map(record => ({
      start: record.start,
      end: record.end,
      matchesHeader: matchesHeader(record),
      names,
      cells: record.cells,
    })),
    lastRow: lastRow(text, body),
    complete: complete && columns.every(({ name, required }) => !required || names.includes(name)),
    locate: (row, column) =>
      column === undefined ? source.locate(row.start) : locateCell(row, Math.max(0, names.indexOf(column))),
  };
}

function lastRow(text: string, body: CsvRecord[]): RowText | undefined {
  const last = body.at(-1);
  if (!last) return undefined;
  let end = last.end;
  while (end > last.start && /[\r\n]/.test(text[end - 1] ?? '')) end -= 1;
  // A copy: this outlives the text, and a slice would make V8 keep all of it.
  const copy = Buffer.from(text.slice(last.start, end)).toString();
  return { text: copy, hasLineEnd: end < last.end };
}

function isBlank(cell: string): boolean {
  return cell.trim() === '';
}

function checkHeader(
  names: string[],
  columns: Column[],
  locate: (index: number) => SourceLocation,
  report: Reporter,
): void {
  const known = columns.map(column => column.name);
  for (const [index, name] of names.entries()) {
    const first = names.indexOf(name);
    if (name === '') {
      const message = `column ${index + 1} has no heading: write one of ${known.join(', ')}, or delete the column`;
      report(locate(index), 'BLANK_COLUMN', message);
    } else if (first < index) {
      const message = `two columns have the heading ${excerpt(name)}: delete one of them`;
      report(locate(index), 'DUPLICATE_COLUMN', message, locate(first));
    } else if (name === '__proto__') {
      report(locate(index), 'FORBIDDEN_COLUMN', 'a column cannot be named __proto__: delete it');
    } else if (!known.includes(name)) {
      report(locate(index), 'UNKNOWN_COLUMN', unknownColumn(name, known));
    }
  }
  for (const { name, required } of columns) {
    if (!required || names.includes(name)) continue;
    report(locate(0), 'MISSING_COLUMN', `there is no column with the heading ${name}: add it`);
  }
}

function raggedRow(cells: number, headings: number, delimiter: string): string {
  const name = delimiters.get(delimiter);
  const remedy =
    cells > headings
      ? `clear the cells without a heading, and put a cell that contains a ${name} in quotes`
      : `write a ${name} after every cell but the last, even after an empty one`;
  return `this row has ${plural(cells, 'cell')} under ${plural(headings, 'heading')}: ${remedy}`;
}
