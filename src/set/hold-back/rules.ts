import { type CatalogName, catalogs } from '../../contract/columns.ts';
import { excerpt, plural } from '../../messages.ts';
import {
  type ChangeVisitor,
  columnChanges,
  type FormerRow,
  type RowPair,
  type SetContent,
} from '../compare/walk.ts';

/** A set that is to replace another: what rules know of it besides the differences that they are shown. */
export interface Replacement {
  set: SetContent;
  /** When it is compared, in Unix seconds. */
  now: number;
  /** What to do about each file that seems to be cut off, a sentence each. */
  cutOff: readonly string[];
  /** What to do about a catalog whose file is gone. */
  gone(catalog: CatalogName): string;
}

/** Looks for one kind of drastic change among the differences between two sets. */
export interface Watcher extends Partial<ChangeVisitor> {
  /** What it found, a sentence each: what would happen, then what to do. */
  messages(): string[];
}

export type Rule = (replacement: Replacement) => Watcher;

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

/** A product stays, but visitors see none of its configurations any more. */
export const emptyProducts: Rule = ({ set }) => {
  const shownBefore = new Set<unknown>();
  const shown = new Set<unknown>();
  return {
    row({ catalog, seenBefore, seenAfter }) {
      if (catalog !== 'configurations') return;
      if (seenBefore) shownBefore.add(seenBefore.product_id);
      if (seenAfter) shown.add(seenAfter.product_id);
    },
    messages() {
      const rows = set.products?.rows ?? [];
      const empty = rows.filter(({ id }) => shownBefore.has(id) && !shown.has(id));
      const [first, ...others] = empty;
      if (!first) return [];
      const more = others.length > 0 ? ` and ${others.length} more` : '';
      const who = `product ${first.id} "${excerpt(String(first.name))}"${more}`;
      return [
        `${who} would have no configurations that visitors see: show one of them, or delete the product`,
      ];
    },
  };
};

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

/** A factor by which prices hardly ever change, */
const FACTOR = 5;
/** at least not in more than this part of them at once. */
const PART = 0.1;

/** Prices that were not 0 become 0. */
export const zeroPrices: Rule = () => {
  const found = openPrices();
  return {
    row(pair) {
      if (pair.after?.price !== 0) return;
      const [from, to] = servedPrices(pair);
      if (to === 0 && from !== undefined && from > 0) found.add(pair.before, from, to);
    },
    messages: () =>
      found.count() === 0 ? [] : [`${plural(found.count(), 'price')} would become 0, ${found.first()}`],
  };
};

/** Many prices change by a large factor in the same direction. */
export const shiftedPrices: Rule = () => {
  const [risen, fallen] = [openPrices(), openPrices()];
  let before = 0;
  const message = (found: ReturnType<typeof openPrices>, what: string) =>
    found.count() <= PART * before
      ? []
      : [
          `${found.count()} of ${plural(before, 'price')} would ${what}, ${found.first()}: check the column price`,
        ];
  return {
    row(pair) {
      const [from, to] = servedPrices(pair);
      if (from === undefined) return;
      before += 1;
      if (to === undefined || from === 0 || to === 0) return;
      if (to >= from * FACTOR) risen.add(pair.before, from, to);
      else if (to * FACTOR <= from) fallen.add(pair.before, from, to);
    },
    messages: () => [
      ...message(risen, 'be at least five times as high'),
      ...message(fallen, 'fall to a fifth or less'),
    ],
  };
};

/** What visitors see of a price before and after. */
function servedPrices({
  catalog,
  seenBefore,
  seenAfter,
}: RowPair): [from: number | undefined, to: number | undefined] {
  if (catalog !== 'prices') return [undefined, undefined];
  return [seenBefore && Number(seenBefore.price), seenAfter && Number(seenAfter.price)];
}

/** Counts prices, and remembers the first. */
function openPrices() {
  let count = 0;
  let first = '';
  return {
    add(row: FormerRow | undefined, from: number, to: number) {
      if (count === 0)
        first = `the first of product ${row?.product_id}, configuration ${row?.rel_id}, duration ${row?.duration_id} from ${from} to ${to}`;
      count += 1;
    },
    count: () => count,
    first: () => first,
  };
}
