import type { Health } from '../contract/health.ts';
import { excerpt } from '../messages.ts';

/** Read counts by news id. */
export type Counts = Map<number, number>;

/** The largest count, at which counting stops: the largest integer that every JSON parser keeps exact. */
export const MAX_COUNT = Number.MAX_SAFE_INTEGER;

/** Parses counts by news id. Reads 2^53, which earlier versions could reach, as `MAX_COUNT`. @throws Error if invalid. */
export function parseCounts(value: unknown): Counts {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error('it has no counts');
  const counts: Counts = new Map();
  // Not Object.entries(), which makes an array for each of a million counts.
  for (const id of Object.keys(value)) {
    const count: unknown = Reflect.get(value, id);
    if (!isId(id) || !isCount(count))
      throw new Error(
        `expected a news id and a whole number, got ${excerpt(JSON.stringify(id))}: ${excerpt(JSON.stringify(count))}`,
      );
    counts.set(Number(id), Math.min(count, MAX_COUNT));
  }
  return counts;
}

/** Returns the larger of the two counts of each item. */
export function mergeCounts(one: Counts, other: Counts): Counts {
  const merged = new Map(one);
  for (const [id, count] of other) merged.set(id, Math.max(count, merged.get(id) ?? 0));
  return merged;
}

/** Accepts plain digits only, so that no two keys mean the same id. */
export function isId(key: string): boolean {
  return Number.isSafeInteger(Number(key)) && Number(key) > 0 && String(Number(key)) === key;
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MAX_COUNT + 1;
}

/** Counts reads exactly. The `floor` of an item is its `read` in the catalog; its count is never lower. */
export interface ReadCounter {
  /** Counts one read and returns the new count. Never fails: a read that cannot be saved yet counts, too. */
  raise(id: number, floor: number): number | Promise<number>;
  /** Returns the count without raising it. */
  shown(id: number, floor: number): number;
  /** Returns a number that is different after every change of a count. */
  revision(): number;
  health(): ReadHealth;
  /** Saves all reads. Never rejects: a failure is reported by the log and `health`, and retried at every interval. */
  flush(): Promise<void>;
  /** Flushes and stops. Later reads are lost. @throws Error if reads could not be saved. */
  close(): Promise<void>;
}

export interface ReadHealth {
  store: Health['reads']['store'];
  /** Reads counted since the start. */
  counted: number;
  /** Reads that are not saved yet, including those of earlier processes. */
  unsaved: number;
  /** When all reads were last saved, in Unix seconds; undefined before the first time. */
  lastFlush: number | undefined;
  /** Why counting is degraded, one sentence each; empty if it is not. */
  reasons: string[];
}
