import { type CatalogName, catalogs, columnNamesOf } from '../../contract/columns.ts';
import { readAs } from '../../formats/table.ts';
import { excerpt, plural } from '../../messages.ts';
import {
  type AnyRow,
  type CatalogDifference,
  type RowPair,
  type SetContent,
  visibleRows,
} from '../compare/differences.ts';

export interface Replacement {
  set: SetContent;
  differences: readonly CatalogDifference[];
  /** When the two are compared, in Unix seconds. */
  now: number;
  /** What to do about each file that seems to be cut off, a sentence each. */
  cutOff: readonly string[];
  gone(catalog: CatalogName): string;
}

/** Finds one kind of drastic change. Returns a sentence for each: what would happen, then what to do. */
export type Rule = (replacement: Replacement) => string[];

export function rowsOf({ differences }: Replacement, name: CatalogName): readonly RowPair[] {
  return differences.find(({ catalog }) => catalog === name)?.rows ?? [];
}

export const lostRows: Rule = ({ set, differences, gone }) =>
  differences.flatMap(({ catalog, seen: { before, after } }) => {
    const lost = before - after;
    if (lost * 2 <= before) return [];
    if (!set[catalog]) return [gone(catalog)];
    return [
      `${lost} of ${plural(before, catalogs[catalog].noun)} would disappear: save the whole file again`,
    ];
  });

/** The rows of other catalogs that those of a catalog belong to. */
export const owners: Partial<Record<CatalogName, Readonly<Record<string, CatalogName>>>> = {
  configurations: { product_id: 'products' },
  prices: { product_id: 'products', rel_id: 'configurations', duration_id: 'durations' },
  news: { type_id: 'news_types' },
};

export const lostPart: Rule = ({ set, differences }) =>
  differences.flatMap(({ catalog, rows, seen: { before, after } }) => {
    const belongsTo = Object.entries(owners[catalog] ?? {}).map(
      ([column, owner]) => [column, new Set<unknown>(set[owner]?.rows.map(({ id }) => id))] as const,
    );
    const stays = (row: AnyRow) =>
      belongsTo.every(([column, ids]) => row[column] === undefined || ids.has(row[column]));
    let lost = 0;
    for (const pair of rows.filter(({ before, after }) => !before || !after)) {
      if (pair.seenAfter) lost -= 1;
      if (pair.seenBefore && stays(pair.seenBefore)) lost += 1;
    }
    const isLostRows = (before - after) * 2 > before;
    if (belongsTo.length === 0 || lost < 3 || lost * 3 <= before || isLostRows) return [];
    return [`${lost} of ${plural(before, catalogs[catalog].noun)} would be gone: save the whole file again`];
  });

export const emptyProducts: Rule = replacement => {
  const { set } = replacement;
  const losers = new Set(
    rowsOf(replacement, 'configurations').map(({ seenBefore }) => seenBefore?.product_id),
  );
  const shown = new Set(
    set.configurations?.rows.filter(({ hidden }) => !hidden).map(({ product_id }) => product_id),
  );
  const empty = (set.products?.rows ?? []).filter(
    ({ id, hidden }) => !hidden && losers.has(id) && !shown.has(id),
  );
  const [first, ...others] = empty;
  if (!first) return [];
  const more = others.length > 0 ? ` and ${others.length} more` : '';
  return [
    `product ${first.id} "${excerpt(String(first.name))}"${more} would have no configurations that visitors see: show one of them, or delete the product`,
  ];
};

const isKept: Record<string, (row: AnyRow, now: number) => boolean> = {
  hidden: ({ hidden }) => hidden === true,
  publish_time: ({ publish_time }, now) => Number(publish_time) > now,
  unpublish_time: ({ unpublish_time }) => unpublish_time !== undefined,
};

/** Whoever shows a single row may leave its column empty, or delete the line in its Markdown file. */
const SEVERAL = 2;

/** Finds columns that kept rows from visitors, of which at least `least` had a value that is gone, and the rows are still there. */
const findGuards =
  (find: (difference: CatalogDifference) => { columns: string[]; least: number; fate: string }): Rule =>
  ({ differences, now }) =>
    differences.flatMap(difference => {
      const { catalog, rows } = difference;
      const { columns, least, fate } = find(difference);
      return columns.flatMap(column => {
        const says = isKept[column] ? [column] : readAs(column, columnNamesOf(catalog));
        const unguarded = rows.flatMap(({ before, after }) =>
          before && after && says.some(name => before[name]) && !says.some(name => after[name])
            ? [before]
            : [],
        );
        const kept = unguarded.filter(row => says.some(name => isKept[name]?.(row, now)));
        if (unguarded.length < least || kept.length === 0) return [];
        return [
          `column ${column} of ${catalog}, which keeps ${plural(kept.length, catalogs[catalog].noun)} from visitors, ${fate}`,
        ];
      });
    });

