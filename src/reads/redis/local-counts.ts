import { type Counts, MAX_COUNT } from '../counts.ts';
import type { Delta } from './batch.ts';
import type { Journal } from './journal.ts';

export type LocalCounts = ReturnType<typeof openLocalCounts>;

/** The counts as one of many processes knows them: those last received from Redis, plus its own unsent reads. */
export function openLocalCounts({ counts: stored, unsent }: Pick<Journal, 'counts' | 'unsent'>) {
  const own = new Map<number, number>();
  let unsaved = 0;
  let revision = 0;
  const add = (id: number, reads: number) => {
    own.set(id, (own.get(id) ?? 0) + reads);
    unsaved += reads;
    revision += 1;
  };
  for (const { id, reads } of unsent.flatMap(({ deltas }) => deltas)) add(id, reads);

  return {
    shown: (id: number, floor: number): number =>
      Math.min(Math.max(stored.get(id) ?? 0, floor) + (own.get(id) ?? 0), MAX_COUNT),
    /** Counts a read that Redis does not have yet. */
    add: (id: number): void => add(id, 1),
    /** Removes reads that Redis now has. */
    remove(deltas: Delta[]): void {
      for (const { id, reads } of deltas) {
        add(id, -reads);
        if (own.get(id) === 0) own.delete(id);
      }
    },
    /** Stores counts from Redis: all of them if `isWhole`, otherwise those that changed. */
    update(counts: Iterable<readonly [number, number]>, isWhole = false): void {
      if (isWhole) stored.clear();
      for (const [id, count] of counts) stored.set(id, count);
      revision += 1;
    },
    /** A number that differs after every change. */
    revision: () => revision,
    /** Reads that Redis does not have yet. */
    unsaved: () => unsaved,
    stored: (): Counts => stored,
  };
}
