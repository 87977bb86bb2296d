import quickselect from 'quickselect';

/** A row and its read count. */
export interface Ranked {
  row: number;
  count: number;
}

/**
 * The rows from `start` to before `end` when all `rows` are ordered by their read counts: the largest first, equal ones
 * in the order given. Takes linear time: quickselect separates these rows from the others, and only they are sorted.
 */
export function mostRead(
  rows: readonly number[],
  countOf: (row: number) => number,
  start: number,
  end: number,
): Ranked[] {
  // A loop, because `Array.from` takes several times as long as everything else here.
  const counts = new Float64Array(rows.length);
  const places = new Array<number>(rows.length);
  for (const [place, row] of rows.entries()) {
    counts[place] = countOf(row);
    places[place] = place;
  }
  const compare = (one: number, other: number) => (counts[other] ?? 0) - (counts[one] ?? 0) || one - other;
  const last = Math.min(end, rows.length) - 1;
  if (start > last) return [];
  quickselect(places, last, 0, places.length - 1, compare);
  quickselect(places, start, 0, last, compare);
  return places
    .slice(start, last + 1)
    .sort(compare)
    .map(place => ({ row: rows[place] ?? 0, count: counts[place] ?? 0 }));
}
