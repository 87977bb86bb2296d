/**
 * Binary search: the first index below `length` for which `isTrue`, which holds for every index after one for which it
 * holds; `length` if it holds for none.
 */
export function firstIndex(length: number, isTrue: (index: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isTrue(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
