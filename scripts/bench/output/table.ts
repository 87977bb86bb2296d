import type { Spread } from '../statistics.ts';

const numbers = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });

/** A number in three digits, or a dash where there is none. */
export function figure(value: number | undefined): string {
  return value === undefined || Number.isNaN(value) ? '-' : numbers.format(value);
}

/** The median, and where the rounds lie, as two cells. */
export function spreadCells({ median, least, most }: Spread): [string, string] {
  return [figure(median), `${figure(least)}..${figure(most)}`];
}

/** Lines of cells in columns: the first one begins at the left, the others end at the right. */
export function table(rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0)));
  const line = (row: string[]) =>
    row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
    );
  return rows.map(row => `${line(row).join('  ').trimEnd()}\n`).join('');
}
