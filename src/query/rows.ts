import { shortened, unservedColumns } from '../contract/changes.ts';
import { type CatalogName, columnNamesOf } from '../contract/columns.ts';
import type { CatalogRow, CatalogRowsPage, RowPlace, RowState } from '../contract/page.ts';
import type { RowsQuery } from '../contract/queries.ts';
import { fold, termsOf } from '../snapshot/fold.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { MARKDOWN } from '../snapshot/sources.ts';
import { changesWith } from './changes.ts';
import { timeOf } from './news.ts';
import { pageOf } from './paging.ts';
import { fileOrder, placesOf, type RowTable, rowNames, rowTable, type Values } from './row-table.ts';

/** How many rows are looked at between two yields, without and with a search: about a millisecond's work. */
const ROWS_PER_STEP = 1_000;
const SEARCHED_PER_STEP = 200;
/** A news item has long texts. */
const NEWS_PER_STEP = 50;
/** How many characters are shown between two yields, and how many a row without long texts is worth. */
const STEP_CHARACTERS = 2 ** 17;
const ROW_CHARACTERS = 2 ** 13;

/** The number of problems of the rows that have any, by id. */
type ProblemCounts = ReadonlyMap<number, number>;

/**
 * The columns that rows of a catalog can have. Previews have all, visitors those that are served. The content of news is
 * HTML by now, whatever it was written in.
 */
export function columnsOfRows({ instant }: Snapshot, catalog: CatalogName): string[] {
  return columnNamesOf(catalog).filter(
    column => column !== 'content_format' && (instant !== undefined || !unservedColumns.includes(column)),
  );
}

/**
 * A page of the rows of a catalog: those that visitors see at `now` (Unix seconds), or in a preview all of them. Yields while
 * it works.
 */
export function* catalogRows(
  snapshot: Snapshot,
  { page, limit, ...filter }: RowsQuery,
  problems: ProblemCounts,
  now: number,
): Generator<undefined, CatalogRowsPage> {
  const { catalog } = filter;
  const table = rowTable(snapshot, catalog);
  const columns = columnsOfRows(snapshot, catalog);
  const places = placesOf(snapshot, catalog, table);
  const found = yield* foundRows(snapshot, table, places, filter, problems, now);
  const stateOf = rowState(snapshot, catalog, table, now);
  const numbers = pageOf(found, { page, limit });
  const list: CatalogRow[] = [];
  let characters = 0;
  for (const row of numbers.list) {
    const record = table.record(row);
    const count = problems.get(Number(record.id));
    const state = stateOf(row);
    list.push({
      ...catalogRow(snapshot, catalog, columns, record, places[row] ?? 0),
      ...(state && { state }),
      ...(count && { problems: count }),
    });
    characters += ROW_CHARACTERS + String(record.content ?? '').length;
    if (characters < STEP_CHARACTERS) continue;
    characters = 0;
    yield;
  }
  return { list, pagination: numbers.pagination, columns };
}

/** The numbers of the rows that pass a filter, in the order of their file. Yields while it looks for them. */
function* foundRows(
  snapshot: Snapshot,
  table: RowTable,
  places: Uint32Array,
  { catalog, keyword, only }: Omit<RowsQuery, 'page' | 'limit'>,
  problems: ProblemCounts,
  now: number,
): Generator<undefined, number[]> {
  const isPreview = snapshot.instant !== undefined;
  if (only === 'scheduled') return isPreview ? scheduledRows(snapshot, catalog, table, now) : [];
  const stateOf = rowState(snapshot, catalog, table, now);
  const matches =
    keyword && keywordFilter(snapshot, catalog, table, columnsOfRows(snapshot, catalog), keyword);
  const changed = only === 'changed' ? yield* changedIds(snapshot, catalog) : undefined;
  const ids = only === 'problems' ? problems : changed;
  const step = !matches ? ROWS_PER_STEP : catalog === 'news' ? NEWS_PER_STEP : SEARCHED_PER_STEP;
  const found: number[] = [];
  let count = 0;
  for (const row of yield* fileOrder(places)) {
    count += 1;
    if (count % step === 0) yield;
    if (!isPreview && stateOf(row)) continue;
    if (ids && !ids.has(Number(table.fields(row).id))) continue;
    if (!matches || matches(row)) found.push(row);
  }
  return found;
}

