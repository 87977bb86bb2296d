import type { Configuration } from '../contract/columns.ts';
import {
  type MatrixDuration,
  type MatrixPrice,
  type MatrixRow,
  MOST_READ,
  NEXT_EVENTS,
  type NewsEvent,
  type Overview,
  type PriceMatrix,
} from '../contract/overview.ts';
import type { PriceMatrixQuery } from '../contract/queries.ts';
import { fold, termsOf } from '../snapshot/fold.ts';
import type { NewsTable } from '../snapshot/news-table.ts';
import type { PriceIndex } from '../snapshot/price-table.ts';
import { productRecord } from '../snapshot/records.ts';
import { ownFields, type Snapshot } from '../snapshot/snapshot.ts';
import { durationRank } from '../snapshot/sort.ts';
import { changesWith } from './changes.ts';
import { listedDuration } from './configurations.ts';
import { mostRead, newsDetailAt } from './news.ts';
import { pageOf } from './paging.ts';

/** Returns the overview. `countOf` returns the read count of a row; `published` are the rows that visitors see. */
export function overviewOf(
  snapshot: Snapshot,
  published: readonly number[],
  countOf: (row: number) => number,
): Omit<Overview, 'version' | 'feeds'> {
  const { news, products, newsTypes } = snapshot;
  const most = mostRead(published, countOf, 0, MOST_READ).filter(({ count }) => count > 0);
  return {
    products: Array.from(products.values(), productRecord),
    news_types: [...newsTypes.values()],
    most_read: most.map(({ row, count }) => ({ ...headOf(news, row), read: count })),
    next: nextEvents(snapshot),
  };
}

function nextEvents({ news, instant }: Snapshot): NewsEvent[] {
  if (instant === undefined) return [];
  const events: (Pick<NewsEvent, 'time' | 'event'> & { row: number })[] = [];
  for (const row of news.id.keys()) {
    const [appears = 0, disappears = 0] = [news.publish_time[row], news.unpublish_time[row]];
    if (appears > instant) events.push({ row, time: appears, event: 'appears' });
    if (disappears > instant && Number.isFinite(disappears))
      events.push({ row, time: disappears, event: 'disappears' });
  }
  events.sort((one, other) => one.time - other.time);
  return events.slice(0, NEXT_EVENTS).map(({ row, ...event }) => ({ ...headOf(news, row), ...event }));
}

function headOf(news: NewsTable, row: number): { id: number; title: string } {
  const { id, title } = newsDetailAt(news, row);
  return { id, title };
}

/**
 * Returns a page of the configurations of a product whose names contain every term of the keyword, by `order`, then id, with
 * their prices and last changes.
 */
export function priceMatrix(
  snapshot: Snapshot,
  index: PriceIndex,
  { product_id, keyword = '', ...paging }: PriceMatrixQuery,
): PriceMatrix {
  const terms = termsOf(keyword);
  const found = (snapshot.configurationsOf.get(product_id) ?? []).filter(configuration => {
    const name = fold(configuration.name);
    return terms.every(term => name.includes(term));
  });
  const page = pageOf(found, paging);
  const list = page.list.map(configuration => matrixRow(snapshot, index, configuration));
  return { list, pagination: page.pagination, durations: matrixDurations(snapshot, list) };
}

function matrixRow(
  snapshot: Snapshot,
  index: PriceIndex,
  { id, product_id, name, cpu, memory }: Configuration,
): MatrixRow {
  const { prices, instant } = snapshot;
  const cells: Record<number, MatrixPrice> = {};
  for (const row of index.rowsOf(id)) cells[prices.duration_id[row] ?? 0] = { price: prices.price[row] ?? 0 };
  for (const { change, key, columns } of changesWith(snapshot, 'prices', [product_id, id])) {
    const { duration_id = 0 } = key;
    const { from, to, percent } = columns.find(({ column }) => column === 'price') ?? {};
    const cell = cells[duration_id];
    if (change === 'removed') cells[duration_id] ??= { price: null };
    // Another price may have come into force since.
    else if (cell && cell.price === to && (from === null || typeof from === 'number'))
      cells[duration_id] = { ...cell, was: from, ...(percent !== undefined && { percent }) };
  }
  // Of one duration, they are sorted by date; the first one counts.
  for (const row of instant === undefined ? [] : index.comingOf(id)) {
    const [duration = 0, price = 0] = [prices.duration_id[row], prices.price[row]];
    const next = { price: Number.isNaN(price) ? null : price, time: prices.valid_from?.[row] ?? 0 };
    cells[duration] = { price: null, next, ...cells[duration] };
  }
  const [{ change = undefined } = {}] = changesWith(snapshot, 'configurations', [id]);
  const record = { id, name, cpu, memory, prices: cells, ...ownFields(snapshot, 'configurations', id, true) };
  return { ...record, ...(change && change !== 'removed' && { change }) };
}

/** Returns the durations of prices now or before the last change, by unit, num and id. */
function matrixDurations(snapshot: Snapshot, rows: readonly MatrixRow[]): MatrixDuration[] {
  const rank = durationRank(snapshot.durations && [...snapshot.durations.values()]);
  const ids = new Set(rows.flatMap(({ prices }) => Object.keys(prices).map(Number)));
  return [...ids].sort((one, other) => rank(one) - rank(other)).map(id => listedDuration(snapshot, id));
}
