import { type Counts, MAX_COUNT } from '../counts.ts';

/** Where read counts are, and which of them changed. */
export interface CountTable {
  /** The count of an item; 0 if it has none. */
  get(id: number): number;
  /** Raises the larger of the count and `floor` by one, and returns it. */
  raise(id: number, floor: number): number;
  set(id: number, count: number): void;
  /** A number that differs after every change. */
  revision(): number;
  /** How many times `raise` was called. */
  raised(): number;
  /** The counts that changed since the last call. */
  takeChanges(): Counts;
  /** All counts. */
  all(): Counts;
}

export function openCountTable(counts: Counts): CountTable {
  const changed = new Set<number>();
  let revision = 0;
  let raised = 0;
  const set = (id: number, count: number) => {
    counts.set(id, count);
    changed.add(id);
    revision += 1;
  };
  const get = (id: number) => counts.get(id) ?? 0;
  return {
    get,
    raise(id, floor) {
      const count = Math.min(Math.max(get(id), floor) + 1, MAX_COUNT);
      set(id, count);
      raised += 1;
      return count;
    },
    set,
    revision: () => revision,
    raised: () => raised,
    takeChanges() {
      const changes = new Map(Array.from(changed, id => [id, get(id)]));
      changed.clear();
      return changes;
    },
    all: () => counts,
  };
}
