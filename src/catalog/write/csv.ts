import type { Column } from '../../contract/columns.ts';
import { formatLocal } from '../../time-zone.ts';
import { isAmbiguous } from '../validate/cells/decimal-style.ts';
import { plainNumber, type WrittenCatalog, type WrittenValue } from './written-catalog.ts';

/** Without it, Excel takes UTF-8 for the encoding of the country. */
const BYTE_ORDER_MARK = '\uFEFF';

/** A catalog as CSV with commas. */
export function csvOf({ columns, rows }: WrittenCatalog): Buffer {
  return Buffer.from([...csvPieces(columns, rows)].join(''));
}

/** The same in pieces: first the headings, then each row. */
export function* csvPieces(
  columns: readonly Column[],
  rows: Iterable<readonly WrittenValue[]>,
): Generator<string> {
  yield BYTE_ORDER_MARK + lineOf(columns.map(({ name }) => name));
  for (const row of rows) yield lineOf(row.map(cellText));
}

function lineOf(cells: readonly string[]): string {
  return `${cells.map(quoted).join(',')}\r\n`;
}

function cellText(value: WrittenValue): string {
  if (typeof value === 'number') return decimalText(plainNumber(value));
  return value instanceof Date ? formatLocal(value.getTime() / 1000) : String(value ?? '');
}

/** `1.928` may be 1928 with a thousands separator, `1.9280` may not. */
function decimalText(text: string): string {
  return isAmbiguous(text) ? `${text}0` : text;
}

function quoted(cell: string): string {
  return /[",;|\t\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
