import type { NewsTable } from '../catalog/news-table.ts';
import type { Snapshot } from '../catalog/snapshot.ts';
import { type Page, pageOf } from './paging.ts';
import { isPublished, type PublishedNews, publishedNews } from './published.ts';
import type { NewsQuery } from './queries.ts';
import { search } from './search.ts';

/** The rows of those news that are published, newest first, filtered (SPEC 4.3). */
export function listNews(
  news: NewsTable,
  { all, byType, time }: PublishedNews,
  query: NewsQuery,
): Page<number> {
  const { type_id, keyword } = query;
  const rows = type_id === undefined ? all : (byType.get(type_id) ?? []);
  if (keyword === undefined) return pageOf(rows, query);
  const isAmong = (row: number) =>
    isPublished(news, row, time) && (type_id === undefined || news.type_id[row] === type_id);
  return pageOf(search(news, keyword, rows, isAmong), query);
}

/** The row of a news item (SPEC 4.4); undefined where it is unknown, hidden or not yet published. */
export function findNews({ news }: Snapshot, id: number, now: number): number | undefined {
  const row = news.rowOf.get(id);
  return row !== undefined && isPublished(news, row, now) ? row : undefined;
}

/** Whether a published item names an image. */
export function isNewsImage(snapshot: Snapshot, name: string, now: number): boolean {
  return publishedNews(snapshot, now).images.has(name);
}
