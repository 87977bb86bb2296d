import { plural } from '../../../messages.ts';
import { columnLetters } from '../column-names.ts';
import { delimiters } from './dialect.ts';
import type { CsvRecord } from './records.ts';

/** Excel leaves out the empty columns at the right of 16 rows at a time, counted from the first row of the sheet. */
const BLOCK_ROWS = 16;

const blockOf = ({ number }: CsvRecord) => Math.floor((number - 1) / BLOCK_ROWS);

/**
 * Decides which rows have their cells under the right headings: those of `width` cells; and those to which a program has
 * added blank cells, or that lack cells after the first `needed` ones, if all rows of their block have as many. The first
 * record is the header.
 */
export function openRowCheck(
  records: readonly CsvRecord[],
  width: number,
  needed: number,
): (record: CsvRecord) => boolean {
  const [header] = records;
  let blocks: ReadonlyMap<number, CsvRecord[]> | undefined;
  return record => {
    const { cells } = record;
    if (cells.length === width) return true;
    if (cells.length < needed || !cells.slice(width).every(isBlank)) return false;
    if (cells.length === header?.cells.length) return true;
    blocks ??= blocksOf(records);
    const block = blocks.get(blockOf(record)) ?? [];
    const before = block.length > 1 ? [] : (blocks.get(blockOf(record) - 1) ?? []);
    // Rows that lack a needed cell are refused, and say nothing about the others; nor does the header about longer ones.
    const others = [...before, ...block].filter(other =>
      other === header ? cells.length < width : other.cells.length >= needed,
    );
    // One row alone may as well have lost a cell in the middle, or have a delimiter inside a cell.
    return others.length > 1 && others.every(other => other.cells.length === cells.length);
  };
}

function blocksOf(records: readonly CsvRecord[]): ReadonlyMap<number, CsvRecord[]> {
  const blocks = new Map<number, CsvRecord[]>();
  for (const record of records) {
    const block = blocks.get(blockOf(record));
    if (block) block.push(record);
    else blocks.set(blockOf(record), [record]);
  }
  return blocks;
}

export function isBlank(cell: string): boolean {
  return cell.trim() === '';
}

/**
 * What is wrong with a row of too few or too many cells, and the index of the cell at fault if there is one. The file may be
 * cut off in the row if it ends there without a line end.
 */
export function raggedRow(
  cells: readonly string[],
  width: number,
  delimiter: string,
  isCutOff: boolean,
): { index: number | undefined; message: string } {
  const name = delimiters.get(delimiter);
  const extra = cells.findIndex((cell, index) => index >= width && !isBlank(cell));
  if (extra === -1) {
    const ifComplete = isCutOff ? 'the file seems to be cut off here: save the whole file again, or ' : '';
    const remedy =
      cells.length < width
        ? `${ifComplete}write a ${name} after every cell but the last, even after an empty one`
        : `put a cell that contains a ${name} in quotes, or delete the empty cells at the end`;
    const message = `this row has ${plural(cells.length, 'cell')} under ${plural(width, 'heading')}: ${remedy}`;
    return { index: undefined, message };
  }
  const text = JSON.stringify(cells[extra]?.slice(0, 40));
  const letters = columnLetters(extra);
  const message = `${text} is in column ${letters}, which has no heading: clear the cell or give the column a heading; if a cell of this row contains a ${name}, put that cell in quotes`;
  return { index: extra, message };
}
