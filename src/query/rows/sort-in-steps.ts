/** How many rows are sorted, or merged, between two yields: about a millisecond's work. */
const RUN = 2 ** 10;
const MERGED = 2 ** 14;

/** The rows, sorted by merging short sorted runs. Keeps the order of equal rows. Yields while it works. */
export function* sortInSteps(
  rows: Uint32Array,
  compare: (one: number, other: number) => number,
): Generator<undefined, Uint32Array> {
  let from = rows.slice();
  for (let start = 0; start < from.length; start += RUN) {
    from.subarray(start, start + RUN).sort(compare);
    yield;
  }
  let target = new Uint32Array(from.length);
  for (let width = RUN; width < from.length; width *= 2) {
    let merged = 0;
    for (let start = 0; start < from.length; start += 2 * width) {
      const middle = Math.min(start + width, from.length);
      const end = Math.min(middle + width, from.length);
      let [left, right] = [start, middle];
      for (let at = start; at < end; at += 1) {
        const [one = 0, other = 0] = [from[left], from[right]];
        const isLeft = left < middle && (right >= end || compare(one, other) <= 0);
        target[at] = isLeft ? one : other;
        if (isLeft) left += 1;
        else right += 1;
        merged += 1;
        if (merged % MERGED === 0) yield;
      }
    }
    [from, target] = [target, from];
  }
  return from;
}
