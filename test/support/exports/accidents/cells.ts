import { expectProblems } from '../expected.ts';
import type { Cell } from '../grid.ts';
import { type Accident, refused } from './accident.ts';

/** Replaces some cells of a column; rows are those of the spreadsheet, from 1. */
function replaceCells(name: string, rows: number[], change: (cell: Cell) => Cell): Accident['happen'] {
  return (table, { columns }) => {
    const index = columns.findIndex(column => column.name === name);
    return table.map((cells, row) =>
      rows.includes(row + 1) ? cells.map((cell, at) => (at === index ? change(cell) : cell)) : cells,
    );
  };
}

/** Another text, which is the value of the cell. */
const retype = (text: string) => (cell: Cell) => ({
  ...cell,
  text,
  value: text,
  problem: 'warning' as const,
});

/** A price with the decimal sign of another country. */
const otherSign = (cell: Cell) => ({
  ...cell,
  text: cell.text.replace(/[.,]/, sign => (sign === '.' ? ',' : '.')),
});

/** What happens to single cells. */
export const cellAccidents: Accident[] = [
  {
    name: 'merged cells in a column',
    catalog: 'prices',
    happen: replaceCells('product_id', [3, 4, 5, 6], cell => ({ ...cell, ...refused('') })),
  },
  {
    name: 'the error of a formula in a price',
    catalog: 'prices',
    happen: replaceCells('price', [9], cell => ({ ...cell, ...refused('#REF!') })),
  },
  {
    name: 'the error of a formula, in German',
    catalog: 'configurations',
    happen: replaceCells('memory', [9], cell => ({ ...cell, ...refused('#BEZUG!') })),
  },
  {
    name: 'a column that is too narrow for its dates',
    catalog: 'news',
    happen: replaceCells('create_time', [4, 5, 6], cell => ({ ...cell, ...refused('##########') })),
  },
  {
    name: 'an id that is shown in powers of ten',
    catalog: 'configurations',
    happen: replaceCells('id', [21], cell => ({ ...cell, ...refused('1E+05') })),
  },
  {
    name: 'a price with the letter O',
    catalog: 'prices',
    happen: replaceCells('price', [7], cell => ({ ...cell, ...refused('1O') })),
  },
  {
    name: 'a price with its currency',
    catalog: 'prices',
    happen: replaceCells('price', [7], cell => ({ ...cell, ...refused('12 EUR') })),
  },
  {
    name: 'a price with another decimal sign than the others',
    catalog: 'prices',
    happen: (rows, grid) =>
      expectProblems({ ...grid, rows: replaceCells('price', [9], otherSign)(rows, grid) }).rows,
  },
  {
    name: 'a negative price',
    catalog: 'prices',
    happen: replaceCells('price', [7], cell => ({ ...cell, ...refused('-12') })),
  },
  {
    name: 'letters that an encoding lacked',
    catalog: 'products',
    happen: replaceCells('name', [3, 8], retype('????')),
  },
  {
    name: 'letters that were read in a wrong encoding',
    catalog: 'news',
    happen: replaceCells('title', [3, 8], retype('GrÃ¶ÃŸere Server fÃ¼r Ãœbung')),
  },
];
