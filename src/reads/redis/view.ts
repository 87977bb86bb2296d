import type { Counts } from '../counts.ts';
import type { Delta } from './batch.ts';
import type { Leftover } from './leftover.ts';

export type View = ReturnType<typeof openView>;

/** What one of many processes knows of the counts: what is stored, as it was told last, and its own reads on top. */
export function openView({ counts: stored, unsent }: Pick<Leftover, 'counts' | 'unsent'>) {
  const own = new Map<number, number>();
  let reads = 0;
  let revision = 0;
  const add = (id: number, more: number) => {
    own.set(id, (own.get(id) ?? 0) + more);
    reads += more;
    revision += 1;
  };
  for (const { id, reads } of unsent.flatMap(({ deltas }) => deltas)) add(id, reads);

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
      revision += 1;
    },
    /** Another number after every change. */
    revision: () => revision,
    /** How many reads are not stored yet. */
    unsaved: () => reads,
    stored: (): Counts => stored,
  };
}
