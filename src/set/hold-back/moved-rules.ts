import { type CatalogName, catalogNames, catalogs } from '../../contract/columns.ts';
import { excerpt, plural } from '../../messages.ts';
import type { AnyRow, Value } from '../compare/differences.ts';
import { owners, type Replacement, type Rule, rowsOf } from './rules.ts';

/** The columns whose values belong to their rows. The first one says what a row is. */
const ownColumns: Record<CatalogName, readonly [label: string, ...others: string[]]> = {
  products: ['name', 'description'],
  configurations: ['name', 'cpu', 'memory'],
  durations: ['name', 'num'],
  prices: ['price'],
  news_types: ['name'],
  news: ['title', 'content', 'keywords', 'img', 'read', 'create_time', 'publish_time', 'unpublish_time'],
};

/** The catalogs whose ids must keep what they stand for: reads are counted by them, and addresses have them. */
const identified: readonly CatalogName[] = ['configurations', 'news'];

/** Fewer distinct values may move by chance, or on purpose. */
const LEAST_VALUES = 5;
/** The same for labels. */
const LEAST_IDS = 3;
/** The part of the changed values that have moved, if the others are new rows or corrections. */
const MOST = 0.9;

interface Change {
  row: AnyRow;
  from: Value;
  to: Value;
}

/** Values move to other rows: a column was sorted by itself, or its cells were shifted. */
export const movedValues: Rule = replacement => {
  const { changesIn, ownChangesIn, relabelled } = openChanges(replacement);
  /** Whether the names of products move with their prices, so that it is the ids that change places. */
  const moveWithPrices = (catalog: CatalogName) =>
    catalog === 'products' &&
    isMove(changesIn('prices', 'price').filter(({ row }) => relabelled.products?.has(row.product_id)));
  return catalogNames.flatMap(catalog =>
    ownColumns[catalog].flatMap((column, index) => {
      const isLabel = index === 0;
      if (isLabel && identified.includes(catalog)) return [];
      const changes = ownChangesIn(catalog, column);
      const found = isLabel ? changes : changes.filter(({ row }) => !relabelled[catalog]?.has(row.id));
      if (!isMove(found) || (isLabel && moveWithPrices(catalog))) return [];
      const rows = plural(found.length, catalogs[catalog].noun);
      return [
        `column ${column} of ${catalog}: ${rows} would have the values of other rows: restore the previous file, and sort whole rows`,
      ];
    }),
  );
};

/** Ids carry what other ids stood for: the column `id` was sorted by itself, or filled in anew. */
export const movedIds: Rule = replacement => {
  const { ownChangesIn } = openChanges(replacement);
  return identified.flatMap(catalog => {
    const [label] = ownColumns[catalog];
    const found = movedAmong(ownChangesIn(catalog, label));
    const [first] = found;
    if (!first || found.length < LEAST_IDS) return [];
    const example = `id ${first.row.id} "${excerpt(String(first.row[label]))}"`;
    return [
      `${plural(found.length, catalogs[catalog].noun)} would have the ${label} that another id had, the first ${example}: give each its own id again`,
    ];
  });
};

function openChanges(replacement: Replacement) {
  const changesIn = (catalog: CatalogName, column: string): Change[] =>
    rowsOf(replacement, catalog).flatMap(({ before, after, columns }) =>
      before && after && columns.includes(column)
        ? [{ row: after, from: before[column], to: after[column] }]
        : [],
    );
  /** The ids of the rows that have the label of another one. */
  const relabelled: { [Name in CatalogName]?: ReadonlySet<unknown> } = Object.fromEntries(
    catalogNames.map(catalog => {
      const moved = movedAmong(changesIn(catalog, ownColumns[catalog][0]));
      return [catalog, new Set(moved.map(({ row }) => row.id))];
    }),
  );
  return {
    changesIn,
    relabelled,
    /** The changes of a column, except in rows that move with what they belong to. */
    ownChangesIn(catalog: CatalogName, column: string): Change[] {
      const belongsTo = Object.entries(owners[catalog] ?? {});
      return changesIn(catalog, column).filter(({ row }) =>
        belongsTo.every(([by, owner]) => !relabelled[owner]?.has(row[by])),
      );
    },
  };
}

/** Whether the changes are a move of values: nearly all have values of others, of which there are several. */
function isMove(changes: readonly Change[]): boolean {
  const backwards = rarerDirection(changes);
  if (changes.length < LEAST_VALUES || backwards === 0) return false;
  const moved = movedAmong(changes);
  if (new Set(moved.map(({ to }) => to)).size < LEAST_VALUES) return false;
  // The next step of a scale is often the value of another row.
  const isMixed = backwards === undefined || backwards * 4 >= changes.length;
  return moved.length === changes.length || (isMixed && moved.length >= MOST * changes.length);
}

/** How many numbers rise or fall, whichever are fewer; undefined for other values. */
function rarerDirection(changes: readonly Change[]): number | undefined {
  let [rises, falls] = [0, 0];
  for (const { from = 0, to = 0 } of changes) {
    if (typeof from !== 'number' || typeof to !== 'number') return undefined;
    if (to > from) rises += 1;
    else falls += 1;
  }
  return Math.min(rises, falls);
}

/** The changes to a value that another of them had before. */
function movedAmong(changes: readonly Change[]): Change[] {
  const left = new Map<Value, number>();
  const others = changes.filter(({ from, to }) => from !== to);
  for (const { from } of others) left.set(from, 1 + (left.get(from) ?? 0));
  return others.filter(({ to }) => {
    const count = left.get(to) ?? 0;
    left.set(to, count - 1);
    return count > 0;
  });
}
