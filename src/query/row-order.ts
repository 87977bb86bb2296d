import type { CatalogName } from '../contract/columns.ts';
import { fold } from '../snapshot/fold.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { hiddenRange, type RowTable } from './row-table.ts';

/** How many lists of rows are remembered for a set: each takes four bytes a row. */
const MAX_LISTS = 8;
const ROWS_PER_STEP = 2_000;

/** By the prices of a set, which all of its previews share. */
const remembered = new WeakMap<object, Map<string, Uint32Array>>();

/** A list of rows that was made for a set before, or else a new one. */
export function* rememberedRows(
  { prices }: Snapshot,
  name: string,
  make: () => Generator<undefined, Uint32Array>,
): Generator<undefined, Uint32Array> {
  const lists = remembered.get(prices) ?? new Map<string, Uint32Array>();
  remembered.set(prices, lists);
  const list = lists.get(name) ?? (yield* make());
  // The one that was used last is forgotten last.
  lists.delete(name);
  lists.set(name, list);
  for (const oldest of lists.keys()) if (lists.size > MAX_LISTS) lists.delete(oldest);
  return list;
}

/** The numbers of all rows in the order of a column, or else in that of the file. Yields while it sorts. */
export function* rowOrder(
  snapshot: Snapshot,
  catalog: CatalogName,
  table: RowTable,
  sort: string | undefined,
): Generator<undefined, Uint32Array> {
  return yield* rememberedRows(snapshot, `${catalog} ${sort ?? ''}`, () =>
    sorted(snapshot, catalog, table, sort),
  );
}

function* sorted(
  snapshot: Snapshot,
  catalog: CatalogName,
  table: RowTable,
  sort: string | undefined,
): Generator<undefined, Uint32Array> {
  if (sort === undefined) {
    const places = placesOf(snapshot, catalog, table);
    return yield* sortInSteps(numbersTo(table.length), byKey(places));
  }
  const rows = yield* rowOrder(snapshot, catalog, table, undefined);
  return yield* sortInSteps(rows, byKey(yield* keysOf(table, sort)));
}

/** The places of all rows; 0 if they are not known. */
export function placesOf({ sources }: Snapshot, catalog: CatalogName, { length }: RowTable): Uint32Array {
  const places = new Uint32Array(length);
  if (!sources) return places;
  const served = sources.places[catalog];
  places.set(served);
  places.set(sources.hidden.places.subarray(...hiddenRange(sources.hidden, catalog)), served.length);
  return places;
}

function numbersTo(length: number): Uint32Array {
  const numbers = new Uint32Array(length);
  for (let number = 0; number < length; number += 1) numbers[number] = number;
  return numbers;
}

/** What rows are compared by: a number, or a folded text. A row without a value comes first. */
type Key = string | number | undefined;

function* keysOf(table: RowTable, column: string): Generator<undefined, Key[]> {
  const keys: Key[] = [];
  for (let row = 0; row < table.length; row += 1) {
    const value = table.fields(row)[column] ?? table.texts(row)?.[column];
    keys.push(typeof value === 'string' ? fold(value) : value === undefined ? value : Number(value));
    if (row % ROWS_PER_STEP === ROWS_PER_STEP - 1) yield;
  }
  return keys;
}

function byKey(keys: ArrayLike<Key>): (one: number, other: number) => number {
  return (one, other) => {
    const [key, otherKey] = [keys[one], keys[other]];
    if (key === otherKey) return 0;
    if (key === undefined) return -1;
    return otherKey === undefined || key > otherKey ? 1 : -1;
  };
}

/** How many rows are sorted, or merged, between two yields: about a millisecond's work. */
const RUN = 2 ** 10;
const MERGED = 2 ** 14;

/** The rows, sorted by merging short sorted runs. Keeps the order of equal rows. Yields while it works. */
function* sortInSteps(
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
