import { memoizePerSnapshot, type Snapshot } from '../snapshot/snapshot.ts';

/** Everything that is cached for a snapshot may take this many bytes, */
const BASE_BYTES = 32 * 2 ** 20;
/** and this many times the bytes of its news items on top, so that all pages of a large catalog fit. */
const TIMES_NEWS = 1.25;
/**
 * A full cache takes one new key of so many. If it took each, clients that ask for a little more than fits, one after the
 * other, would find nothing of it any more.
 */
const TAKEN_OF = 4;

/** Values that were made from a snapshot. */
interface SnapshotCache<Key, Value> {
  get(key: Key): Value | undefined;
  /** Whether it takes a new key now. Makes room for it. */
  hasRoom(): boolean;
  /** Caches a value, unless its key is new and there is no room. `bytes`: about how much the two take. */
  set(key: Key, value: Value, bytes: number): void;
  /** Counts bytes by which the value of a key has grown. */
  grow(key: Key, bytes: number): void;
}

interface Entry<Key, Value> {
  readonly values: Map<Key, Entry<Key, Value>>;
  readonly key: Key;
  value: Value;
  bytes: number;
}

/**
 * Opens a cache for each snapshot. It is dropped with the snapshot. All caches of a snapshot share one budget, unless one has
 * `ownBytes`; when a budget is spent, the oldest values make room for new ones.
 */
export function cachePerSnapshot<Key, Value>(
  ownBytes?: number,
): (snapshot: Snapshot) => SnapshotCache<Key, Value> {
  return memoizePerSnapshot(snapshot => {
    const values = new Map<Key, Entry<Key, Value>>();
    const budget = ownBytes === undefined ? sharedBudget(snapshot) : openBudget(ownBytes);
    let refused = 0;
    const hasRoom = () => {
      if (budget.isSpent()) {
        refused = (refused + 1) % TAKEN_OF;
        if (refused > 0) return false;
        budget.makeRoom();
      }
      return true;
    };
    return {
      get: key => values.get(key)?.value,
      hasRoom,
      set(key, value, bytes) {
        const known = values.get(key);
        if (known) {
          budget.grow(known, bytes - known.bytes);
          known.value = value;
        } else if (hasRoom()) {
          const entry = { values, key, value, bytes };
          values.set(key, entry);
          budget.add(entry);
        }
      },
      grow(key, bytes) {
        const entry = values.get(key);
        if (entry) budget.grow(entry, bytes);
      },
    };
  });
}

const sharedBudget = memoizePerSnapshot(({ news }) => openBudget(BASE_BYTES + news.json.length * TIMES_NEWS));

function openBudget(maxBytes: number) {
  type AnyEntry = { values: { delete(key: unknown): void }; key: unknown; bytes: number };
  const entries = new Set<AnyEntry>();
  // It goes on with those that are added later. A new iterator would first skip all that were deleted.
  const oldest = entries.values();
  let spent = 0;
  return {
    isSpent: () => spent >= maxBytes,
    add(entry: AnyEntry) {
      entries.add(entry);
      spent += entry.bytes;
    },
    grow(entry: AnyEntry, bytes: number) {
      entry.bytes += bytes;
      spent += bytes;
    },
    makeRoom() {
      for (const entry of oldest) {
        entries.delete(entry);
        entry.values.delete(entry.key);
        spent -= entry.bytes;
        if (spent < maxBytes) return;
      }
    },
  };
}
