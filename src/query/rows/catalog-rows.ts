import { unservedColumns } from '../../contract/changes.ts';
import { type CatalogName, columnNamesOf } from '../../contract/columns.ts';
import type { CatalogRow, CatalogRowsPage } from '../../contract/page.ts';
import type { RowsFileQuery, RowsQuery } from '../../contract/queries.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { pageOf } from '../paging.ts';
import { catalogRow } from './catalog-row.ts';
import { changedIds, keywordFilter } from './row-filter.ts';
import { placesOf, rememberedRows, rowOrder } from './row-order.ts';
import { rowState } from './row-state.ts';
import { type RowTable, rowTable } from './row-table.ts';

/** How many rows are looked at between two yields, without and with a search: about a millisecond's work. */
const ROWS_PER_STEP = 1_000;
const SEARCHED_PER_STEP = 200;
/** A news item has long texts. */
const NEWS_PER_STEP = 50;
/** How many characters are shown between two yields, and how many a row without long texts is worth. */
const STEP_CHARACTERS = 2 ** 17;
const ROW_CHARACTERS = 2 ** 13;

/** The number of problems of the rows that have any, by id. */
export type ProblemCounts = ReadonlyMap<number, number>;

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
  const found = yield* foundRows(snapshot, table, filter, problems, now);
  const stateOf = rowState(snapshot, catalog, table, now);
  const places = placesOf(snapshot, catalog, table);
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

/** The numbers of the rows that pass a filter, in its order. Yields while it looks for them. */
export function* foundRows(
  snapshot: Snapshot,
  table: RowTable,
  { catalog, keyword, sort, order, only }: RowsFileQuery,
  problems: ProblemCounts,
  now: number,
): Generator<undefined, number[]> {
  const stateOf = rowState(snapshot, catalog, table, now);
  const isPreview = snapshot.instant !== undefined;
  const rows = keyword
    ? yield* rememberedRows(snapshot, JSON.stringify([catalog, sort, isPreview, keyword]), () =>
        matchingRows(snapshot, catalog, table, sort, keyword),
      )
    : yield* rowOrder(snapshot, catalog, table, sort);
  const changed = only === 'changed' ? yield* changedIds(snapshot, catalog) : undefined;
  const ids = only === 'problems' ? problems : changed;
  const found: number[] = [];
  let count = 0;
  for (const row of rows) {
    count += 1;
    if (count % ROWS_PER_STEP === 0) yield;
    if (!isPreview && stateOf(row)) continue;
    if (!ids || ids.has(Number(table.fields(row).id))) found.push(row);
  }
  return order === 'desc' ? found.reverse() : found;
}

/** The numbers of the rows that have each term of a keyword, in order. Yields while it looks for them. */
function* matchingRows(
  snapshot: Snapshot,
  catalog: CatalogName,
  table: RowTable,
  sort: string | undefined,
  keyword: string,
): Generator<undefined, Uint32Array> {
  const matches = keywordFilter(snapshot, catalog, table, columnsOfRows(snapshot, catalog), keyword);
  const step = catalog === 'news' ? NEWS_PER_STEP : SEARCHED_PER_STEP;
  const found: number[] = [];
  let count = 0;
  for (const row of yield* rowOrder(snapshot, catalog, table, sort)) {
    count += 1;
    if (count % step === 0) yield;
    if (matches(row)) found.push(row);
  }
  return Uint32Array.from(found);
}
