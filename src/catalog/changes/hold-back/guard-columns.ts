import { catalogs } from '../../../contract/columns.ts';
import { plural } from '../../../messages.ts';
import type { FormerRow } from '../former-rows.ts';
import { columnChanges } from '../walk.ts';
import type { Rule } from './rule.ts';

/** The columns that keep rows from visitors, and whether one does so with a row, now or later. */
const guards: Record<string, (row: FormerRow, now: number) => boolean> = {
  hidden: ({ hidden }) => hidden === true,
  publish_time: ({ publish_time }, now) => Number(publish_time) > now,
  unpublish_time: ({ unpublish_time }) => unpublish_time !== undefined,
};

/** A column that keeps rows from visitors is gone, and the rows are not. */
export const lostGuards: Rule = ({ now }) => {
  const found: { what: string; noun: string; rows: number; guardsRow: (row: FormerRow) => boolean }[] = [];
  let ofCatalog: typeof found = [];
  return {
    catalog(pair) {
      const { catalog } = pair;
      const { lost } = columnChanges(pair);
      ofCatalog = lost.flatMap(column => {
        const guard = guards[column];
        const { noun } = catalogs[catalog];
        return guard
          ? [{ what: `column ${column} of ${catalog}`, noun, rows: 0, guardsRow: row => guard(row, now) }]
          : [];
      });
      found.push(...ofCatalog);
    },
    row({ before, after }) {
      if (before && after) for (const guard of ofCatalog) if (guard.guardsRow(before)) guard.rows += 1;
    },
    messages: () =>
      found
        .filter(({ rows }) => rows > 0)
        .map(
          ({ what, noun, rows }) =>
            `${what}, which keeps ${plural(rows, noun)} from visitors, is gone: add it again`,
        ),
  };
};
