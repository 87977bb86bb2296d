import { catalogs } from '../../contract/columns.ts';
import { plural } from '../../messages.ts';
import type { Reporter } from '../problems/problems.ts';
import type { LookAlike } from '../read/directory/look-alikes.ts';
import { gone } from '../read/directory/missing-files.ts';
import type { LoadedFile } from '../read/table.ts';
import type { ValidatedTables } from './validate-table.ts';

const CONFIRM = 'or, if you meant it, ask your administrator to start with --allow-shrink';

/** Reports each catalog that has lost more than half of the rows that are served, or its file. */
export function checkShrinkage(
  tables: ValidatedTables,
  served: readonly LoadedFile[],
  lookAlikes: readonly LookAlike[],
  report: Reporter,
): void {
  for (const { catalog, file, rows } of served) {
    const table = tables[catalog]?.table;
    const lost = rows - (table?.rows.length ?? 0);
    if (lost * 2 <= rows) continue;
    const message = table
      ? `${lost} of ${plural(rows, catalogs[catalog].noun)} are gone: save the whole file again`
      : gone(file, catalog, lookAlikes);
    report({ file: table?.file ?? file }, 'SHRUNK', `${message}; ${CONFIRM}`);
  }
}

/**
 * Reports a CSV file that seems to end inside its last row: the row has no line end, and in the served file it was longer
 * or others followed it. A half-copied 19.99 reads as 19.9 or 1. JSON needs no such check: it ends with a bracket.
 */
export function checkLastRow(tables: ValidatedTables, served: readonly LoadedFile[], report: Reporter): void {
  for (const { catalog, file, rows, lastRow: before } of served) {
    const table = tables[catalog]?.table;
    const last = table?.rows.at(-1);
    if (!last || table?.file !== file || !table.lastRow || table.lastRow.hasLineEnd || !before) continue;
    const wasLonger = before.text !== table.lastRow.text && before.text.startsWith(table.lastRow.text);
    const hadMoreRows = before.hasLineEnd && table.rows.length < rows;
    if (!wasLonger && !hadMoreRows) continue;
    const message =
      'the file seems to be cut off in this row: save the whole file again, or, if it is complete, end it with a line break';
    report(table.locate(last), 'CUT_OFF', message);
  }
}
