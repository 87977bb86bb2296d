import { formatCell } from '../../contract/problems.ts';
import type { LoadedFile } from '../../formats/table.ts';
import { endsOf } from '../stability.ts';
import type { ValidatedCatalogs } from '../validate-catalog.ts';

export type Beginning = NonNullable<ReturnType<typeof beginningOfFile>>;

/** The part of the rows at the end that may be deleted at once; one row always may. */
const LAST_ROWS = 0.02;

/** Says what to do about files that seem cut off. `beginnings` are files that begin like the former ones. */
export function cutOffFiles(
  catalogs: ValidatedCatalogs,
  before: readonly LoadedFile[],
  beginnings: ReadonlyMap<string, Beginning>,
): string[] {
  const found = new Map<string, string>();
  for (const was of before) {
    const { file, catalog } = was;
    const place = cutOffRow(catalogs, was);
    const advice = `${file} seems to be cut off in ${place}: save the whole file again, or, if it is complete, end it with a line break`;
    if (place !== undefined) found.set(file, advice);
    const files = before.filter(other => other.catalog === catalog);
    const rowsBefore = files.reduce((sum, { rows }) => sum + rows, 0);
    const lost = rowsBefore - (catalogs[catalog]?.rows.length ?? 0);
    const { message, isProper } = beginnings.get(file) ?? {};
    const isWhole = isProper && lost <= Math.max(1, LAST_ROWS * rowsBefore);
    if (message !== undefined && !isWhole) found.set(file, message);
  }
  return [...found.values()];
}

/**
 * Returns the last row of a CSV file if the file seems to end inside it: it has no line break, and formerly the row was longer
 * or others followed. A half-copied 19.99 reads as 19.9 or 1.
 */
function cutOffRow(catalogs: ValidatedCatalogs, { catalog, file, rows, lastRow }: LoadedFile) {
  const table = catalogs[catalog]?.tables.find(({ table }) => table.file === file)?.table;
  const last = table?.rows.at(-1);
  if (!last || !table?.lastRow || table.lastRow.hasLineEnd || !lastRow) return undefined;
  const wasLonger = lastRow.text !== table.lastRow.text && lastRow.text.startsWith(table.lastRow.text);
  const hadMoreRows = lastRow.hasLineEnd && table.rows.length < rows;
  return wasLonger || hadMoreRows ? formatCell(table.locate(last)) : undefined;
}

const BLANKS = [0, 9, 10, 13, 32];

/** Compares a file with the former one; undefined unless it is a beginning of that which lacks more than blanks. */
export function beginningOfFile(file: string, content: Buffer, before: Buffer) {
  const { length } = content;
  const isBeginning = length > 0 && length < before.length && before.subarray(0, length).equals(content);
  if (!isBeginning || before.subarray(length).every(byte => BLANKS.includes(byte))) return undefined;
  return {
    message: `${file} is only the beginning of the file that is served: save the whole file again`,
    /** Whether it ends like a complete file, so that its last rows may have been deleted. */
    isProper: endsOf({ file, content }).every(({ isProper }) => isProper),
  };
}
