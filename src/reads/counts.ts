import type { StateForm } from './state/file.ts';

/** Read counts by news id. */
export type Counts = Map<number, number>;

/** Read counts in a file for people: `{…, "counts": {"12": 103}}`. */
export const countsForm: StateForm<Counts> = {
  write: counts => ({ counts: Object.fromEntries(counts) }),
  parse: ({ counts }) => parseCounts(counts),
  merge: largerOf,
  indent: 2,
};

/** @throws Error where it is no object of counts by news id. */
export function parseCounts(value: unknown): Counts {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error('there are no counts in it');
  return new Map(
    Object.entries(value).map(([id, count]) => {
      if (!isPositive(Number(id)) || !(isPositive(count) || count === 0))
        throw new Error(`${JSON.stringify(id)}: ${JSON.stringify(count)} is no count of a news id`);
      return [Number(id), count];
    }),
  );
}

/** Of each count the larger one. */
export function largerOf(one: Counts, other: Counts): Counts {
  const larger = new Map(one);
  for (const [id, count] of other) larger.set(id, Math.max(count, larger.get(id) ?? 0));
  return larger;
}

/** A positive integer. */
export function isPositive(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0;
}
