import type { Column } from '../contract/columns.ts';
import type { Reporter, SourceLocation } from '../contract/problems.ts';
import { excerpt, nearest } from '../messages.ts';
import { isUnknown, knownHeadings, MAX_TITLE_ROWS, unknownColumn } from './table.ts';

/** A row of a CSV file or a sheet that is not blank. */
interface FilledRow {
  /** Its row in a spreadsheet, from 1. */
  number: number;
  /** The texts of its cells. */
  cells: readonly string[];
}

/**
 * Whether the first row has the column headings; reports it otherwise, and then no other problem of the file. `locate` gives
 * the place of a row, or the beginning of the file.
 */
export function checkHeadingRow<Row extends FilledRow>(
  filled: readonly Row[],
  known: readonly string[],
  locate: (row: Row | undefined) => SourceLocation,
  report: Reporter,
): boolean {
  const [first] = filled;
  const index = headingRow(filled, known);
  if (!first) {
    const place = locate(undefined);
    const what = place.sheet === undefined ? 'file' : 'sheet';
    report(place, 'EMPTY_FILE', `the ${what} is empty: write a row of column headings`);
  } else if (index === undefined) {
    const message = `this row has none of the column headings: write ${known.join(', ')}, one in each cell`;
    report(locate(first), 'NO_HEADINGS', message);
  } else if (index > 0) {
    const row = filled[index]?.number;
    const message = `the column headings seem to be in row ${row}: delete the rows above them`;
    report(locate(first), 'TITLE_ROW', message);
  }
  return index === 0;
}

/**
 * The index of the row with the column headings: the first one, unless another of the first rows has more known headings;
 * undefined if none of them has a known heading.
 */
function headingRow(rows: readonly FilledRow[], known: readonly string[]): number | undefined {
  const matches = rows.slice(0, MAX_TITLE_ROWS + 1).map(({ cells }) => knownHeadings(cells, known));
  const most = Math.max(0, ...matches);
  return most === 0 ? undefined : matches.indexOf(most);
}

/** The required columns that seem to have another heading, such as `price (EUR)`, `prise` or, as the only one, `Preis`, by its index. */
function renamedColumns(names: readonly string[], columns: readonly Column[]): Map<number, string> {
  const known = columns.map(({ name }) => name);
  const missing = known.filter((name, index) => columns[index]?.required && !names.includes(name));
  const unknown = [...names.keys()].filter(index => names[index] && isUnknown(names[index], known));
  const found = new Map<number, string>();
  const isLike = (name: string, column: string) =>
    (name.startsWith(column) && /^[\s_]*[([:./-]/.test(name.slice(column.length))) ||
    nearest(name, [column]) !== undefined;
  const left = missing.filter(column => {
    const index = unknown.find(index => !found.has(index) && isLike(names[index] ?? '', column));
    if (index !== undefined) found.set(index, column);
    return index === undefined;
  });
  const others = unknown.filter(index => !found.has(index));
  const [[column, ...columnsLeft], [index, ...indexesLeft]] = [left, others];
  const isOnly = columnsLeft.length === 0 && indexesLeft.length === 0;
  if (column !== undefined && index !== undefined && isOnly) found.set(index, column);
  return found;
}

/**
 * Checks the names of the columns. `headings` are the same as they are written. `locate` gives the heading of a column by its
 * index.
 */
export function checkHeader(
  names: readonly string[],
  headings: readonly string[],
  columns: readonly Column[],
  locate: (index: number) => SourceLocation,
  report: Reporter,
): void {
  const known = columns.map(column => column.name);
  const renamed = renamedColumns(names, columns);
  for (const [index, name] of names.entries()) {
    const heading = (headings[index] ?? name).trim();
    const missing = renamed.get(index);
    const first = names.indexOf(name);
    if (name === '') {
      const message = `the column has no heading: write one of ${known.join(', ')}, or delete the column`;
      report(locate(index), 'BLANK_COLUMN', message);
    } else if (first < index) {
      const message = `two columns have the heading ${excerpt(name)}: delete one of them`;
      report(locate(index), 'DUPLICATE_COLUMN', message, locate(first));
    } else if (name === '__proto__') {
      report(locate(index), 'FORBIDDEN_COLUMN', 'a column cannot be named __proto__: delete it');
    } else if (missing !== undefined) {
      const message = `the heading ${excerpt(heading)} is not that of a column: if it is ${missing}, rename it to ${missing}, and write the values as that column has them`;
      report({ ...locate(index), heading: missing }, 'MISSING_COLUMN', message);
    } else if (isUnknown(name, known)) {
      report(locate(index), 'UNKNOWN_COLUMN', unknownColumn(heading, known));
    }
  }
  for (const { name, required } of columns) {
    if (!required || names.includes(name) || [...renamed.values()].includes(name)) continue;
    const { cell: _, ...row } = locate(0);
    const message = `there is no column with the heading ${name}: add it`;
    report({ ...row, heading: name }, 'MISSING_COLUMN', message);
  }
}
