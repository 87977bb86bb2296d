import type { CatalogName } from '../../../src/contract/columns.ts';
import { expectProblems } from './expected.ts';
import { type Formats, show } from './formats.ts';
import type { LocaleName } from './locales.ts';
import type { Column, Sheet, Value } from './workbook.ts';

/** A cell as an export shows it. */
export interface Cell {
  text: string;
  /** The column of the catalog in which the cell has its value; undefined for headings, titles and notes. */
  column?: string;
  value?: Value;
  /** Whether Vitrine has to refuse this cell, or warn of it. */
  problem?: 'error' | 'warning';
}

/** The cells that an export shows, from the heading row on. */
export interface Grid {
  catalog: CatalogName;
  columns: Column[];
  rows: Cell[][];
}

/** Shows the cells of a sheet in the formats and language of its user. */
export function gridOf(sheet: Sheet, formats: Formats, locale: LocaleName, csvDecimal?: '.' | ','): Grid {
  const { catalog, columns } = sheet;
  const body = sheet.rows.map(values =>
    columns.map(({ name, kind }, index): Cell => {
      return { column: name, ...show(values[index] ?? null, kind, formats, locale) };
    }),
  );
  return expectProblems({ catalog, columns, rows: [headingsOf(columns), ...body] }, csvDecimal);
}

export function headingsOf(columns: Column[]): Cell[] {
  return columns.map(({ name }) => ({ text: name }));
}

/** The address of a cell in a spreadsheet, such as E17, from indexes. */
export function addressOf(row: number, column: number): string {
  return `${String.fromCharCode(65 + column)}${row + 1}`;
}
