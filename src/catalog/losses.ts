import type { Sheets } from './cross-check.ts';
import type { Report } from './problems.ts';
import type { LoadedFile } from './table.ts';

/** Reports a catalog of a set without errors that has fewer than half of the rows that are served of it, or none. */
export function checkShrinkage(sheets: Sheets, served: readonly LoadedFile[], report: Report): void {
  for (const { catalog, file, rows } of served) {
    const table = sheets[catalog]?.table;
    const left = table?.rows.length ?? 0;
    if (left * 2 >= rows) continue;
    const now = table ? `${left} ${left === 1 ? 'row' : 'rows'}` : 'no file';
    const message = `${catalog} has ${now} where ${rows} rows are served: was it cut off? If it is meant, start with --allow-shrink`;
    report({ file: table?.file ?? file }, 'SHRUNK', message);
  }
}

/**
 * Reports a CSV file that ends inside its last line, while that line has no end, was longer or had others after it in
 * the file that is served: a half-copied 19.99 reads as 19.9 or as 1. JSON needs no such check, since its end is
 * a bracket.
 */
export function checkEnds(sheets: Sheets, served: readonly LoadedFile[], report: Report): void {
  for (const { catalog, file, rows, lastRow: before } of served) {
    const table = sheets[catalog]?.table;
    const last = table?.rows.at(-1);
    if (!last || table?.file !== file || !table.lastRow || table.lastRow.ended || !before) continue;
    const isBeginning = before.text !== table.lastRow.text && before.text.startsWith(table.lastRow.text);
    const hasFewer = before.ended && table.rows.length < rows;
    if (!isBeginning && !hasFewer) continue;
    const place = table.place(last);
    report(
      place,
      'CUT_OFF',
      'the file ends in this line and was longer before: if it is whole, end it with a line break',
    );
  }
}
