import type { CatalogName, Column } from '../contract/columns.ts';
import { cellOf, type Table, textOf } from './table.ts';

/** How the decimals of a column are written. */
export interface DecimalStyle {
  /** The decimal sign. */
  decimal: '.' | ',';
  /** Whether a cell of the column proves the sign. If not, `1.928` is ambiguous. */
  isProven: boolean;
}

/** An ambiguous number of a row, read as a decimal. */
export interface AmbiguousNumber {
  catalog: CatalogName;
  id: unknown;
  column: string;
  value: number;
}

/** Whether the numbers of a column may have a decimal sign. */
export function isDecimal({ schema: { cellType } }: Column): boolean {
  return cellType === 'price' || cellType === 'size';
}

/** Whether a number may have a thousands separator or a decimal sign: `1.928` is 1928, or 1 and a fraction. */
export function isAmbiguous(text: string): boolean {
  return /^[1-9]\d{0,2}[.,]\d{3}$/.test(text);
}

/**
 * The decimal sign of a column. In JSON it is a point. Elsewhere it is the one in a text that can only be a decimal, such
 * as `0,5`, `12.50` or `1234.567`. Without such a text, or with both signs in such texts, it is that of the table.
 */
export function decimalStyle(table: Table, column: string): DecimalStyle {
  const { format, decimal, rows } = table;
  if (format === 'json') return { decimal, isProven: true };
  let other: DecimalStyle['decimal'] | undefined;
  for (const row of rows) {
    const cell = cellOf(row, column) ?? '';
    // A number of a workbook is written with a point, whatever the texts of its column look like.
    const isNumber = format === 'sheet' && !cell.startsWith('"');
    const sign = isNumber ? undefined : signOf(format === 'csv' ? cell : textOf(cell));
    if (sign === decimal) return { decimal, isProven: true };
    other ??= sign;
  }
  return { decimal: other ?? decimal, isProven: other !== undefined };
}

/** The decimal sign of a number that can only be a decimal. */
function signOf(cell: string): DecimalStyle['decimal'] | undefined {
  const [text, sign] = /^\d+([.,])\d+$/.exec(cell.trim()) ?? [];
  if (text === undefined || isAmbiguous(text)) return undefined;
  return sign === ',' ? ',' : '.';
}