export const lostGuards = findGuards(({ lost, isMarkdown }) => ({
  columns: lost,
  least: isMarkdown ? SEVERAL : 1,
  fate: 'is gone: add it again',
}));

export const emptiedGuards = findGuards(({ emptied }) => ({
  columns: emptied,
  least: SEVERAL,
  fate: 'is empty: fill it in again',
}));

function priceChanges(replacement: Replacement) {
  return rowsOf(replacement, 'prices').flatMap(({ seenBefore, seenAfter }) =>
    seenBefore && seenAfter
      ? [{ row: seenAfter, from: Number(seenBefore.price), to: Number(seenAfter.price) }]
      : [],
  );
}

function showFirst([first]: ReturnType<typeof priceChanges>): string {
  if (!first) return '';
  const { row, from, to } = first;
  return `the first of product ${row.product_id}, configuration ${row.rel_id}, duration ${row.duration_id} from ${from} to ${to}`;
}

export const zeroPrices: Rule = replacement => {
  const found = priceChanges(replacement).filter(({ from, to }) => from > 0 && to === 0);
  if (found.length === 0) return [];
  return [`${plural(found.length, 'price')} would become 0, ${showFirst(found)}: check the column price`];
};

/** A factor by which prices hardly ever change, at least not in more than this part of them at once. */
const FACTOR = 5;
const PART = 0.1;

/** Many prices change by a large factor in the same direction. */
export const shiftedPrices: Rule = replacement => {
  const { before = 0 } = replacement.differences.find(({ catalog }) => catalog === 'prices')?.seen ?? {};
  const changes = priceChanges(replacement).filter(({ from, to }) => from !== 0 && to !== 0);
  const shifts = [
    [changes.filter(({ from, to }) => to >= from * FACTOR), 'be at least five times as high'],
    [changes.filter(({ from, to }) => to * FACTOR <= from), 'fall to a fifth or less'],
  ] as const;
  return shifts
    .filter(([found]) => found.length > PART * before)
    .map(
      ([found, what]) =>
        `${found.length} of ${plural(before, 'price')} would ${what}, ${showFirst(found)}: check the column price`,
    );
};

/** A factor of 3 for all prices of a product, which differ by `SAME` at most: both leave room for rounding. */
const TRIPLE = 2.99;
const SAME = 1.02;

/** All prices of a product change by the same large factor, but not those of each product: that is another currency. */
export const scaledProducts: Rule = replacement => {
  const { set, now } = replacement;
  const changed = new Map(rowsOf(replacement, 'prices').map(pair => [pair.after, pair.seenBefore]));
  const isSeen = visibleRows(name => set[name]?.rows, now);
  const factorsOf = new Map<unknown, number[]>();
  for (const row of changed.size > 0 ? (set.prices?.rows ?? []) : []) {
    const before = changed.has(row) ? changed.get(row) : row;
    if (!row.price || !before?.price || !isSeen('prices', row)) continue;
    const factors = factorsOf.get(row.product_id) ?? [];
    factors.push(Number(row.price) / Number(before.price));
    factorsOf.set(row.product_id, factors);
  }
  const products = Array.from(factorsOf, ([id, factors]) => {
    const [least = 1, most = least] = [factors.sort((one, other) => one - other)[0], factors.at(-1)];
    return { id, least, most, isEven: factors.length >= 3 && most <= least * SAME };
  });
  const even = products.filter(({ isEven }) => isEven);
  const scales = [
    [even.filter(({ most }) => most >= TRIPLE), products.some(({ least }) => least < 2)],
    [even.filter(({ least }) => least * FACTOR <= 1), products.some(({ most }) => most > 1 / 2)],
  ] as const;
  return scales.flatMap(([[first, ...others], hasOther]) => {
    if (!first || !hasOther) return [];
    const name = set.products?.rows.find(({ id }) => id === first.id)?.name;
    const more = others.length > 0 ? ` and of ${others.length} more` : '';
    return [
      `all prices of product ${first.id} "${excerpt(String(name))}"${more} would be ${Number(first.most.toPrecision(2))} times as high: check the column price`,
    ];
  });
};
