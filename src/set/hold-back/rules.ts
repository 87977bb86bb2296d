import {
  type CatalogName,
  catalogs,
  columnNamesOf,
  columnsOf,
  referencesOf,
} from '../../contract/columns.ts';
import { readAs } from '../../formats/table.ts';
import { excerpt, plural } from '../../messages.ts';
import type { AnyRow, CatalogDifference, FormerSet, RowPair, SetContent } from '../compare/differences.ts';

export interface Replacement {
  former: FormerSet;
  set: SetContent;
  differences: readonly CatalogDifference[];
  /** The differences of all rows. `former`, `set` and `differences` only have the prices in force. */
  written: readonly CatalogDifference[];
  allPrices: readonly AnyRow[];
  /** The time of the comparison, in Unix seconds. */
  now: number;
  /** What to do about each file that seems cut off, a sentence each. */
  cutOff: readonly string[];
  /** Whether the time zone differs from before. */
  hasOtherZone: boolean;
  /** The ids of news items that earlier releases did not read. */
  newlyRead: ReadonlySet<number | undefined>;
  gone(catalog: CatalogName): string;
}

/** Finds one kind of drastic change. Returns a sentence for each: what would happen, then what to do. */
export type Rule = (replacement: Replacement) => string[];

export function rowsOf({ differences }: Replacement, name: CatalogName): readonly RowPair[] {
  return differences.find(({ catalog }) => catalog === name)?.rows ?? [];
}

/** Returns the column with the name of a row; undefined for prices. */
export function labelOf(name: CatalogName): string | undefined {
  return columnsOf(name).find(({ schema }) => schema.cellType === 'text')?.name;
}

/** Names a row in a message, and how many more there are. */
export function rowName(catalog: CatalogName, { id, ...row }: AnyRow, others = 0): string {
  const label = labelOf(catalog);
  const ids = `of product ${row.product_id}, configuration ${row.rel_id}, duration ${row.duration_id}`;
  const name = label === undefined ? ids : `${id} "${excerpt(String(row[label]))}"`;
  return others > 0 ? `${name} and ${others} more` : name;
}

export const lostRows: Rule = ({ set, differences, gone }) =>
  differences.flatMap(({ catalog, seen: { before, after } }) => {
    const lost = before - after;
    if (lost * 2 <= before) return [];
    const rows = `${lost} of ${plural(before, catalogs[catalog].noun)}`;
    return set[catalog] ? `${rows} would disappear: save the whole file again` : gone(catalog);
  });

export const lostPart: Rule = ({ former, set, differences }) =>
  differences.flatMap(({ catalog, rows, seen: { before, after } }) => {
    const idsOf = (owner: CatalogName) => new Map(set[owner]?.rows.map(row => [row.id as unknown, row]));
    const owners = referencesOf(catalog).map(by => ({ ...by, ids: idsOf(by.target) }));
    // All prices of a duration may end.
    const used = new Set(set[catalog]?.rows.map(row => row.duration_id));
    const ended = new Set(rows.map(({ before }) => before?.duration_id).filter(id => id && !used.has(id)));
    const isOf = (row: AnyRow) =>
      !(ended.size === 1 && ended.has(row.duration_id)) &&
      owners.every(({ column, ids }) => !row[column] || ids.has(row[column]));
    const lost = rows.flatMap(({ after, seenBefore: row }) => (!after && row && isOf(row) ? [row] : []));
    const added = rows.flatMap(({ before, seenAfter: row }) => (!before && row ? [row] : []));
    if (owners.length === 0 || lost.length < 3 || (before - after) * 2 > before) return [];
    const net = lost.length - added.length;
    if (net * 3 > before)
      return `${net} of ${plural(before, catalogs[catalog].noun)} would be gone: save the whole file again`;
    const found = owners.flatMap(({ column, target: owner, ids }) => {
      const [had, gone, come] = [former.get(catalog)?.rows ?? [], lost, added].map(countBy(column));
      const netOf = (id: unknown) => (gone?.get(id) ?? 0) - (come?.get(id) ?? 0);
      const losers = [...ids].filter(([id]) => netOf(id) * 2 > (had?.get(id) ?? 0));
      const net = losers.reduce((sum, [id]) => sum + netOf(id), 0);
      const [[id, first] = [], ...others] = losers;
      const isFew = net < 3 || (others.length === 0 && (had?.get(id) ?? 0) < 5);
      if (!first || isFew || owner === 'durations') return [];
      return `${catalogs[owner].noun} ${rowName(owner, first, others.length)} would lose most of what it has, ${plural(net, catalogs[catalog].noun)}: save the whole file again`;
    });
    return found.slice(0, 1);
  });

const countBy = (column: string) => (rows: readonly AnyRow[]) => {
  const counts = new Map<unknown, number>();
  for (const { [column]: value } of rows) counts.set(value, 1 + (counts.get(value) ?? 0));
  return counts;
};

export const emptyProducts: Rule = replacement => {
  const { products, configurations } = replacement.set;
  const losers = new Set(rowsOf(replacement, 'configurations').map(pair => pair.seenBefore?.product_id));
  const shown = new Set(configurations?.rows.flatMap(row => (row.hidden ? [] : row.product_id)));
  const isEmpty = ({ id, hidden }: AnyRow) => !hidden && losers.has(id) && !shown.has(id);
  const [first, ...others] = products?.rows.filter(isEmpty) ?? [];
  if (!first) return [];
  const fate = 'would have no configurations that visitors see: show one of them, or delete the product';
  return [`product ${rowName('products', first, others.length)} ${fate}`];
};

