import type { SharedCounts, SharedReads } from '../counter.ts';
import type { Counts } from '../counts.ts';
import { type CountTable, raisedCount } from './count-table.ts';

const REVISION = 0;
const RAISED = 1;
/** How many items can get a slot: more than fit into memory. The system provides memory only for those that have one. */
const MAX_SLOTS = 2 ** 24;
const { BYTES_PER_ELEMENT } = BigInt64Array;

function allocateCounts(): SharedCounts {
  return {
    counts: new SharedArrayBuffer(0, { maxByteLength: MAX_SLOTS * BYTES_PER_ELEMENT }),
    totals: new SharedArrayBuffer(2 * BYTES_PER_ELEMENT),
  };
}

/** The counts as one of the threads has them. Calls of `raise` in all threads return different, consecutive counts. */
export interface ThreadCounts extends Pick<CountTable, 'get' | 'raise' | 'set' | 'revision' | 'raised'> {
  /** Whether an item has a slot. */
  has(id: number): boolean;
  /** Learns the items that have slots, in the order of their slots. */
  learn(ids: Iterable<number>): void;
}

export function openThreadCounts({ counts, totals }: SharedCounts): ThreadCounts {
  const slotOf = new Map<number, number>();
  const slots = new BigInt64Array(counts);
  const total = new BigInt64Array(totals);
  const load = (slot: number) => Atomics.load(slots, slot);
  return {
    has: id => slotOf.has(id),
    learn(ids) {
      for (const id of ids) slotOf.set(id, slotOf.size);
    },
    get(id) {
      const slot = slotOf.get(id);
      return slot === undefined ? 0 : Number(load(slot));
    },
    raise(id, floor) {
      const slot = slotOf.get(id);
      if (slot === undefined) throw new Error(`news item ${id} has no count`);
      for (let before = load(slot); ; ) {
        const count = raisedCount(Number(before), floor);
        const found = Atomics.compareExchange(slots, slot, before, BigInt(count));
        if (found === before) {
          Atomics.add(total, REVISION, 1n);
          // Last, so that whoever saves the counts of this total saves this one.
          Atomics.add(total, RAISED, 1n);
          return count;
        }
        before = found;
      }
    },
    set(id, count) {
      Atomics.store(slots, slotOf.get(id) ?? 0, BigInt(count));
      Atomics.add(total, REVISION, 1n);
    },
    revision: () => Number(Atomics.load(total, REVISION)),
    raised: () => Number(Atomics.load(total, RAISED)),
  };
}

/** The counts as the thread has them that saves them. */
export interface CountsOwner extends CountTable, SharedReads {}

/** `others` are the counts of items without a slot. */
export function openCountsOwner(others: Counts): CountsOwner {
  const memory = allocateCounts();
  const thread = openThreadCounts(memory);
  const order: number[] = [];
  const saved = new Map<number, number>();
  /** Counts of items without a slot that changed. */
  const changed = new Set<number>();
  let edits = 0;
  const get = (id: number) => (thread.has(id) ? thread.get(id) : (others.get(id) ?? 0));
  const set = (id: number, count: number) => {
    if (thread.has(id)) return thread.set(id, count);
    others.set(id, count);
    changed.add(id);
    edits += 1;
  };
  const share = (ids: Iterable<number>) => {
    const added = [...ids].filter(id => !thread.has(id));
    memory.counts.grow(memory.counts.byteLength + added.length * BYTES_PER_ELEMENT);
    thread.learn(added);
    for (const id of added) {
      const count = others.get(id) ?? 0;
      if (count > 0) thread.set(id, count);
      saved.set(id, changed.has(id) ? -1 : count);
      order.push(id);
    }
  };
  return {
    ...thread,
    get,
    set,
    raise(id, floor) {
      // Before its set is shared.
      if (!thread.has(id)) share([id]);
      return thread.raise(id, floor);
    },
    revision: () => thread.revision() + edits,
    memory,
    shared: from => order.slice(from),
    share,
    takeChanges() {
      const changes: Counts = new Map(Array.from(changed, id => [id, get(id)]));
      changed.clear();
      for (const [id, before] of saved) {
        const count = thread.get(id);
        if (count === before) continue;
        saved.set(id, count);
        changes.set(id, count);
      }
      return changes;
    },
    all() {
      for (const id of saved.keys()) if (thread.get(id) > 0) others.set(id, thread.get(id));
      return others;
    },
  };
}
