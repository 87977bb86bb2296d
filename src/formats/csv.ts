import type { Column } from '../contract/columns.ts';
import type { Reporter, SourceLocation } from '../contract/problems.ts';
import { plural } from '../messages.ts';
import { type CsvRecord, cellStarts, readRecords } from './csv-records.ts';
import { type SourceText, sourceText } from './decode.ts';
import { readHeader, withoutHeading } from './header.ts';
import {
  columnLetters,
  knownHeadings,
  MAX_TITLE_ROWS,
  type RawRow,
  type RowText,
  type Table,
} from './table.ts';

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
): Table {
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
  const { header, names, hasRequired } = readHeader(filled, columns, place, report, complete);
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
    locate: (row, column) =>
      column === undefined
        ? place(row)
        : { ...place(row, Math.max(0, names.indexOf(column))), heading: column },
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

/** Excel leaves out the empty columns at the right of 16 rows at a time, counted from the first row of the sheet. */
const BLOCK_ROWS = 16;

/**
 * Whether a row has its cells under the right headings: it has `width` of them; or a program has added blank cells, or left
 * out empty ones after the first `needed`, and all rows of its block have as many. The first record is the header.
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
  // Rows that lack a needed cell are refused, and say nothing about the others; nor does the header about longer ones.
  const others = [...before, ...block].filter(other =>
    other === header ? cells.length < width : other.cells.length >= needed,
  );
  // One row alone may as well have lost a cell in the middle, or have a delimiter inside a cell.
  return others.length > 1 && others.every(other => other.cells.length === cells.length);
}

function isBlank(cell: string): boolean {
  return cell.trim() === '';
}

/** What is wrong with a row of too few or too many cells, and the index of the cell at fault if there is one. */
function raggedRow(
  cells: readonly string[],
  width: number,
  delimiter: string,
  isCutOff: boolean,
): { index: number | undefined; message: string } {
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

/** The location of an offset in a CSV file that cannot be read from there on, with the cell around it. */
export function cellAt(source: SourceText, known: readonly string[], offset: number): SourceLocation {
  // The character makes a cell of an empty end.
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

/** The delimiters of CSV files and their names, most common first. */
export const delimiters = new Map([
  [',', 'comma'],
  [';', 'semicolon'],
  ['\t', 'tab'],
  ['|', 'vertical bar'],
]);

/** The length of a first line such as `sep=;`, which names the delimiter for spreadsheets; 0 without one. */
function separatorLine(text: string): number {
  return /^"?sep=.?"?(?:\r\n|\n|\r)/i.exec(text)?.[0].length ?? 0;
}

/** In UTF-16 units; no known headings are nearly as long. */
const MAX_HEADING_LENGTH = 10_000;

/**
 * The delimiter that yields most `known` headings in one of the first lines, or, if these have none, most cells in the
 * first one; a comma in case of a tie.
 */
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
