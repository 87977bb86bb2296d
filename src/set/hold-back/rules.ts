import { type CatalogName, catalogs } from '../../contract/columns.ts';
import { excerpt, plural } from '../../messages.ts';
import {
  type CatalogPair,
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
export interface Watcher {
  /** Called for each catalog that may differ, before its rows. */
  catalog?(pair: CatalogPair): void;
  /** Called for each row that is not as it was, or not seen as it was. */
  row?(pair: RowPair): void;
  /** What it found, a sentence each: what would happen, then what to do. `counts` are those of each such catalog. */
  messages(counts: Counts): string[];
}

export type Rule = (replacement: Replacement) => Watcher;

/** How many rows of a catalog visitors see before and after a change. */
export interface Count {
  before: number;
  after: number;
}

type Counts = ReadonlyMap<CatalogName, Count>;

/** A catalog loses more than half of the rows that visitors see. */
export const lostRows: Rule = ({ set, gone }) => ({
  messages: counts => Array.from(counts).flatMap(([catalog, count]) => lossOf(catalog, count, set, gone)),
});

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

/** The rows of other catalogs that those of a catalog belong to. */
export const owners: Partial<Record<CatalogName, Readonly<Record<string, CatalogName>>>> = {
  configurations: { product_id: 'products' },
  prices: { product_id: 'products', rel_id: 'configurations', duration_id: 'durations' },
  news: { type_id: 'news_types' },
};

/** A catalog loses more than a third of its rows, and what they belong to stays. */
export const lostPart: Rule = ({ set }) => {
  const lost = new Map<CatalogName, number>();
  const idsIn = openIds(set);
  const add = (catalog: CatalogName, count: number) => lost.set(catalog, (lost.get(catalog) ?? 0) + count);
  return {
    row({ catalog, before, after, seenBefore, seenAfter }) {
      const belongsTo = owners[catalog];
      if (!belongsTo || (before && after)) return;
      const stays = ([column, owner]: [string, CatalogName]) =>
        seenBefore?.[column] === undefined || idsIn(owner).has(seenBefore[column]);
      if (seenAfter) add(catalog, -1);
      if (seenBefore && Object.entries(belongsTo).every(stays)) add(catalog, 1);
    },
    messages: counts =>
      Array.from(lost).flatMap(([catalog, lost]) => {
        const { before = 0, after = 0 } = counts.get(catalog) ?? {};
        if (lost < 3 || lost * 3 <= before || (before - after) * 2 > before) return [];
        return [
          `${lost} of ${plural(before, catalogs[catalog].noun)} would be gone: save the whole file again`,
        ];
      }),
  };
};

/** The ids of the rows of a set, by catalog. */
function openIds(set: SetContent): (catalog: CatalogName) => ReadonlySet<unknown> {
  const ids = new Map<CatalogName, ReadonlySet<unknown>>();
  return catalog => {
    const found = ids.get(catalog) ?? new Set(set[catalog]?.rows.map(({ id }) => id));
    ids.set(catalog, found);
    return found;
  };
}

/** A product stays, but visitors see none of its configurations any more. */
export const emptyProducts: Rule = ({ set }) => {
  const losers = new Set<unknown>();
  return {
    row({ catalog, seenBefore }) {
      if (catalog === 'configurations' && seenBefore) losers.add(seenBefore.product_id);
    },
    messages() {
      if (losers.size === 0) return [];
      const shown = new Set<unknown>();
      for (const { product_id, hidden } of set.configurations?.rows ?? []) if (!hidden) shown.add(product_id);
      const empty = (set.products?.rows ?? []).filter(({ id }) => losers.has(id) && !shown.has(id));
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

/** What keeps a row from visitors, now or later. */
const isKept: Record<string, (row: FormerRow, now: number) => boolean> = {
  hidden: ({ hidden }) => hidden === true,
  publish_time: ({ publish_time }, now) => Number(publish_time) > now,
  unpublish_time: ({ unpublish_time }) => unpublish_time !== undefined,
};

/** The columns that keep rows from visitors, and what they say of a row. */
const guards: Record<string, readonly string[]> = {
  ...Object.fromEntries(Object.keys(isKept).map(column => [column, [column]])),
  draft: ['hidden'],
  published: ['hidden', 'publish_time'],
};

/** The columns of a pair of catalogs that keep no row from visitors any more. */
type FindLost = (pair: CatalogPair) => readonly string[];

/** Whoever shows a single row may leave its column empty, or delete the line in its Markdown file. */
const SEVERAL = 2;

/** Looks for lost columns that kept rows from visitors, of which at least so many had a value, and the rows are still there. */
const openGuards =
  (findLost: FindLost, leastOf: (pair: CatalogPair) => number, fate: string): Rule =>
  ({ now }) => {
    const found: { column: string; catalog: CatalogName; least: number; values: number; guarded: number }[] =
      [];
    let ofCatalog: typeof found = [];
    return {
      catalog(pair) {
        const [{ catalog }, least] = [pair, leastOf(pair)];
        ofCatalog = findLost(pair).flatMap(column =>
          guards[column] ? [{ column, catalog, least, values: 0, guarded: 0 }] : [],
        );
        found.push(...ofCatalog);
      },
      row({ before, after }) {
        if (ofCatalog.length === 0 || !before || !after) return;
        for (const guard of ofCatalog) {
          const says = guards[guard.column] ?? [];
          if (!says.some(column => before[column]) || says.some(column => after[column])) continue;
          guard.values += 1;
          if (says.some(column => isKept[column]?.(before, now))) guard.guarded += 1;
        }
      },
      messages: () =>
        found
          .filter(({ values, least, guarded }) => values >= least && guarded > 0)
          .map(
            ({ column, catalog, guarded }) =>
              `column ${column} of ${catalog}, which keeps ${plural(guarded, catalogs[catalog].noun)} from visitors, ${fate}`,
          ),
    };
  };

export const lostGuards = openGuards(
  pair => columnChanges(pair).lost,
  ({ after }) => (after?.isMarkdown ? SEVERAL : 1),
  'is gone: add it again',
);

export const emptiedGuards = openGuards(
  ({ before, after }) => (after?.empty ?? []).filter(column => !before?.empty?.includes(column)),
  () => SEVERAL,
  'is empty: fill it in again',
);
