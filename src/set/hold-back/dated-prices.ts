import { plural } from '../../messages.ts';
import { DAY } from '../../time-zone.ts';
import { type AnyRow, combinationOf, comingPrices, dateOf, type RowPair } from '../compare/differences.ts';
import { LEAST_ROWS, type Replacement, type Rule, rowName, rowsOf } from './rules.ts';

/** Adds new or changed future prices, as changes of the prices that they follow. */
export function withComing(replacement: Replacement): Replacement {
  const { set, written, allPrices, differences, now } = replacement;
  const coming = new Set(comingPrices(written, now).flatMap(({ rows }) => rows.map(({ after }) => after)));
  if (coming.size === 0) return replacement;
  const next = new Map(set.prices?.rows.map(row => [combinationOf(row), row]));
  const last = new Map<string, AnyRow>();
  const pairs: RowPair[] = [];
  for (const row of allPrices.filter(row => !row.hidden).sort((a, b) => dateOf(a) - dateOf(b))) {
    const before = last.get(combinationOf(row));
    last.set(combinationOf(row), row);
    if (!before || !coming.has(row)) continue;
    // After a promotion, the former price often returns: that is not a moved value.
    const isNext = dateOf(before) <= now;
    if (isNext) next.set(combinationOf(row), row);
    const columns = isNext && before.price !== row.price ? ['price'] : [];
    pairs.push({ before, after: row, columns, seenBefore: before, seenAfter: row });
  }
  return {
    ...replacement,
    set: { ...set, prices: { columns: [], ...set.prices, rows: [...next.values()] } },
    differences: differences.map(found =>
      found.catalog === 'prices' ? { ...found, rows: [...found.rows, ...pairs] } : found,
    ),
  };
}

/** Dates were filled down: prices in force wait for one, or all get the same or each the next day. */
export const filledDates: Rule = replacement => {
  const pairs = replacement.written.flatMap(({ catalog, rows }) => (catalog === 'prices' ? rows : []));
  const dated = pairs.filter(({ before, after }) => dateOf(after) > 0 && dateOf(before) !== dateOf(after));
  const keys = new Set(dated.flatMap(({ after }) => (after ? combinationOf(after) : [])));
  const waiting = rowsOf(replacement, 'prices').filter(
    ({ before, after }) => before && !after && keys.has(combinationOf(before)),
  );
  const days = dated.map(({ after }) => dateOf(after)).sort((one, other) => one - other);
  const froms = new Set(dated.map(({ before }) => before && dateOf(before)));
  const isOne = days[0] === days.at(-1) && froms.size > 1 && !froms.has(undefined);
  // Summer time adds an hour.
  const isSeries = days.every((day, at) => at === 0 || Math.abs(day - Number(days[at - 1]) - DAY) <= 3600);
  const [found, what] =
    waiting.length >= LEAST_ROWS
      ? [waiting, 'wait for a date, though visitors see them']
      : [isOne || isSeries ? dated : [], isOne ? 'have one date' : 'each have the day after another one'];
  const row = found[0]?.after ?? found[0]?.before;
  if (!row || keys.size < LEAST_ROWS) return [];
  return [
    `column valid_from of prices: ${plural(found.length, 'price')} would ${what}, the first ${rowName('prices', row)}: if the column was filled down, restore it, and write prices to come into rows of their own`,
  ];
};
