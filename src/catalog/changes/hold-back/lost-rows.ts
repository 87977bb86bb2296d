import { type CatalogName, catalogs } from '../../../contract/columns.ts';
import { plural } from '../../../messages.ts';
import type { SetContent } from '../walk.ts';
import type { Replacement, Rule } from './rule.ts';

/** How many rows of a catalog visitors see before and after a change. */
interface Count {
  before: number;
  after: number;
}

/** A catalog loses more than half of the rows that visitors see. */
export const lostRows: Rule = ({ set, gone }) => {
  const counts = new Map<CatalogName, Count>();
  let count: Count = { before: 0, after: 0 };
  return {
    catalog({ catalog }) {
      count = { before: 0, after: 0 };
      counts.set(catalog, count);
    },
    row({ seenBefore, seenAfter }) {
      if (seenBefore) count.before += 1;
      if (seenAfter) count.after += 1;
    },
    messages: () => Array.from(counts).flatMap(([catalog, found]) => lossOf(catalog, found, set, gone)),
  };
};

/** The same for a set before that is not known but for the numbers of its rows, hidden ones included. */
export function lostFileRows(
  before: readonly { catalog: CatalogName; rows: number }[],
  { set, gone }: Pick<Replacement, 'set' | 'gone'>,
): string[] {
  return before.flatMap(({ catalog, rows }) =>
    lossOf(catalog, { before: rows, after: set[catalog]?.rows.length ?? 0 }, set, gone),
  );
}

function lossOf(
  catalog: CatalogName,
  { before, after }: Count,
  set: SetContent,
  gone: Replacement['gone'],
): string[] {
  const lost = before - after;
  if (lost * 2 <= before) return [];
  if (!set[catalog]) return [gone(catalog)];
  return [`${lost} of ${plural(before, catalogs[catalog].noun)} would disappear: save the whole file again`];
}
