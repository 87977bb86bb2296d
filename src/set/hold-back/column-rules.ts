import {
  type CatalogName,
  type Column,
  catalogNames,
  catalogs,
  columnsOf,
  extraColumn,
  isExtra,
  referencesOf,
} from '../../contract/columns.ts';
import { excerpt, plural } from '../../messages.ts';
import { type AnyRow, type Value, withFields } from '../compare/differences.ts';
import { FACTOR, LEAST_ROWS, labelOf, type Replacement, rowName, rowsOf } from './rules.ts';

/** For ids, and for all values of a column, fewer than {@link LEAST_ROWS} are enough. */
const LEAST_IDS = 3;
/** The part of a column that must change in one way; its other rows may be new or corrected. */
const SHARE = 0.8;
/** Columns that programs rewrite as a whole, and that do not describe a row. */
const IGNORED = ['id', 'rel_type', 'update_time', 'valid_from'];

/** A changed cell of a row that stays. `bare` are all values of the row before, without markup and spaces. */
type ChangedCell = Record<'row' | 'before', AnyRow> & Record<'from' | 'to', Value> & { bare: Value[] };

/** A column and its changes, in rows that still stand for the same. `values` is how many it had before. */
interface ChangedColumn extends Column {
  catalog: CatalogName;
  changes: readonly ChangedCell[];
  values: number;
}

export type ColumnRule = (replacement: Replacement, changed: ReturnType<typeof changedColumns>) => string[];

export function changedColumns(replacement: Replacement) {
  const changed = new Map(catalogNames.map(name => [name, changesIn(replacement, name)]));
  const changesOf = (name: CatalogName, column = '') => changed.get(name)?.get(column) ?? [];
  /** The ids of rows that have the label of another one. */
  const relabelled = (name: CatalogName) =>
    new Set<unknown>(movedAmong(changesOf(name, labelOf(name))).map(({ row }) => row.id));
  const columns = catalogNames.flatMap(catalog => {
    // Other columns of such rows move with them, as do the rows that belong to them.
    const owners = referencesOf(catalog).map(({ column, target }) => [column, relabelled(target)] as const);
    const belongsTo = [['id', relabelled(catalog)] as const, ...owners];
    const rows = replacement.former.get(catalog)?.rows.map(withFields) ?? [];
    return comparedColumns(replacement, catalog).flatMap((column): ChangedColumn[] => {
      const moved = column.name === labelOf(catalog) ? owners : belongsTo;
      const isOwn = ({ row }: ChangedCell) => !moved.some(([by, ids]) => ids.has(row[by]));
      const changes = changesOf(catalog, column.name).filter(isOwn);
      if (changes.length === 0 || IGNORED.includes(column.name)) return [];
      const values = rows.filter(row => !isNone(column, row[column.name])).length;
      return [{ ...column, catalog, changes, values }];
    });
  });
  return { columns, changesOf, relabelled };
}

function comparedColumns({ former, set }: Replacement, catalog: CatalogName): Column[] {
  const names = [former.get(catalog), set[catalog]].flatMap(content => content?.columns ?? []);
  return [...columnsOf(catalog), ...Array.from(new Set(names.filter(isExtra)), extraColumn)];
}

function changesIn(replacement: Replacement, catalog: CatalogName): ReadonlyMap<string, ChangedCell[]> {
  const compared = comparedColumns(replacement, catalog);
  const found = new Map(compared.map(({ name }) => [name, [] as ChangedCell[]]));
  for (const { before: old, after: fresh, columns } of rowsOf(replacement, catalog)) {
    // With another unit, another number may mean the same.
    if (!old || !fresh || (columns.includes('num') && columns.includes('unit'))) continue;
    const [before, row] = [withFields(old), withFields(fresh)];
    const rows = { row, before, bare: compared.map(({ name }) => plain(before[name])) };
    for (const name of columns) found.get(name)?.push({ ...rows, from: before[name], to: row[name] });
  }
  return found;
}

/** The changes to a value that another changed cell had. */
function movedAmong<Moved extends Pick<ChangedCell, 'from' | 'to'>>(changes: readonly Moved[]): Moved[] {
  const left = new Map<Value, number>();
  for (const { from } of changes) left.set(from, 1 + (left.get(from) ?? 0));
  return changes.filter(({ to }) => {
    const count = left.get(to) ?? 0;
    left.set(to, count - 1);
    return count > 0;
  });
}

type FoundCells = [found: readonly ChangedCell[], what: string];
type Find = (column: ChangedColumn, replacement: Replacement) => FoundCells | undefined;

