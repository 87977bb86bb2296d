import { memoizePerSnapshot, type Snapshot } from '../../catalog/snapshot/snapshot.ts';

/** Everything that all threads cache for a snapshot may take this many bytes, */
const BASE_BYTES = 32 * 2 ** 20;
/** and this many times the bytes of its news items on top, so that all pages of a large catalog fit. */
const TIMES_NEWS = 1.25;

/** Values that were made from a snapshot. */
export interface SnapshotCache<Key, Value> {
  get(key: Key): Value | undefined;
  /** `bytes`: about how much the key and the value take. */
  set(key: Key, value: Value, bytes: number): void;
  /** Counts bytes by which a cached value has grown. */
  grow(bytes: number): void;
}

/**
 * Opens a cache for each snapshot. It is dropped with the snapshot. All caches of a snapshot share one budget; when it is
 * spent, all of them are emptied.
 */
export function cachePerSnapshot<Key, Value>(): (snapshot: Snapshot) => SnapshotCache<Key, Value> {
  return memoizePerSnapshot(snapshot => {
    const values = new Map<Key, Value>();
    const budget = budgetOf(snapshot);
    budget.maps.push(values);
    return {
      get: key => values.get(key),
      set(key, value, bytes) {
        budget.spend(bytes);
        values.set(key, value);
      },
      grow: budget.spend,
    };
  });
}

const budgetOf = memoizePerSnapshot(({ news, threads }) => {
  const maxBytes = (BASE_BYTES + news.json.length * TIMES_NEWS) / threads;
  const maps: Map<unknown, unknown>[] = [];
  let spent = 0;
  return {
    maps,
    spend(bytes: number) {
      spent += bytes;
      if (spent <= maxBytes) return;
      for (const values of maps) values.clear();
      spent = bytes;
    },
  };
});
