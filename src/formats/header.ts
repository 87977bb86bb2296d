import type { Column } from '../contract/columns.ts';
import type { Reporter, SourceLocation } from '../contract/problems.ts';
import { excerpt, nearest } from '../messages.ts';
import {
  columnLetters,
  columnName,
  isUnknown,
  knownHeadings,
  MAX_TITLE_ROWS,
  unknownColumn,
} from './table.ts';

/** A row of a CSV file or a sheet that is not blank. */
interface FilledRow {
  /** Its row in a spreadsheet, from 1. */
  number: number;
  cells: readonly string[];
}

/** The place of a row, or of the cell with an index in it; without a row, that of the file or sheet. */
type PlaceOf<Row> = (row?: Row, index?: number) => SourceLocation;

/**
 * Reads and checks the headings, which ought to be in the first row; without a check for that if the rows are not `complete`.
 * `header` is undefined, and reported, if the first row does not have them: then no other problem is reported. `names` are
 * those of the columns up to the last heading.
 */
export function readHeader<Row extends FilledRow>(
  filled: readonly Row[],
  columns: readonly Column[],
  place: PlaceOf<Row>,
  report: Reporter,
  complete = true,
) {
  const known = columns.map(({ name }) => name);
  const isFirst = complete ? checkHeadingRow(filled, known, place, report) : true;
  const header = isFirst ? filled[0] : undefined;
  const allNames = header?.cells.map(cell => columnName(cell, known)) ?? [];
  const names = allNames.slice(0, allNames.findLastIndex(name => name !== '') + 1);
  if (header) checkHeadings(names, header, columns, place, report);
  const hasRequired = columns.every(({ name, required }) => !required || names.includes(name));
  return { header, names, hasRequired: header !== undefined && hasRequired };
}

function checkHeadingRow<Row extends FilledRow>(
  filled: readonly Row[],
  known: readonly string[],
  place: PlaceOf<Row>,
  report: Reporter,
): boolean {
  const [first] = filled;
  const matches = filled.slice(0, MAX_TITLE_ROWS + 1).map(({ cells }) => knownHeadings(cells, known));
  const most = Math.max(0, ...matches);
  const index = matches.indexOf(most);
  if (!first) {
    const at = place();
    const what = at.sheet === undefined ? 'file' : 'sheet';
    report(at, 'EMPTY_FILE', `the ${what} is empty: write a row of column headings`);
  } else if (most === 0) {
    const message = `this row has none of the column headings: write ${known.join(', ')}, one in each cell`;
    report(place(first), 'NO_HEADINGS', message);
  } else if (index > 0) {
    const message = `the column headings seem to be in row ${filled[index]?.number}: delete the rows above them`;
    report(place(first), 'TITLE_ROW', message);
  }
  return most > 0 && index === 0;
}

/** The required columns that seem to have another heading, such as `price (EUR)`, `prise` or, as the only one, `Preis`, by its index. */
function renamedColumns(names: readonly string[], columns: readonly Column[]): Map<number, string> {
  const known = columns.map(({ name }) => name);
  const missing = columns.filter(({ name, required }) => required && !names.includes(name));
  const unknown = [...names.keys()].filter(index => names[index] && isUnknown(names[index], known));
  const isLike = (name: string, column: string) =>
    (name.startsWith(column) && /^[\s_]*[([:./-]/.test(name.slice(column.length))) ||
    nearest(name, [column]) !== undefined;
  const found = new Map<number, string>();
  const left = missing.filter(({ name: column }) => {
    const index = unknown.find(index => !found.has(index) && isLike(names[index] ?? '', column));
    if (index !== undefined) found.set(index, column);
    return index === undefined;
  });
  const [index, ...others] = unknown.filter(index => !found.has(index));
  const [column, ...columnsLeft] = left;
  if (column && index !== undefined && others.length + columnsLeft.length === 0)
    found.set(index, column.name);
  return found;
}

function checkHeadings<Row extends FilledRow>(
  names: readonly string[],
  header: Row,
  columns: readonly Column[],
  place: PlaceOf<Row>,
  report: Reporter,
): void {
  const known = columns.map(column => column.name);
  const renamed = renamedColumns(names, columns);
  const locate = (index: number) => ({ ...place(header, index), heading: names[index] ?? '' });
  for (const [index, name] of names.entries()) {
    const heading = (header.cells[index] ?? name).trim();
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
      const message = `the heading ${excerpt(heading)} is not that of a column: if it is ${missing}, rename it to ${missing}, and write the values ${missing === 'memory' ? 'in MB' : 'as that column has them'}`;
      report({ ...locate(index), heading: missing }, 'MISSING_COLUMN', message);
    } else if (isUnknown(name, known)) {
      report(locate(index), 'UNKNOWN_COLUMN', unknownColumn(heading, known));
    }
  }
  for (const { name, required } of columns) {
    if (!required || names.includes(name) || [...renamed.values()].includes(name)) continue;
    const message = `there is no column with the heading ${name}: add it`;
    report({ ...place(header), heading: name }, 'MISSING_COLUMN', message);
  }
}

/** What to do about a text beside the table, in the column with this index. */
export function withoutHeading(text: string, column: number): string {
  return `${text} is in column ${columnLetters(column)}, which has no heading: clear the cell or give the column a heading`;
}
