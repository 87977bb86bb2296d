import { shortened, unservedColumns } from '../contract/changes.ts';
import { type CatalogName, columnNamesOf, isExtra } from '../contract/columns.ts';
import type { CatalogRow, CatalogRowsPage, RowPlace } from '../contract/overview.ts';
import type { RowsQuery } from '../contract/queries.ts';
import { rowNames, type Values } from '../set/compare/changes.ts';
import { withFields } from '../set/compare/differences.ts';
import { fold, termsOf } from '../snapshot/fold.ts';
import { type PriceIndex, priceAt } from '../snapshot/price-table.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { FIRST_MARKDOWN_PLACE } from '../snapshot/sources.ts';
import { changesWith, namedRows, namesOf } from './changes.ts';
import { isPublished, newsDetailAt } from './news.ts';
import { pageOf } from './paging.ts';
import { pricesAt } from './prices.ts';

/** Rows examined or shown between two yields: at most a few milliseconds of work. */
const ROWS_PER_STEP = 100;
const SHOWN_PER_STEP = 10;

/**
 * Returns a page of the rows that visitors see at `now` (Unix seconds), in the order of the file. `problems` has the number of
 * problems by id. Yields while it works.
 */
export function* catalogRows(
  snapshot: Snapshot,
  { catalog, keyword = '', only, ...paging }: RowsQuery,
  problems: ReadonlyMap<number, number>,
  now: number,
): Generator<undefined, CatalogRowsPage> {
  const { news, prices, sources, instant = now } = snapshot;
  const inForce = pricesAt(snapshot, now);
  const table = rowTable(snapshot, catalog);
  const columns = shownColumns(catalog);
  const matches = keywordFilter(snapshot, table, catalog, keyword);
  const changed = only === 'changed' ? yield* changedIds(snapshot, inForce, catalog) : undefined;
  const ids = only === 'problems' ? problems : changed;
  const found: number[] = [];
  for (let index = 0; index < table.length; index += 1) {
    if (index % ROWS_PER_STEP === ROWS_PER_STEP - 1) yield;
    const row = sources?.order[catalog][index] ?? index;
    if (catalog === 'news' && !isPublished(news, row, instant)) continue;
    const [rel, duration] = [prices.rel_id[row], prices.duration_id[row]];
    if (catalog === 'prices' && inForce.rowOf(rel ?? 0, duration ?? 0) !== row) continue;
    if ((!ids || ids.has(Number(table.fields(row).id))) && matches(row)) found.push(row);
  }
  const { list: rows, pagination } = pageOf(found, paging);
  const list: CatalogRow[] = [];
  const fields = new Set<string>();
  for (const row of rows) {
    const values = table.record(row);
    const id = Number(values.id);
    const extra = JSON.stringify(snapshot.extra.get(`${catalog} ${id}`));
    const record = withFields({ ...values, id, extra });
    for (const name of Object.keys(record).filter(isExtra)) fields.add(name);
    const count = problems.get(id);
    const place = placeOf(snapshot, catalog, row);
    const shown = catalogRow(snapshot, catalog, [...columns, ...fields], record);
    list.push({ ...shown, ...(place && { place }), ...(count && { problems: count }) });
    if (list.length % SHOWN_PER_STEP === 0) yield;
  }
  return { list, pagination, columns: [...columns, ...[...fields].sort()] };
}

/** The columns that the page shows. The content of news is always HTML here. */
function shownColumns(catalog: CatalogName): string[] {
  const unshown = [...unservedColumns, 'content_format'];
  return columnNamesOf(catalog).filter(column => !unshown.includes(column));
}

interface RowTable {
  length: number;
  /** The values that are cheap to get: all except the long texts of news. */
  fields(row: number): Values;
  record(row: number): Values;
}

function rowTable(snapshot: Snapshot, catalog: CatalogName): RowTable {
  const { prices, news } = snapshot;
  if (catalog === 'prices') {
    const fields = (row: number) => priceAt(prices, row);
    return { length: prices.id.length, fields, record: fields };
  }
  if (catalog === 'news') {
    const { id, type_id, img, create_time, update_time } = news;
    const fields = (row: number) => ({
      ...{ id: id[row], type_id: type_id[row] || undefined, img: img[row] },
      ...{ create_time: create_time[row], update_time: update_time[row] },
    });
    return { length: id.length, fields, record: row => ({ ...fields(row), ...newsDetailAt(news, row) }) };
  }
  const list: readonly Values[] = [...(namedRows(snapshot, catalog)?.values() ?? [])];
  const fields = (row: number) => list[row] ?? {};
  return { length: list.length, fields, record: fields };
}

function catalogRow(
  snapshot: Snapshot,
  catalog: CatalogName,
  columns: readonly string[],
  record: Values,
): CatalogRow {
  const { id, product_id, rel_id, duration_id } = record;
  const key = catalog === 'prices' ? [product_id, rel_id, duration_id] : [id];
  const [last] = changesWith(snapshot, catalog, key.map(Number));
  // Another price may have come into force since.
  const isOther = last?.columns.some(({ column, to }) => column === 'price' && to !== record.price);
  const found = isOther ? undefined : last;
  const names = rowNames(namesOf(snapshot), catalog)(record);
  return {
    row: Object.fromEntries(
      columns.flatMap(column => {
        const value = record[column];
        if (value === undefined || value === '') return [];
        return [[column, typeof value === 'string' ? shortened(value) : value]];
      }),
    ),
    ...(names.length > 0 && { names: Object.fromEntries(names) }),
    ...(found && found.change !== 'removed' && { change: found.change }),
    ...(found?.change === 'changed' && {
      was: Object.fromEntries(found.columns.map(({ column, from }) => [column, from])),
    }),
  };
}

function placeOf({ sources }: Snapshot, catalog: CatalogName, row: number): RowPlace | undefined {
  const place = sources?.places[catalog][row];
  if (!sources || !place) return undefined;
  if (place >= FIRST_MARKDOWN_PLACE) return { file: sources.markdown[place - FIRST_MARKDOWN_PLACE] ?? '' };
  const { file = '', sheet, unit } = sources.files[catalog] ?? {};
  return { file, ...(sheet !== undefined && { sheet }), [unit ?? 'line']: place };
}

function keywordFilter(snapshot: Snapshot, table: RowTable, catalog: CatalogName, keyword: string) {
  const terms = termsOf(keyword);
  if (terms.length === 0) return () => true;
  const namesIn = rowNames(namesOf(snapshot), catalog);
  const columns = shownColumns(catalog);
  return (row: number) => {
    const fields = table.fields(row);
    const names = namesIn(fields).map(([, name]) => name);
    const values = fold([...columns.map(column => fields[column] ?? ''), ...names].join('\n'));
    const text = catalog === 'news' ? (snapshot.news.texts[row] ?? '') : '';
    return terms.every(term => values.includes(term) || text.includes(term));
  };
}

function* changedIds(snapshot: Snapshot, index: PriceIndex, catalog: CatalogName) {
  const ids = new Set<number>();
  let count = 0;
  for (const { change, key } of changesWith(snapshot, catalog, [])) {
    const row = index.rowOf(key.rel_id ?? 0, key.duration_id ?? 0);
    const id = key.id ?? (row === undefined ? undefined : snapshot.prices.id[row]);
    if (change !== 'removed' && id !== undefined) ids.add(id);
    count += 1;
    if (count % ROWS_PER_STEP === 0) yield;
  }
  return ids;
}
