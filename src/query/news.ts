import type { News } from '../catalog/schemas.ts';
import type { Snapshot } from '../catalog/snapshot.ts';
import { type Page, pageOf } from './paging.ts';
import { isPublished, publishedNews } from './published.ts';
import type { NewsQuery } from './queries.ts';
import { matcher } from './search.ts';

/** The news that are published at `now` (Unix seconds), newest first, filtered (SPEC 4.3). */
export function listNews(snapshot: Snapshot, query: NewsQuery, now: number): Page<News> {
  const { all, byType } = publishedNews(snapshot, now);
  const ofType = query.type_id === undefined ? all : (byType.get(query.type_id) ?? []);
  const found = query.keyword === undefined ? ofType : ofType.filter(matcher(query.keyword));
  return pageOf(found, query);
}

/** A news item (SPEC 4.4); undefined where it is unknown, hidden or not yet published. */
export function findNews(snapshot: Snapshot, id: number, now: number): News | undefined {
  const item = snapshot.news.get(id);
  return item && isPublished(item, now) ? item : undefined;
}

/** Whether a published item names an image. */
export function isNewsImage(snapshot: Snapshot, name: string, now: number): boolean {
  return publishedNews(snapshot, now).images.has(name);
}
