import type { Column } from '../../../contract/columns.ts';
import { excerpt } from '../../../messages.ts';
import type { Reporter, SourceLocation } from '../../problems/problems.ts';
import { unknownColumn } from '../table.ts';
import { knownHeadings, MAX_TITLE_ROWS } from './dialect.ts';
import type { CsvRecord } from './records.ts';

/**
 * The index of the row with the column headings: the first one, unless another of the first rows has more known headings;
 * undefined if none of them has a known heading.
 */
export function headingRow(records: readonly CsvRecord[], known: readonly string[]): number | undefined {
  const matches = records.slice(0, MAX_TITLE_ROWS + 1).map(({ cells }) => knownHeadings(cells, known));
  const most = Math.max(0, ...matches);
  return most === 0 ? undefined : matches.indexOf(most);
}

/** Checks the names of the columns. `locate` gives the heading of a column by its index. */
export function checkHeader(
  names: readonly string[],
  columns: readonly Column[],
  locate: (index: number) => SourceLocation,
  report: Reporter,
): void {
  const known = columns.map(column => column.name);
  for (const [index, name] of names.entries()) {
    const first = names.indexOf(name);
    if (name === '') {
      const message = `the column has no heading: write one of ${known.join(', ')}, or delete the column`;
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
    const { cell: _, ...row } = locate(0);
    const message = `there is no column with the heading ${name}: add it`;
    report({ ...row, heading: name }, 'MISSING_COLUMN', message);
  }
}
