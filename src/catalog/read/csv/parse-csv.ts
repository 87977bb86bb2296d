import type { Column } from '../../../contract/columns.ts';
import type { Reporter, SourceLocation } from '../../../contract/problems.ts';
import { columnLetters, columnName } from '../column-names.ts';
import type { SourceText } from '../decode.ts';
import { checkHeader, checkHeadingRow } from '../header.ts';
import type { RawRow, RowText, Table } from '../table.ts';
import { chooseDelimiter, separatorLine } from './dialect.ts';
import { type CsvRecord, cellStarts, readRecords } from './records.ts';
import { isBlank, openRowCheck, raggedRow } from './rows.ts';

/**
 * Parses a CSV file (RFC 4180, but with any mix of CRLF, LF and CR). The header is the first row that is not blank, after
 * an optional line such as `sep=;`. Ignores blank rows, blank columns without a heading at the right, and blank cells
 * there.
 */
export function parseCsv(
  source: SourceText,
  columns: Column[],
  decimal: Table['decimal'],
  report: Reporter,
  onRow?: (part: number) => void,
): Table {
  const { file, text } = source;
  const known = columns.map(column => column.name);
  const offset = separatorLine(text);
  const delimiter = chooseDelimiter(text.slice(offset), known);
  const { records, complete } = readRecords(source, offset, delimiter, report, onRow);
  const filled = records.filter(({ cells }) => !cells.every(isBlank));
  const locateHeadings = (row: CsvRecord | undefined) => (row ? locateRow(source, row) : source.locate(0));
  const hasHeader = complete ? checkHeadingRow(filled, known, locateHeadings, report) : filled.length > 0;
  const [header, ...body] = hasHeader ? filled : [];
  const allNames = header?.cells.map(cell => columnName(cell, known)) ?? [];
  const width = allNames.findLastIndex(name => name !== '') + 1;
  const names = allNames.slice(0, width);
  const locateCell = (
    row: Extent,
    index: number,
    starts = cellStarts(text, row, delimiter, index + 1),
  ): SourceLocation => ({
    ...locateRow(source, row, starts[index] ?? row.end),
    cell: `${columnLetters(index)}${row.number}`,
  });
  if (header) {
    const starts = cellStarts(text, header, delimiter);
    const locateHeading = (index: number) => ({
      ...locateCell(header, index, starts),
      heading: names[index] ?? '',
    });
    checkHeader(names, columns, locateHeading, report);
  }
  const needed =
    names.findLastIndex(name => columns.some(column => column.name === name && column.required)) + 1;
  const isWhole = openRowCheck(filled, width, needed);
  for (const row of body) {
    row.names = names;
    row.matchesHeader = isWhole(row);
  }
  const last = lastRow(text, body);
  for (const row of body.filter(({ matchesHeader }) => !matchesHeader)) {
    const isCutOff = row === body.at(-1) && last?.hasLineEnd === false;
    const { index, message } = raggedRow(row.cells, width, delimiter, isCutOff);
    const place = index === undefined ? locateRow(source, row) : locateCell(row, index);
    report(place, 'RAGGED_ROW', message);
  }
  return {
    file,
    sheet: undefined,
    format: 'csv',
    encoding: source.encoding,
    delimiter,
    decimal,
    header: header && new Set(names),
    rows: body,
    lastRow: last,
    complete: complete && columns.every(({ name, required }) => !required || names.includes(name)),
    locate: (row, column) =>
      column === undefined
        ? locateRow(source, row)
        : { ...locateCell(row, Math.max(0, names.indexOf(column))), heading: column },
  };
}

type Extent = Pick<RawRow, 'start' | 'end' | 'number'>;

function locateRow({ locate }: SourceText, { start, number = 0 }: Extent, offset = start): SourceLocation {
  return { ...locate(offset), row: number };
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
