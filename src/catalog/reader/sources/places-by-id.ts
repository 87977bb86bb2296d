/** Finds the place of a row by its id, which no other row has: `places` are those of the `rows`. */
export function placesById(
  rows: readonly { id: number }[],
  places: Uint32Array,
): (row: { id: number }) => number {
  // A Map would take ten times as much memory, and `from` with a function five times as long.
  const ids = Float64Array.from(rows.map(({ id }) => id));
  const order = Uint32Array.from(rows.map((_row, index) => index));
  const idAt = (rank: number) => ids[order[rank] ?? 0] ?? 0;
  if (ids.some((id, index) => index > 0 && id < idAt(index - 1)))
    order.sort((one, other) => (ids[one] ?? 0) - (ids[other] ?? 0));
  return ({ id }) => {
    let [low, high] = [0, order.length - 1];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (idAt(middle) < id) low = middle + 1;
      else high = middle;
    }
    return places[order[low] ?? 0] ?? 0;
  };
}
