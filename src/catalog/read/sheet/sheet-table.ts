import type { Column } from '../../../contract/columns.ts';
import type { Reporter, SourceLocation } from '../../../contract/problems.ts';
import { excerpt } from '../../../messages.ts';
import { columnLetters, columnName, MAX_TITLE_ROWS } from '../column-names.ts';
import { checkHeader, checkHeadingRow } from '../header.ts';
import { type RawRow, type Table, textOf } from '../table.ts';
import { isBlankSource } from './cell-source.ts';
import { checkLayout } from './check-layout.ts';
import type { Sheet, SheetContent } from './collect-rows.ts';

/**
 * The table of a sheet. Its headings, blank rows, and blank columns at the right are treated as those of a CSV file; its
 * cells are sources, as in `12.5` and `"12.5"`.
 */
export function sheetTable(
  file: string,
  { name, isHidden }: Sheet,
  content: SheetContent,
  columns: Column[],
  report: Reporter,
): Table {
  const known = columns.map(column => column.name);
  const place = (row?: number, column?: number): SourceLocation => ({
    file,
    sheet: name,
    ...(row !== undefined && { row }),
    ...(column !== undefined && { cell: `${columnLetters(column)}${row}` }),
  });
  const first = content.rows
    .slice(0, MAX_TITLE_ROWS + 1)
    .map(({ number, cells }) => ({ number, cells: cells.map(textOf) }));
  const hasHeader = checkHeadingRow(
    first,
    known,
    row => (row ? place(row.number) : { file, sheet: name }),
    report,
  );
  const header = hasHeader ? first[0] : undefined;
  const body = header ? content.rows.slice(1) : [];
  const allNames = header?.cells.map(cell => columnName(cell, known)) ?? [];
  const names = allNames.slice(0, allNames.findLastIndex(heading => heading !== '') + 1);
  if (header) {
    const locateHeading = (index: number) => ({
      ...place(header.number, index),
      heading: names[index] ?? '',
    });
    checkHeader(names, columns, locateHeading, report);
    checkLayout(content, { first: header.number, names, known, isHidden }, place, report);
  }
  const rows = body.map((row): RawRow => {
    const extra = row.cells.findIndex((cell, index) => index >= names.length && !isBlankSource(cell));
    if (extra !== -1) {
      const letters = columnLetters(extra);
      const message = `${excerpt(row.cells[extra] ?? '')} is in column ${letters}, which has no heading: clear the cell or give the column a heading`;
      report(place(row.number, extra), 'RAGGED_ROW', message);
    }
    return { start: 0, end: 0, number: row.number, matchesHeader: extra === -1, names, cells: row.cells };
  });
  return {
    file,
    sheet: name,
    format: 'sheet',
    encoding: 'utf-8',
    delimiter: undefined,
    decimal: '.',
    header: header && new Set(names),
    rows,
    lastRow: undefined,
    complete:
      header !== undefined && columns.every(({ name, required }) => !required || names.includes(name)),
    locate: ({ number = 0 }, column) =>
      column === undefined
        ? place(number)
        : { ...place(number, Math.max(0, names.indexOf(column))), heading: column },
  };
}
