import { formatCell } from '../../contract/problems.ts';
import type { LoadedFile } from '../../formats/table.ts';
import type { ValidatedCatalogs } from './validate-catalog.ts';

/**
 * Finds CSV files that seem to end inside their last row: the row has no line end, and in the file before it was longer or
 * others followed it. A half-copied 19.99 reads as 19.9 or 1. JSON needs no such check: it ends with a bracket. Returns
 * what to do about each, by file.
 */
export function cutOffRows(catalogs: ValidatedCatalogs, before: readonly LoadedFile[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const { catalog, file, rows, lastRow } of before) {
    const table = catalogs[catalog]?.tables.find(({ table }) => table.file === file)?.table;
    const last = table?.rows.at(-1);
    if (!last || !table?.lastRow || table.lastRow.hasLineEnd || !lastRow) continue;
    const wasLonger = lastRow.text !== table.lastRow.text && lastRow.text.startsWith(table.lastRow.text);
    const hadMoreRows = lastRow.hasLineEnd && table.rows.length < rows;
    if (!wasLonger && !hadMoreRows) continue;
    const place = formatCell(table.locate(last));
    found.set(
      file,
      `${file} seems to be cut off in ${place}: save the whole file again, or, if it is complete, end it with a line break`,
    );
  }
  return found;
}

/** Line breaks and spaces, in UTF-8 and UTF-16. */
const BLANKS = [0, 9, 10, 13, 32];

/** What to do about a file that is the beginning of the one before; undefined if only blanks are gone, or it is not. */
export function cutOffFile(file: string, content: Buffer, before: Buffer): string | undefined {
  const { length } = content;
  if (length === 0 || length >= before.length || !before.subarray(0, length).equals(content))
    return undefined;
  if (before.subarray(length).every(byte => BLANKS.includes(byte))) return undefined;
  return `${file} is only the beginning of the file that is served: save the whole file again`;
}
