import type { Column } from '../contract/columns.ts';
import type { Reporter, SourceLocation } from '../contract/problems.ts';
import { plural } from '../messages.ts';
import { type CsvRecord, cellStarts, readRecords } from './csv-records.ts';
import { type SourceText, sourceText } from './decode.ts';
import { checkHeader, checkHeadingRow } from './header.ts';
import {
  columnLetters,
  columnName,
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
    checkHeader(names, header.cells, columns, locateHeading, report);
  }
  const needed =
    names.findLastIndex(name => columns.some(column => column.name === name && column.required)) + 1;
  const isWhole = openRowCheck(filled, width, needed);
  for (const row of body) {
    row.names = names;
    row.matchesHeader = isWhole(row);
  }
  const last = lastRow(text, body);
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
    check(row) {
      if (row.matchesHeader) return;
      const isCutOff = row === body.at(-1) && last?.hasLineEnd === false;
      const { index, message } = raggedRow(row.cells, width, delimiter, isCutOff);
      report(index === undefined ? locateRow(source, row) : locateCell(row, index), 'RAGGED_ROW', message);
    },
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

/** Excel leaves out the empty columns at the right of 16 rows at a time, counted from the first row of the sheet. */
const BLOCK_ROWS = 16;

const blockOf = ({ number }: CsvRecord) => Math.floor((number - 1) / BLOCK_ROWS);

/**
 * Decides which rows have their cells under the right headings: those of `width` cells; and those to which a program has
 * added blank cells, or that lack cells after the first `needed` ones, if all rows of their block have as many. The first
 * record is the header.
 */
function openRowCheck(
  records: readonly CsvRecord[],
  width: number,
  needed: number,
): (record: CsvRecord) => boolean {
  const [header] = records;
  let blocks: ReadonlyMap<number, CsvRecord[]> | undefined;
  return record => {
    const { cells } = record;
    if (cells.length === width) return true;
    if (cells.length < needed || !cells.slice(width).every(isBlank)) return false;
    if (cells.length === header?.cells.length) return true;
    blocks ??= blocksOf(records);
    const block = blocks.get(blockOf(record)) ?? [];
    const before = block.length > 1 ? [] : (blocks.get(blockOf(record) - 1) ?? []);
    // Rows that lack a needed cell are refused, and say nothing about the others; nor does the header about longer ones.
    const others = [...before, ...block].filter(other =>
      other === header ? cells.length < width : other.cells.length >= needed,
    );
    // One row alone may as well have lost a cell in the middle, or have a delimiter inside a cell.
    return others.length > 1 && others.every(other => other.cells.length === cells.length);
  };
}

function blocksOf(records: readonly CsvRecord[]): ReadonlyMap<number, CsvRecord[]> {
  const blocks = new Map<number, CsvRecord[]>();
  for (const record of records) {
    const block = blocks.get(blockOf(record));
    if (block) block.push(record);
    else blocks.set(blockOf(record), [record]);
  }
  return blocks;
}

function isBlank(cell: string): boolean {
  return cell.trim() === '';
}

/**
 * What is wrong with a row of too few or too many cells, and the index of the cell at fault if there is one. The file may be
 * cut off in the row if it ends there without a line end.
 */
function raggedRow(
  cells: readonly string[],
  width: number,
  delimiter: string,
  isCutOff: boolean,
): { index: number | undefined; message: string } {
  const name = delimiters.get(delimiter);
  const extra = cells.findIndex((cell, index) => index >= width && !isBlank(cell));
  if (extra === -1) {
    const ifComplete = isCutOff ? 'the file seems to be cut off here: save the whole file again, or ' : '';
    const remedy =
      cells.length < width
        ? `${ifComplete}write a ${name} after every cell but the last, even after an empty one`
        : `put a cell that contains a ${name} in quotes, or delete the empty cells at the end`;
    const message = `this row has ${plural(cells.length, 'cell')} under ${plural(width, 'heading')}: ${remedy}`;
    return { index: undefined, message };
  }
  const text = JSON.stringify(cells[extra]?.slice(0, 40));
  const letters = columnLetters(extra);
  const message = `${text} is in column ${letters}, which has no heading: clear the cell or give the column a heading; if a cell of this row contains a ${name}, put that cell in quotes`;
  return { index: extra, message };
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
