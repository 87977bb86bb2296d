import { type Files, shop } from './catalogs.ts';
import type { Cell, SheetRows } from './xlsx.ts';

/** The sheets of the shop, by the names of their catalogs. */
export function shopSheets(): Record<string, SheetRows> {
  return Object.fromEntries(
    Object.entries(shop).map(([file, content]) => [file.split('.')[0] ?? '', sheetOf(content ?? '')]),
  );
}

/** No file of the shop, so that workbooks take their places. */
export const noFiles: Files = Object.fromEntries(Object.keys(shop).map(file => [file, null]));

/** The cells of a file of the shop, numbers as numbers. */
export function sheetOf(content: string | Buffer | object[]): Cell[][] {
  if (Array.isArray(content)) {
    const names = [...new Set(content.flatMap(row => Object.keys(row)))];
    return [names, ...content.map(row => names.map(name => (row as Record<string, Cell>)[name] ?? null))];
  }
  const lines = content.toString().trimEnd().split('\n');
  return lines.map(line => line.split(',').map(cell => (/^\d/.test(cell) ? Number(cell) : cell || null)));
}
