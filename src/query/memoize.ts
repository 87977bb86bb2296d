import type { Snapshot } from '../catalog/snapshot/snapshot.ts';

/** Computes a value for each snapshot on first use. The value lives as long as its snapshot. */
export function memoizePerSnapshot<Value>(
  compute: (snapshot: Snapshot) => Value,
): (snapshot: Snapshot) => Value {
  const values = new WeakMap<Snapshot, Value>();
  return snapshot => {
    let value = values.get(snapshot);
    if (value === undefined) {
      value = compute(snapshot);
      values.set(snapshot, value);
    }
    return value;
  };
}
