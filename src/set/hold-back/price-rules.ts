import { excerpt, plural } from '../../messages.ts';
import { type FormerRow, type RowPair, visibleRows } from '../compare/walk.ts';
import type { Rule } from './rules.ts';

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
  const message = (found: ReturnType<typeof openPrices>, before: number, what: string) =>
    found.count() <= PART * before
      ? []
      : [
          `${found.count()} of ${plural(before, 'price')} would ${what}, ${found.first()}: check the column price`,
        ];
  return {
    row(pair) {
      const [from, to] = servedPrices(pair);
      if (!from || !to) return;
      if (to >= from * FACTOR) risen.add(pair.before, from, to);
      else if (to * FACTOR <= from) fallen.add(pair.before, from, to);
    },
    messages(counts) {
      const { before = 0 } = counts.get('prices') ?? {};
      return [
        ...message(risen, before, 'be at least five times as high'),
        ...message(fallen, before, 'fall to a fifth or less'),
      ];
    },
  };
};

/** A factor of 3 for all prices of a product, less what rounding takes, */
const TRIPLE = 2.99;
/** which differ by this factor at most. */
const SAME = 1.02;

/** How the prices of a product change. */
interface Factors {
  /** How many prices are compared, and how many differ in any way. */
  compared: number;
  differing: number;
  least: number;
  most: number;
}

/** All prices of a product change by the same large factor, but not those of each product: that is another currency. */
export const scaledProducts: Rule = ({ set, now }) => {
  const products = new Map<unknown, Factors>();
  const factorsOf = (id: unknown): Factors => {
    const found = products.get(id) ?? { compared: 0, differing: 0, least: Infinity, most: 0 };
    products.set(id, found);
    return found;
  };
  let last: unknown;
  let factors: Factors = { compared: 0, differing: 0, least: Infinity, most: 0 };
  /** Adds the prices that are as they were. */
  const addOthers = () => {
    const isVisible = visibleRows(set.configurations?.rows ?? [], now);
    const counts = new Map<unknown, number>();
    for (const row of set.prices?.rows ?? [])
      if (row.price && isVisible('prices', row))
        counts.set(row.product_id, 1 + (counts.get(row.product_id) ?? 0));
    for (const [id, count] of counts) {
      const factors = factorsOf(id);
      if (count > factors.differing) addFactor(factors, 1);
    }
  };
  const message = (isOther: (factors: Factors) => boolean, isScaled: (factors: Factors) => boolean) => {
    const scaled = [...products].filter(([, factors]) => isScaled(factors));
    const [[id, first] = []] = scaled;
    if (!first || ![...products.values()].some(isOther)) return [];
    const more = scaled.length > 1 ? ` and of ${scaled.length - 1} more` : '';
    const name = set.products?.rows.find(product => product.id === id)?.name;
    const factor = Number(first.most.toPrecision(2));
    return [
      `all prices of product ${id} "${excerpt(String(name))}"${more} would be ${factor} times as high: check the column price`,
    ];
  };
  return {
    row(pair) {
      const [from, to] = servedPrices(pair);
      if (!to) return;
      const product = pair.after?.product_id;
      // Most prices have the product of the one before.
      if (product !== last) factors = factorsOf(product);
      last = product;
      factors.differing += 1;
      if (from) addFactor(factors, to / from);
    },
    messages() {
      if (![...products.values()].some(factors => isRaised(factors) || isCut(factors))) return [];
      addOthers();
      return [...message(({ least }) => least < 2, isRaised), ...message(({ most }) => most > 1 / 2, isCut)];
    },
  };
};

function addFactor(factors: Factors, factor: number): void {
  factors.compared += 1;
  if (factor < factors.least) factors.least = factor;
  if (factor > factors.most) factors.most = factor;
}

function isRaised(factors: Factors): boolean {
  return isSame(factors) && factors.most >= TRIPLE;
}

function isCut(factors: Factors): boolean {
  return isSame(factors) && factors.least * FACTOR <= 1;
}

function isSame({ compared, least, most }: Factors): boolean {
  return compared >= 3 && most <= least * SAME;
}

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
