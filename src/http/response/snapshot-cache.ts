import { memoizePerSnapshot, type Snapshot } from '../../catalog/snapshot/snapshot.ts';

/** Everything that all threads cache for a snapshot may take this many bytes, */
const BASE_BYTES = 32 * 2 ** 20;
/** and this many times the bytes of its news items on top, so that all pages of a large catalog fit. */
const TIMES_NEWS = 1.25;
/**
 * Full caches are emptied at most once in this time, in milliseconds. Until then they keep what they have: where clients ask
 * for more than fits, making room for each answer would cost more than it saves.
 */
const REST_MS = 10_000;

/** Values that were made from a snapshot. */
export interface SnapshotCache<Key, Value> {
  get(key: Key): Value | undefined;
  /** Whether it takes another key now. */
  hasRoom(): boolean;
  /** Caches a value, unless its key is another one and there is no room. `bytes`: about how much the two take. */
  set(key: Key, value: Value, bytes: number): void;
  /** Counts bytes by which the value of a key has grown. */
  grow(key: Key, bytes: number): void;
}

/**
 * Opens a cache for each snapshot. It is dropped with the snapshot. All caches of a snapshot share one budget; when it is
 * spent, all of them are emptied.
 */
export function cachePerSnapshot<Key, Value>(): (snapshot: Snapshot) => SnapshotCache<Key, Value> {
  return memoizePerSnapshot(snapshot => {
    const values = new Map<Key, { value: Value; bytes: number }>();
    const budget = budgetOf(snapshot);
    budget.maps.push(values);
    return {
      get: key => values.get(key)?.value,
      hasRoom: budget.hasRoom,
      set(key, value, bytes) {
        const before = values.get(key);
        if (!before && !budget.hasRoom()) return;
        budget.spend(bytes - (before?.bytes ?? 0));
        values.set(key, { value, bytes });
      },
      grow(key, bytes) {
        const entry = values.get(key);
        if (!entry) return;
        entry.bytes += bytes;
        budget.spend(bytes);
      },
    };
  });
}

const budgetOf = memoizePerSnapshot(({ news, threads }) => {
  const maxBytes = (BASE_BYTES + news.json.length * TIMES_NEWS) / threads;
  const maps: Map<unknown, unknown>[] = [];
  let spent = 0;
  let emptied = Number.NEGATIVE_INFINITY;
  return {
    maps,
    spend(bytes: number) {
      spent += bytes;
    },
    hasRoom() {
      if (spent < maxBytes) return true;
      const now = performance.now();
      if (now - emptied < REST_MS) return false;
      for (const values of maps) values.clear();
      spent = 0;
      emptied = now;
      return true;
    },
  };
});