const isKept: Record<string, (row: AnyRow, now: number) => boolean> = {
  hidden: ({ hidden }) => hidden === true,
  publish_time: ({ publish_time }, now) => Number(publish_time) > now,
  unpublish_time: ({ unpublish_time }) => unpublish_time !== undefined,
  valid_from: ({ valid_from }, now) => Number(valid_from) > now,
};

/** To show a single row, people empty its cell or delete the line in its Markdown file. */
const SEVERAL = 2;

/** Finds columns that kept rows from visitors and lost their value in at least `least` rows that are still there. */
const findGuards =
  (find: (difference: CatalogDifference) => { columns: string[]; least: number; fate: string }): Rule =>
  ({ written, now }) =>
    written.flatMap(difference => {
      const { catalog, rows } = difference;
      const { columns, least, fate } = find(difference);
      return columns.flatMap(column => {
        const says = isKept[column] ? [column] : readAs(column, columnNamesOf(catalog));
        const isGuarded = (row: AnyRow) => says.some(name => row[name]);
        const unguarded = rows.flatMap(({ before, after }) =>
          before && after && isGuarded(before) && !isGuarded(after) ? [before] : [],
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

/** Fewer rows may have changed by chance, or on purpose; fewer dates may be alike so. */
export const LEAST_ROWS = 5;
/** Hardly more than `PART` of the prices change by `FACTOR` at once, and none by `FAR`. */
export const FACTOR = 5;
const PART = 0.1;
const FAR = 50;

/** Finds the prices that change by such factors, if they are more than this part of all. */
const pricesThat =
  (would: string, part: number, isSuch: (factor: number) => boolean): Rule =>
  replacement => {
    const { before = 0 } = replacement.differences.find(({ catalog }) => catalog === 'prices')?.seen ?? {};
    const [first, ...others] = rowsOf(replacement, 'prices').filter(({ seenBefore: was, seenAfter: is }) =>
      is && was?.price ? isSuch(Number(is.price) / Number(was.price)) : false,
    );
    if (!first?.after || others.length + 1 <= part * before) return [];
    const example = `${rowName('prices', first.after)} from ${first.before?.price} to ${first.after.price}`;
    const count = `${others.length + 1} of ${plural(before, 'price')}`;
    return [`${count} would ${would}, the first ${example}: check the column price`];
  };

const raised = pricesThat('be at least five times as high', PART, factor => factor >= FACTOR);
const lowered = pricesThat('fall to a fifth or less', PART, factor => factor > 0 && factor * FACTOR <= 1);
export const shiftedPrices: Rule = replacement => [...raised(replacement), ...lowered(replacement)];

export const zeroPrices = pricesThat('become 0', 0, factor => factor === 0);
/** Several configurations lose their size at once: a program writes 0 for what it does not know. */
export const zeroSizes: Rule = replacement =>
  ['cpu', 'memory'].flatMap(column => {
    const [first, ...others] = rowsOf(replacement, 'configurations').flatMap(({ seenBefore, seenAfter }) =>
      Number(seenBefore?.[column]) > 0 && seenAfter?.[column] === 0 ? [seenAfter] : [],
    );
    if (!first || others.length + 1 < SEVERAL) return [];
    const name = rowName('configurations', first, others.length);
    return [`${column} of configuration ${name} would become 0: check the column ${column}`];
  });

/** An upgrade of Vitrine must not publish news items by itself. */
export const newlyReadItems: Rule = replacement => {
  const [first, ...others] = rowsOf(replacement, 'news').flatMap(({ before, after }) =>
    !before && after && replacement.newlyRead.has(after.id) ? [after] : [],
  );
  if (!first) return [];
  const name = rowName('news', first, others.length);
  return [`news item ${name} would be new, and only because of an upgrade: check that visitors may see it`];
};

const far = pricesThat('be 50 times as high or low', 0, by => by >= FAR || (by > 0 && by * FAR <= 1));
/** A few prices change far more than prices do, or new ones are far below others of their product and duration. */
export const farPrices: Rule = replacement => {
  const keyOf = ({ product_id, duration_id }: AnyRow) => `${product_id} ${duration_id}`;
  const added = rowsOf(replacement, 'prices').filter(({ before, seenAfter }) => !before && seenAfter?.price);
  const lowest = new Map<string, number>();
  for (const row of added.length > 0 ? (replacement.former.get('prices')?.rows ?? []) : [])
    if (row.price) lowest.set(keyOf(row), Math.min(Number(row.price), lowest.get(keyOf(row)) ?? Infinity));
  const isLow = (row: AnyRow) => Number(row.price) * 2 * FAR < (lowest.get(keyOf(row)) ?? 0);
  const low = added.flatMap(({ after }) => (after && isLow(after) ? [rowName('prices', after)] : []));
  const sentence = `the new price ${low[0]} would be less than a hundredth of all others of its product and duration: check the column price`;
  return [...(shiftedPrices(replacement).length > 0 ? [] : far(replacement)), ...(low[0] ? [sentence] : [])];
};
