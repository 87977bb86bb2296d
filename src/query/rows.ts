import { shortened, unservedColumns } from '../contract/changes.ts';
import { type CatalogName, CONFIGURATION_PRICE, columnNamesOf } from '../contract/columns.ts';
import type { CatalogRow, CatalogRowsPage, RowPlace } from '../contract/page.ts';
import type { RowsQuery } from '../contract/queries.ts';
import { fold, termsOf } from '../snapshot/fold.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { MARKDOWN } from '../snapshot/sources.ts';
import { changesWith, rowNames, type Values } from './changes.ts';
import { isPublished, newsDetailAt, timeOf } from './news.ts';
import { pageOf } from './paging.ts';

/** Rows visited between two yields, without and with a search: about a millisecond of work. */
const ROWS_PER_STEP = 1_000;
const SEARCHED_PER_STEP = 200;
const NEWS_PER_STEP = 50;
/** Characters shown between two yields, and those that a row without long texts counts as. */
const STEP_CHARACTERS = 2 ** 17;
const ROW_CHARACTERS = 2 ** 13;

/** The number of problems of the rows that have any, by id. */
type ProblemCounts = ReadonlyMap<number, number>;

/**
 * A page of the rows of a catalog that visitors see at `now` (Unix seconds), in the order of the file. Yields while it
 * works.
 */
export function* catalogRows(
  snapshot: Snapshot,
  { page, limit, ...filter }: RowsQuery,
  problems: ProblemCounts,
  now: number,
): Generator<undefined, CatalogRowsPage> {
  const table = rowTable(snapshot, filter.catalog);
  const columns = columnsOf(filter.catalog);
  const found = yield* foundRows(snapshot, table, filter, problems, now);
  const { list: rows, pagination } = pageOf(found, { page, limit });
  const list: CatalogRow[] = [];
  let characters = 0;
  for (const row of rows) {
    const record = table.record(row);
    const count = problems.get(table.id(row));
    const shown = catalogRow(snapshot, filter.catalog, columns, record);
    const place = placeOf(snapshot, filter.catalog, row);
    list.push({ ...shown, ...(place && { place }), ...(count && { problems: count }) });
    characters += ROW_CHARACTERS + String(record.content ?? '').length;
    if (characters < STEP_CHARACTERS) continue;
    characters = 0;
    yield;
  }
  return { list, pagination, columns };
}

/** The columns that rows of a catalog can have. The content of news is HTML by now, whatever it was written in. */
function columnsOf(catalog: CatalogName): string[] {
  return columnNamesOf(catalog).filter(
    column => column !== 'content_format' && !unservedColumns.includes(column),
  );
}

/** The rows of a catalog by their numbers in the snapshot. */
interface RowTable {
  length: number;
  id(row: number): number;
  /** The values that cost little: all, except the long texts of news. */
  fields(row: number): Values;
  record(row: number): Values;
}

function rowTable(snapshot: Snapshot, catalog: CatalogName): RowTable {
  const { prices, news } = snapshot;
  switch (catalog) {
    case 'prices': {
      const { id, product_id, rel_id, duration_id, price } = prices;
      const fields = (row: number) => ({
        ...{ id: id[row], product_id: product_id[row], rel_id: rel_id[row], duration_id: duration_id[row] },
        ...{ price: price[row], rel_type: CONFIGURATION_PRICE },
      });
      return { length: id.length, id: row => id[row] ?? 0, fields, record: fields };
    }
    case 'news': {
      const { id, type_id, img, create_time, update_time } = news;
      const fields = (row: number) => ({
        ...{ id: id[row], type_id: type_id[row] || undefined, img: img[row] },
        ...{ create_time: create_time[row], update_time: update_time[row] },
      });
      const record = (row: number) => ({ ...fields(row), ...newsDetailAt(news, row) });
      return { length: id.length, id: row => id[row] ?? 0, fields, record };
    }
    default: {
      const { products, configurations, durations, newsTypes: news_types } = snapshot;
      const rows: ReadonlyMap<number, Values> | undefined = {
        ...{ products, configurations, durations, news_types },
      }[catalog];
      const list = [...(rows?.values() ?? [])];
      const fields = (row: number) => list[row] ?? {};
      return { length: list.length, id: row => Number(fields(row).id), fields, record: fields };
    }
  }
}

