import type { Cell } from '../grid.ts';
import { type Accident, blank, doubtful, refused } from './accident.ts';

/** Refuses the first cell that holds some text. */
const refuseFirst =
  (isAtFault: (cell: Cell) => boolean): Accident['happen'] =>
  rows => {
    const first = rows.flat().find(isAtFault);
    return rows.map(cells => cells.map(cell => (cell === first ? { ...cell, problem: 'error' } : cell)));
  };

/** What happens to rows, columns and the end of a file. */
export const layoutAccidents: Accident[] = [
  {
    name: 'blank cells at the right',
    catalog: 'products',
    happen: rows => rows.map(cells => [...cells, blank, { text: ' ' }]),
  },
  {
    name: 'blank rows',
    catalog: 'prices',
    happen: rows => rows.flatMap((cells, row) => (row % 7 === 6 ? [cells, [blank, { text: ' ' }]] : [cells])),
  },
  {
    name: 'a table that begins in its second column',
    catalog: 'durations',
    happen: rows => rows.map((cells, row) => [row === 0 ? refused('') : blank, ...cells]),
  },
  {
    name: 'a wrong price below many blank rows',
    catalog: 'prices',
    happen: rows => [
      ...rows.slice(0, -2),
      ...Array.from({ length: 40 }, () => [blank]),
      ...rows
        .slice(-2)
        .map(cells => cells.map((cell, at) => (at === 4 ? { ...cell, ...refused('free') } : cell))),
    ],
  },
  {
    name: 'a column of notes',
    catalog: 'products',
    happen: rows =>
      rows.map((cells, row) => [
        ...cells,
        row === 0 ? doubtful('note') : { text: row % 3 === 0 ? 'new' : '' },
      ]),
  },
  {
    name: 'a blank column',
    catalog: 'news',
    happen: rows => rows.map((cells, row) => cells.toSpliced(2, 0, row === 0 ? refused('') : blank)),
  },
  {
    name: 'a note without a heading',
    catalog: 'configurations',
    happen: rows => rows.map((cells, row) => (row === 4 ? [...cells, refused('check this!')] : cells)),
  },
  {
    name: 'a note below the table',
    catalog: 'products',
    happen: rows => [...rows, [refused('* without hardware')]],
  },
  {
    name: 'a row of totals',
    catalog: 'durations',
    happen: rows => [...rows, [refused(''), { text: 'Sum' }, { text: '2' }, refused('')]],
  },
  {
    name: 'a cell that was inserted above a column',
    catalog: 'prices',
    happen: (rows, { columns }) => {
      const price = columns.findIndex(({ name }) => name === 'price');
      const last = columns.map(({ required }) => (required ? refused('') : blank));
      return [...rows, last].map((cells, row) => {
        const above =
          row === 1
            ? refused('')
            : { ...rows[row - 1]?.[price], ...blank, text: rows[row - 1]?.[price]?.text ?? '' };
        return row === 0 ? cells : cells.with(price, above);
      });
    },
  },
  {
    name: 'a row that lost its first cell',
    catalog: 'news',
    happen: rows =>
      rows.map((cells, row) => {
        if (row !== 2) return cells;
        const [, title, content, created, updated, keywords, hidden] = cells.map(({ text }) => text);
        const [lost = '', late = ''] = [title, keywords];
        return [
          refused(lost),
          ...[content, created, updated].map((text = '') => ({ text })),
          refused(late),
          { text: hidden ?? '' },
        ];
      }),
  },
  {
    name: 'a file that ends inside quotes',
    catalog: 'news',
    happen: refuseFirst(({ text }) => text.startsWith('one line')),
    cutAfter: 'one line',
  },
  {
    name: 'a file that ends inside a row',
    catalog: 'prices',
    happen: refuseFirst(({ text }) => text === '1020'),
    cutAfter: '100019',
  },
  {
    name: 'the rows of a table twice',
    catalog: 'durations',
    happen: rows => [
      ...rows,
      ...rows
        .slice(1)
        .map(cells => cells.map((cell, at) => (at === 0 ? { ...cell, problem: 'error' as const } : cell))),
    ],
  },
];
