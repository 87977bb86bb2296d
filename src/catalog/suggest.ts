import { closest, distance } from 'fastest-levenshtein';
import { excerpt } from './problems.ts';

/** Says that a column is unknown and which known one was probably meant: at most a third of its letters differ. */
export function unknownColumn(column: string, known: readonly string[]): string {
  const near = closest(column, known);
  const hint =
    distance(column, near) <= Math.max(1, near.length / 3)
      ? `did you mean ${near}?`
      : `known are ${known.join(', ')}`;
  return `the column ${excerpt(column) || '""'} is unknown and left out: ${hint}`;
}