/** The news items that appear or disappear after an instant, except hidden ones, by when they first do. */
function scheduledRows(
  snapshot: Snapshot,
  catalog: CatalogName,
  { served }: RowTable,
  now: number,
): number[] {
  if (catalog !== 'news') return [];
  const time = timeOf(snapshot, now);
  const { publish_time, unpublish_time } = snapshot.news;
  const next = new Map<number, number>();
  for (let row = 0; row < served; row += 1) {
    const times = [publish_time[row] ?? 0, unpublish_time[row] ?? 0];
    const first = Math.min(...times.filter(other => other > time));
    if (Number.isFinite(first)) next.set(row, first);
  }
  return [...next].sort(([, one], [, other]) => one - other).map(([row]) => row);
}

/** A row as it is shown, with what the last change did to it; `place` is as in {@link RowSources}, and 0 if it is not known. */
function catalogRow(
  snapshot: Snapshot,
  catalog: CatalogName,
  columns: readonly string[],
  record: Values,
  place: number,
): CatalogRow {
  const { id, product_id, rel_id, duration_id } = record;
  const key = catalog === 'prices' ? [product_id, rel_id, duration_id] : [id];
  const [found] = changesWith(snapshot.changes, catalog, key.map(Number));
  const names = rowNames(snapshot, catalog)(record);
  const where = placeOf(snapshot, catalog, place);
  return {
    row: Object.fromEntries(
      columns.flatMap(column => {
        const value = record[column];
        return value === undefined || value === '' ? [] : [[column, shown(value)]];
      }),
    ),
    ...(names.length > 0 && { names: Object.fromEntries(names) }),
    ...(where && { place: where }),
    ...(found && found.change !== 'removed' && { change: found.change }),
    ...(found?.change === 'changed' && {
      was: Object.fromEntries(found.columns.map(({ column, from }) => [column, from])),
    }),
  };
}

function shown(value: string | number | boolean): string | number | boolean {
  return typeof value === 'string' ? shortened(value) : value;
}

function placeOf({ sources }: Snapshot, catalog: CatalogName, place: number): RowPlace | undefined {
  if (!sources || place === 0) return undefined;
  if (place >= MARKDOWN) return { file: sources.markdown[place - MARKDOWN] ?? '' };
  const { file = '', sheet, unit } = sources.files[catalog] ?? {};
  return { file, ...(sheet !== undefined && { sheet }), [unit ?? 'line']: place };
}

const CHANGES_PER_STEP = 500;

/** Tests whether a row has each term of a keyword in a value of these columns, or in a name that an id stands for. */
function keywordFilter(
  snapshot: Snapshot,
  catalog: CatalogName,
  table: RowTable,
  columns: readonly string[],
  keyword: string,
): (row: number) => boolean {
  const terms = termsOf(keyword);
  const namesOf = rowNames(snapshot, catalog);
  const folded = new Map<string, string>();
  /** Names recur. */
  const foldName = (name: string) => {
    const text = folded.get(name) ?? fold(name);
    folded.set(name, text);
    return text;
  };
  return row => {
    const fields = table.fields(row);
    const parts = Object.values(table.texts(row) ?? {});
    for (const column of columns) {
      const value = fields[column];
      if (typeof value === 'string') parts.push(fold(value));
      else if (value !== undefined) parts.push(String(value).toUpperCase());
    }
    for (const [, name] of namesOf(fields)) parts.push(foldName(name));
    return terms.every(term => parts.some(part => part.includes(term)));
  };
}

/** The ids of the rows of a catalog that the last change added or changed. Yields while it looks for them. */
function* changedIds({ changes, prices }: Snapshot, catalog: CatalogName): Generator<undefined, Set<number>> {
  const ids = new Set<number>();
  let count = 0;
  for (const { change, key } of changesWith(changes, catalog, [])) {
    const { id, rel_id = 0, duration_id = 0 } = key;
    const row = prices.rowOf(rel_id, duration_id);
    const found = id ?? (row === undefined ? undefined : prices.id[row]);
    if (change !== 'removed' && found !== undefined) ids.add(found);
    count += 1;
    if (count % CHANGES_PER_STEP === 0) yield;
  }
  return ids;
}

/** Why visitors do not see a row of a catalog at `now` (Unix seconds); undefined if they do. */
function rowState(
  snapshot: Snapshot,
  catalog: CatalogName,
  { served }: RowTable,
  now: number,
): (row: number) => RowState | undefined {
  const { publish_time, unpublish_time } = snapshot.news;
  const time = timeOf(snapshot, now);
  return row => {
    if (row >= served) return 'hidden';
    if (catalog !== 'news') return undefined;
    if ((publish_time[row] ?? 0) > time) return 'scheduled';
    return (unpublish_time[row] ?? 0) <= time ? 'expired' : undefined;
  };
}