/** Makes a rule that applies `find` to each column. */
const inColumns =
  (find: Find, remedy: string): ColumnRule =>
  (replacement, { columns }) =>
    columns.flatMap(column => {
      const [[first, ...others], what] = find(column, replacement) ?? [[], ''];
      if (!first) return [];
      const { catalog, name } = column;
      const rows = plural(others.length + 1, catalogs[catalog].noun);
      const values = [first.from, first.to].map(value =>
        typeof value === 'string' ? `"${excerpt(value)}"` : (value ?? 'nothing'),
      );
      return `column ${name} of ${catalog}: ${rows} would ${what}, the first ${rowName(catalog, first.before)} from ${values.join(' to ')}: ${remedy}`;
    });

function isNone({ schema }: Column, value: Value): boolean {
  if (typeof value === 'string') return /^(?:<(?!img)[^>]*>|&nbsp;|\s)*$/i.test(value);
  return value === undefined || value === false || value === schema.default;
}

/** Whether these are most values of a column; of a short one, all. */
function isMost({ values }: ChangedColumn, length: number): boolean {
  return length >= LEAST_IDS && length >= SHARE * values && length >= Math.min(values, LEAST_ROWS);
}

/** Returns the median, which is the value of most if they are equal. */
function middleOf<Kind extends Value>(values: readonly Kind[]): Kind | undefined {
  const order = typeof values[0] === 'number' ? (a: Kind, b: Kind) => Number(a) - Number(b) : undefined;
  return values.toSorted(order)[values.length >> 1];
}

/** Values move to other rows or columns: a column was sorted alone, or cells were shifted. */
export const movedValues = inColumns((column, replacement) => {
  const { catalog, name, changes, values } = column;
  const had = changes.filter(({ from, to }) => !isNone(column, from) && !isNone(column, to));
  const others = comparedColumns(replacement, catalog).map(other => ({ ...other, taken: 0 }));
  for (const { bare, to } of had) {
    const value = plain(to);
    others.forEach((other, at) => {
      if (bare[at] === value && !isNone(other, value)) other.taken += 1;
    });
  }
  const other = others.find(
    ({ name: other, taken }) => ![name, 'id'].includes(other) && isMost(column, taken),
  );
  if (name === 'order' || other) return other && [changes, `have the values of column ${other.name}`];
  if (name === labelOf(catalog) || !isMove(changes, values)) return undefined;
  return [changes, 'have the values of other rows'];
}, 'restore the previous file; sort whole rows, and move columns with their headings');

/** Removes markup, except from long texts. */
const plain = (value: Value) =>
  typeof value === 'string' && value.length < 1_000 ? value.replace(/<[^<>]*>|\s/g, '') : value;

/** Whether values moved: nearly all changes are to values of other rows. `values` is how many the column had. */
function isMove(changes: readonly ChangedCell[], values = Infinity): boolean {
  const areNumbers = changes.every(({ from, to }) => typeof from === 'number' && typeof to === 'number');
  const rises = changes.filter(({ from = 0, to = 0 }) => to > from).length;
  const backwards = Math.min(rises, changes.length - rises);
  if (changes.length < LEAST_ROWS || (areNumbers && backwards === 0)) return false;
  const moved = movedAmong(changes);
  const areAll = moved.length === changes.length;
  // On a scale, the next step is often the value of another row.
  const isStep = areNumbers && backwards * 4 < changes.length;
  if (new Set(moved.map(({ to }) => to)).size >= LEAST_ROWS)
    return areAll || (!isStep && moved.length >= 0.9 * changes.length);
  // People also exchange a few values. Each `hidden` that moves changes two rows.
  return areAll && changes.length >= (typeof changes[0]?.to === 'boolean' ? 2 * SHARE : 0.5) * values;
}

/** Ids stand for other rows than before: the column `id` was sorted alone or renumbered, or rows occur twice. */
export const movedIds: ColumnRule = ({ former, differences }, { columns, changesOf, relabelled }) =>
  differences.flatMap(({ catalog, rows }) => {
    const label = labelOf(catalog);
    if (label === undefined) return [];
    const own = columns.find(column => column.catalog === catalog && column.name === label)?.changes ?? [];
    const added = rows.flatMap(({ before, after: row }) => (!before && row ? [row] : []));
    const moved = movedAmong([...own, ...added.map(row => ({ row, from: undefined, to: row[label] }))]);
    const ids = relabelled(catalog);
    const by = referencesOf('prices').find(({ target }) => target === catalog)?.column ?? '';
    const isWithPrices = isMove(changesOf('prices', 'price').filter(({ row }) => ids.has(row[by])));
    const isMoved = moved.length >= LEAST_IDS && moved.length > added.length && !isWithPrices;
    const keyOf = (row: AnyRow) =>
      [row[label], ...referencesOf(catalog).map(({ column }) => row[column])].join('\n');
    const keys = new Set(added.length < LEAST_ROWS ? [] : former.get(catalog)?.rows.map(keyOf));
    const again = added.filter(row => keys.has(keyOf(row)));
    const isAgain = again.length >= LEAST_ROWS && again.length * 2 >= keys.size;
    const found = isAgain ? again : isMoved ? moved.map(({ row }) => row) : [];
    if (!found[0]) return [];
    return `${plural(found.length, catalogs[catalog].noun)} would have the ${label} that another id had, the first ${rowName(catalog, found[0])}: give each its own id again`;
  });

