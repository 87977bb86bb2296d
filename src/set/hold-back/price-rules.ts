import { excerpt, plural } from '../../messages.ts';
import { type AnyRow, visibleRows } from '../compare/differences.ts';
import { type Replacement, type Rule, rowsOf } from './rules.ts';

/** A price that visitors see before and after. */
interface PriceChange {
  row: AnyRow;
  from: number;
  to: number;
}

function priceChanges(replacement: Replacement): PriceChange[] {
  return rowsOf(replacement, 'prices').flatMap(({ seenBefore, seenAfter }) =>
    seenBefore && seenAfter
      ? [{ row: seenAfter, from: Number(seenBefore.price), to: Number(seenAfter.price) }]
      : [],
  );
}

function showFirst([first]: readonly PriceChange[]): string {
  if (!first) return '';
  const { row, from, to } = first;
  return `the first of product ${row.product_id}, configuration ${row.rel_id}, duration ${row.duration_id} from ${from} to ${to}`;
}

/** Prices that were not 0 become 0. */
export const zeroPrices: Rule = replacement => {
  const found = priceChanges(replacement).filter(({ from, to }) => from > 0 && to === 0);
  return found.length === 0 ? [] : [`${plural(found.length, 'price')} would become 0, ${showFirst(found)}`];
};

/** A factor by which prices hardly ever change, */
const FACTOR = 5;
/** at least not in more than this part of them at once. */
const PART = 0.1;

/** Many prices change by a large factor in the same direction. */
export const shiftedPrices: Rule = replacement => {
  const { before = 0 } = replacement.differences.find(({ catalog }) => catalog === 'prices')?.seen ?? {};
  const changes = priceChanges(replacement).filter(({ from, to }) => from !== 0 && to !== 0);
  const shifts = [
    [changes.filter(({ from, to }) => to >= from * FACTOR), 'be at least five times as high'],
    [changes.filter(({ from, to }) => to * FACTOR <= from), 'fall to a fifth or less'],
  ] as const;
  return shifts.flatMap(([found, what]) =>
    found.length <= PART * before
      ? []
      : [
          `${found.length} of ${plural(before, 'price')} would ${what}, ${showFirst(found)}: check the column price`,
        ],
  );
};

/** A factor of 3 for all prices of a product, less what rounding takes, */
const TRIPLE = 2.99;
/** which differ by this factor at most. */
const SAME = 1.02;

/** All prices of a product change by the same large factor, but not those of each product: that is another currency. */
export const scaledProducts: Rule = replacement => {
  const { set, now } = replacement;
  const factorsOf = new Map<unknown, { least: number; most: number; count: number }>();
  const add = (product: unknown, factor: number) => {
    const { least, most, count } = factorsOf.get(product) ?? { least: factor, most: factor, count: 0 };
    factorsOf.set(product, {
      least: Math.min(least, factor),
      most: Math.max(most, factor),
      count: count + 1,
    });
  };
  const pairs = rowsOf(replacement, 'prices').filter(({ seenAfter }) => seenAfter?.price);
  for (const { seenBefore, seenAfter } of pairs)
    if (seenAfter && seenBefore?.price)
      add(seenAfter.product_id, Number(seenAfter.price) / Number(seenBefore.price));
  // Most changes end here, and the prices that are as they were need not be counted.
  if (![...factorsOf.values()].some(({ most, least }) => most >= TRIPLE || least * FACTOR <= 1)) return [];
  const differing = new Set<unknown>(pairs.map(({ seenAfter }) => seenAfter));
  const isSeen = visibleRows(set.configurations?.rows ?? [], now);
  for (const row of set.prices?.rows ?? [])
    if (row.price && !differing.has(row) && isSeen('prices', row)) add(row.product_id, 1);

  const products = [...factorsOf];
  const even = products.filter(([, { least, most, count }]) => count >= 3 && most <= least * SAME);
  const scales = [
    [even.filter(([, { most }]) => most >= TRIPLE), products.some(([, { least }]) => least < 2)],
    [even.filter(([, { least }]) => least * FACTOR <= 1), products.some(([, { most }]) => most > 1 / 2)],
  ] as const;
  return scales.flatMap(([[first, ...others], hasOther]) => {
    if (!first || !hasOther) return [];
    const [id, { most }] = first;
    const name = set.products?.rows.find(product => product.id === id)?.name;
    const more = others.length > 0 ? ` and of ${others.length} more` : '';
    return [
      `all prices of product ${id} "${excerpt(String(name))}"${more} would be ${Number(most.toPrecision(2))} times as high: check the column price`,
    ];
  });
};
