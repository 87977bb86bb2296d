import { plural } from '../../../messages.ts';
import type { FormerRow } from '../former-rows.ts';
import type { RowPair } from '../row-pairs.ts';
import type { Rule } from './rule.ts';

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