/** The smallest factors that mean another unit, with room for rounding. */
const SCALES: Partial<Record<string, number>> = { price: 2.99, size: FACTOR, count: FACTOR, reads: FACTOR };

/** The numbers of a column or of a product are multiplied by one factor. */
export const scaledValues = inColumns(({ catalog, name, schema, changes }, { set }) => {
  const least = SCALES[name === 'order' ? '' : (schema.cellType ?? '')];
  if (least === undefined) return undefined;
  const before = new Map(changes.map(({ row, from }) => [row.id, Number(from)]));
  const factorsOf = new Map<Value, number[]>();
  for (const row of set[catalog]?.rows ?? []) {
    const factor = Number(row[name]) / (before.get(row.id) ?? Number(row[name]));
    const factors = factorsOf.get(row.product_id) ?? [];
    if (factors.length === 0) factorsOf.set(row.product_id, factors);
    if (factor > 0 && factor < Infinity) factors.push(factor);
  }
  const middles = new Map(Array.from(factorsOf, ([id, factors]) => [id, middleOf(factors) ?? 1]));
  const isEven = ([id, factor]: [Value, number]) => {
    const factors = factorsOf.get(id) ?? [];
    const even = factors.filter(other => Math.abs(other / factor - 1) < 0.02).length;
    return even >= LEAST_IDS && even >= SHARE * factors.length && (factor >= least || factor * FACTOR <= 1);
  };
  const scaled = new Map([...middles].filter(isEven));
  // All prices together may be in another currency.
  if (name === 'price' && [...middles.values()].every(by => by >= 2 || by <= 1 / 2)) return undefined;
  const found = changes.filter(({ row }) => scaled.has(row.product_id));
  return [found, `be ${Number([...scaled.values()][0]?.toPrecision(2))} times as high`];
}, 'check the unit of this column');

/** A column loses the values that distinguish its rows. */
export const lostValues = inColumns((column, { set }) => {
  const { catalog, name, schema, changes, values } = column;
  const had = changes.filter(({ from }) => !isNone(column, from));
  if (['time', 'timeOrZero', 'flag'].includes(schema.cellType ?? '') || values < LEAST_ROWS) return undefined;
  const emptied = had.filter(({ to }) => isNone(column, to));
  if (isMost(column, emptied.length)) return [emptied, 'lose their values'];
  const cut = cutTexts(had);
  if (cut.length > 0) return [cut, 'be cut off at one length'];
  const value = middleOf(had.map(({ to }) => to));
  const same = had.filter(({ to }) => to === value);
  const distinct = new Set(same.map(({ from }) => from));
  if (value === 0 || same.length < LEAST_IDS || distinct.size < 2) return undefined;
  const all = set[catalog]?.rows.filter(row => withFields(row)[name] === value) ?? [];
  return all.length >= SHARE * values ? [same, 'have the same value'] : undefined;
}, 'restore this column');

/** Finds texts that are beginnings of the former ones, if most end at one length; words and tags may end before it. */
function cutTexts(changes: readonly ChangedCell[]): readonly ChangedCell[] {
  const textOf = ({ to }: ChangedCell) => String(to).replace(/(?:…|\.{3}|<\/\w{1,9}>|\s){1,9}$/, '');
  const found = changes.filter(change => {
    const [from, to] = [change.from, textOf(change)];
    return typeof from === 'string' && to !== '' && to !== from && from.startsWith(to);
  });
  const areAlike = (texts: readonly string[]) => {
    const middle = middleOf(texts.map(({ length }) => length));
    return texts.filter(({ length }) => length === middle).length * 2 > texts.length;
  };
  const isCut = areAlike(found.map(textOf)) && !areAlike(found.map(({ from }) => String(from)));
  return isCut && found.length >= LEAST_ROWS && found.length >= SHARE * changes.length ? found : [];
}

/** Creation times move by the same amount, or all to one moment. */
export const movedTimes = inColumns(({ schema, required, changes }, { hasOtherZone }) => {
  if (schema.cellType !== 'time' || !required || hasOtherZone) return undefined;
  const find = (what: string, timeOf: (change: ChangedCell) => number): FoundCells[] => {
    const middle = middleOf(changes.map(timeOf)) ?? 0;
    // Summer time adds an hour.
    const found = changes.filter(change => [0, 3600].includes(Math.abs(timeOf(change) - middle)));
    return found.length >= LEAST_ROWS && found.length >= SHARE * changes.length ? [[found, what]] : [];
  };
  const same = find('have the same time', ({ to }) => Number(to));
  return [...same, ...find('move by the same time', ({ from, to }) => Number(to) - Number(from))][0];
}, 'write them as they were, or check how your program saves times');
