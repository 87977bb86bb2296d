import type { NewsQuery } from '../contract/queries.ts';
import type { NewsTable } from '../snapshot/news-table.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { firstIndex } from './first-index.ts';
import { isPublished, type PublishedNews, publishedNews, timeOf } from './published.ts';
import { search } from './search.ts';

/** The filters of the list of news items, except the keyword. */
export type NewsFilter = Pick<NewsQuery, 'type_id' | 'ids' | 'since' | 'until'>;

/** The rows of the published news items that pass a filter, newest first (SPEC 4.3). */
export function listNews(
  news: Snapshot['news'],
  published: PublishedNews,
  { type_id, ids, since, until }: NewsFilter,
): readonly number[] {
  const ofType = type_id === undefined ? published.all : (published.byType.get(type_id) ?? []);
  const rows = ids ? rowsOf(news, ids).filter(row => isListed(news, published, type_id, row)) : ofType;
  return createdBetween(news, rows, since, until);
}

/** The rows of {@link listNews} that match a keyword (SPEC 4.3). Yields while it searches. */
export function* searchNews(
  news: Snapshot['news'],
  published: PublishedNews,
  filter: NewsFilter,
  keyword: string,
): Generator<undefined, readonly number[]> {
  const { type_id, ids, since, until } = filter;
  const among = ids && new Set(rowsOf(news, ids));
  const isAmong = (row: number) => isListed(news, published, type_id, row) && (!among || among.has(row));
  const found = yield* search(news, keyword, listNews(news, published, filter), isAmong);
  return createdBetween(news, found, since, until);
}

/** The row of a news item (SPEC 4.4); undefined if it is unknown, hidden or not published at `now` (Unix seconds). */
export function findNews(snapshot: Snapshot, id: number, now: number): number | undefined {
  const { news } = snapshot;
  const row = news.rowOf.get(id);
  return row !== undefined && isPublished(news, row, timeOf(snapshot, now)) ? row : undefined;
}

/** Whether a published news item has this image. */
export function isNewsImage(snapshot: Snapshot, name: string, now: number): boolean {
  return publishedNews(snapshot, now).images.has(name);
}

function isListed(news: NewsTable, { time }: PublishedNews, type_id: number | undefined, row: number) {
  return isPublished(news, row, time) && (type_id === undefined || news.type_id[row] === type_id);
}

/** The rows of these ids, each once, in the order of lists; unknown ids have none. */
function rowsOf({ rowOf }: Snapshot['news'], ids: readonly number[]): number[] {
  const rows = ids.map(id => rowOf.get(id)).filter(row => row !== undefined);
  return [...new Set(rows)].sort((one, other) => one - other);
}

/** The part of `rows`, newest first, that was created from `since` to `until` (Unix seconds, both included). */
function createdBetween(
  { create_time }: NewsTable,
  rows: readonly number[],
  since = Number.NEGATIVE_INFINITY,
  until = Number.POSITIVE_INFINITY,
): readonly number[] {
  const timeAt = (place: number) => create_time[rows[place] ?? 0] ?? 0;
  const start = firstIndex(rows.length, place => timeAt(place) <= until);
  const end = firstIndex(rows.length, place => timeAt(place) < since);
  return start === 0 && end === rows.length ? rows : rows.slice(start, end);
}
