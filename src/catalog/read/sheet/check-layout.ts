import type { Reporter, SourceLocation } from '../../../contract/problems.ts';
import { columnLetters } from '../column-names.ts';
import type { SheetContent } from './collect-rows.ts';

/** Where the table of a sheet is. */
interface Layout {
  /** The row of the headings. */
  first: number;
  /** The names of the columns, from the first one. */
  names: readonly string[];
  /** The names of the columns of the catalog. */
  known: readonly string[];
  isHidden: boolean;
}

/** Refuses merged cells, which have one value for several rows or columns. Warns of what an editor does not see. */
export function checkLayout(
  { rows, merged, hiddenColumns }: SheetContent,
  { first, names, known, isHidden }: Layout,
  place: (row?: number, column?: number) => SourceLocation,
  report: Reporter,
): void {
  for (const { name, first: from, last: to } of merged) {
    const isInside = to.row >= first && from.column < names.length;
    const isOne = from.row === to.row && from.column === to.column;
    if (!isInside || isOne) continue;
    const message = `the cells ${name} are merged: unmerge them, and fill in every cell`;
    report({ ...place(from.row, from.column), ...headingOf(names[from.column]) }, 'MERGED_CELLS', message);
  }
  if (isHidden) {
    report(place(), 'HIDDEN_SHEET', 'this sheet is hidden, and read all the same: show it, or delete it');
  }
  for (const [from, to] of hiddenColumns) {
    for (const [column, name] of names.entries()) {
      if (column < from || column > to || !known.includes(name)) continue;
      const message = `column ${columnLetters(column)} is hidden, and read all the same: show it, or delete it`;
      report({ ...place(first, column), heading: name }, 'HIDDEN_CELLS', message);
    }
  }
  for (const { number, isHidden } of rows) {
    if (!isHidden || number <= first) continue;
    const message = 'this row is hidden or filtered out, and read all the same: show it, or delete it';
    report(place(number), 'HIDDEN_CELLS', message);
  }
}

function headingOf(heading: string | undefined): Pick<SourceLocation, 'heading'> {
  return heading === undefined ? {} : { heading };
}