/** The numbers of the rows that pass a filter, in the order of their file. Yields while it looks for them. */
function* foundRows(
  snapshot: Snapshot,
  table: RowTable,
  { catalog, keyword, only }: Pick<RowsQuery, 'catalog' | 'keyword' | 'only'>,
  problems: ProblemCounts,
  now: number,
): Generator<undefined, number[]> {
  const { news, sources } = snapshot;
  const time = timeOf(snapshot, now);
  const matches = keyword && keywordFilter(snapshot, table, catalog, keyword);
  const changed = only === 'changed' ? yield* changedIds(snapshot, catalog) : undefined;
  const ids = only === 'problems' ? problems : changed;
  const step = !matches ? ROWS_PER_STEP : catalog === 'news' ? NEWS_PER_STEP : SEARCHED_PER_STEP;
  const found: number[] = [];
  for (let index = 0; index < table.length; index += 1) {
    const row = sources?.order[catalog][index] ?? index;
    if (index % step === step - 1) yield;
    if (catalog === 'news' && !isPublished(news, row, time)) continue;
    if (ids && !ids.has(table.id(row))) continue;
    if (!matches || matches(row)) found.push(row);
  }
  return found;
}

/** A row as it is shown, with what the last change did to it. */
function catalogRow(
  snapshot: Snapshot,
  catalog: CatalogName,
  columns: readonly string[],
  record: Values,
): CatalogRow {
  const { id, product_id, rel_id, duration_id } = record;
  const key = catalog === 'prices' ? [product_id, rel_id, duration_id] : [id];
  const [found] = changesWith(snapshot.changes, catalog, key.map(Number));
  const names = rowNames(snapshot, catalog)(record);
  return {
    row: Object.fromEntries(
      columns.flatMap(column => {
        const value = record[column];
        return value === undefined || value === '' ? [] : [[column, shown(value)]];
      }),
    ),
    ...(names.length > 0 && { names: Object.fromEntries(names) }),
    ...(found && found.change !== 'removed' && { change: found.change }),
    ...(found?.change === 'changed' && {
      was: Object.fromEntries(found.columns.map(({ column, from }) => [column, from])),
    }),
  };
}

function shown(value: string | number | boolean): string | number | boolean {
  return typeof value === 'string' ? shortened(value) : value;
}

function placeOf({ sources }: Snapshot, catalog: CatalogName, row: number): RowPlace | undefined {
  const place = sources?.places[catalog][row];
  if (!sources || !place) return undefined;
  if (place >= MARKDOWN) return { file: sources.markdown[place - MARKDOWN] ?? '' };
  const { file = '', sheet, unit } = sources.files[catalog] ?? {};
  return { file, ...(sheet !== undefined && { sheet }), [unit ?? 'line']: place };
}

/** Tests whether a row has each term of a keyword in a value, or in a name that an id stands for. */
function keywordFilter(
  snapshot: Snapshot,
  table: RowTable,
  catalog: CatalogName,
  keyword: string,
): (row: number) => boolean {
  const terms = termsOf(keyword);
  const namesOf = rowNames(snapshot, catalog);
  const columns = columnsOf(catalog);
  const folded = new Map<string, string>();
  /** Names recur, so each is folded once. */
  const foldName = (name: string) => {
    const text = folded.get(name) ?? fold(name);
    folded.set(name, text);
    return text;
  };
  return row => {
    const fields = table.fields(row);
    // The texts of news are folded for searches.
    const parts = catalog === 'news' ? [snapshot.news.texts[row] ?? ''] : [];
    for (const column of columns) {
      const value = fields[column];
      if (typeof value === 'string') parts.push(fold(value));
      else if (value !== undefined) parts.push(String(value).toUpperCase());
    }
    for (const [, name] of namesOf(fields)) parts.push(foldName(name));
    return terms.every(term => parts.some(part => part.includes(term)));
  };
}

const CHANGES_PER_STEP = 500;

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
