import { closest, distance } from 'fastest-levenshtein';

/** Says that a column is unknown and which known one was probably meant: at most a third of its letters differ. */
export function unknownColumn(column: string, known: readonly string[]): string {
  const near = closest(column, known);
  return distance(column, near) <= Math.max(1, near.length / 3)
    ? `the column ${column} is unknown and left out: did you mean ${near}?`
    : `the column ${column} is unknown and left out: known are ${known.join(', ')}`;
}
