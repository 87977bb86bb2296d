import type { Cell, Grid } from './grid.ts';
import type { Kind } from './workbook.ts';

/** Marks the cells of a grid that have to be refused, by what the manual says about each kind of column. */
export function expectProblems(grid: Grid, csvDecimal: '.' | ',' = '.'): Grid {
  const all = grid.rows.flat();
  for (const { name, kind, required } of grid.columns) {
    const cells = all.filter(({ column }) => column === name);
    const isRead = kind === 'amount' ? amountReader(cells, csvDecimal) : readers[kind];
    for (const cell of cells) {
      const isFine = cell.text === '' ? !required : isRead(cell.text);
      if (!isFine) cell.problem = 'error';
    }
  }
  return grid;
}

const whole = (text: string) => /^(0|[1-9]\d*)([.,]00?)?$/.test(text);
const date = (text: string) => /^\d{4}([-/])\d\d?\1\d\d?( \d\d?:\d\d(:\d\d)?)?$/.test(text);

/** The words that the manual lists; spreadsheets have others in other languages. */
const words = [
  ...['TRUE', 'FALSE', 'WAHR', 'FALSCH', 'VRAI', 'FAUX', 'VERDADERO', 'FALSO', 'VERO', 'VERDADEIRO'],
  ...['WAAR', 'ONWAAR', 'PRAWDA', 'FAŁSZ', 'ИСТИНА', 'ЛОЖЬ', '1', '0'],
];

const readers: Record<Exclude<Kind, 'amount'>, (text: string) => boolean> = {
  id: whole,
  count: whole,
  text: () => true,
  flag: text => words.includes(text),
  date,
  time: date,
};

const DECIMAL = /^(0|[1-9]\d*)([.,])(\d{1,8})$/;
/** 1.928 may be one thousand nine hundred twenty-eight. */
const AMBIGUOUS = /^[1-9]\d{0,2}[.,]\d{3}$/;

/** Which texts are read in a column of decimals: those with the sign that other cells of the column prove. */
function amountReader(cells: readonly Cell[], csvDecimal: '.' | ','): (text: string) => boolean {
  const signOf = (text: string) => DECIMAL.exec(text)?.[2];
  const proofs = new Set(cells.map(({ text }) => (AMBIGUOUS.test(text) ? undefined : signOf(text))));
  proofs.delete(undefined);
  const [proven] = proofs;
  const sign = proofs.size > 1 ? csvDecimal : proven;
  const isLong = (text: string) => text.replace(/^[0.,]+|[.,]/g, '').length > 15;
  const isWhole = (text: string) => /^(0|[1-9]\d*)$/.test(text);
  return text => !isLong(text) && (isWhole(text) || (sign !== undefined && signOf(text) === sign));
}
