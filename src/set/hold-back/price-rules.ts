import { excerpt, plural } from '../../messages.ts';
import { type AnyRow, visibleRows } from '../compare/differences.ts';
import { type Replacement, type Rule, rowsOf } from './rules.ts';

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
  const isSeen = visibleRows(set.configurations?.rows ?? [], now);
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
