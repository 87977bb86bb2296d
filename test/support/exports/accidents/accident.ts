import type { CatalogName } from '../../../../src/contract/columns.ts';
import type { Cell, Grid } from '../grid.ts';

/** What goes wrong in one table of a workbook, or what a program adds to it. */
export interface Accident {
  name: string;
  catalog: CatalogName;
  /** Changes the cells, and marks those of which Vitrine has to say something. */
  happen(rows: Cell[][], grid: Grid): Cell[][];
  /** The text after which the file ends. */
  cutAfter?: string;
}

export const blank: Cell = { text: '' };
export const refused = (text: string): Cell => ({ text, problem: 'error' });
export const doubtful = (text: string): Cell => ({ text, problem: 'warning' });

export const insertRow =
  (at: number, row: Cell[]): Accident['happen'] =>
  rows =>
    rows.toSpliced(at, 0, row);
