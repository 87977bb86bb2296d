import type { Counts } from '../counts.ts';
import type { Delta } from './batch.ts';

export type View = ReturnType<typeof openView>;

/** What one of many processes knows of the counts: what is stored, as it was told last, and its own reads on top. */
export function openView(stored: Counts, unsent: Delta[]) {
  const own = new Map<number, number>();
  let reads = 0;
  const add = (id: number, more: number) => {
    own.set(id, (own.get(id) ?? 0) + more);
    reads += more;
  };
  for (const delta of unsent) add(delta.id, delta.reads);

  return {
    shown: (id: number, floor: number): number => Math.max(stored.get(id) ?? 0, floor) + (own.get(id) ?? 0),
    /** A read that is not stored yet. */
    add: (id: number): void => add(id, 1),
    /** Reads that were stored. */
    settle(deltas: Delta[]): void {
      for (const { id, reads } of deltas) {
        add(id, -reads);
        if (own.get(id) === 0) own.delete(id);
      }
    },
    /** Counts as they are stored now; all of them, or those that have changed. */
    learn(counts: Iterable<readonly [number, number]>, isWhole = false): void {
      if (isWhole) stored.clear();
      for (const [id, count] of counts) stored.set(id, count);
    },
    /** How many reads are not stored yet. */
    unsaved: () => reads,
    stored: (): Counts => stored,
    /** What is known to be stored as deltas that raise to it, in pieces of so many. */
    *floors(size: number): Generator<Delta[]> {
      const deltas = [...stored].map(([id, floor]) => ({ id, reads: 0, floor }));
      for (let start = 0; start < deltas.length; start += size) yield deltas.slice(start, start + size);
    },
  };
}
