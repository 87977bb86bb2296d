import type { NewsTable } from '../snapshot/news-table.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

/** The rows of the news items that are published at one moment, newest first. */
export interface PublishedNews {
  all: readonly number[];
  byType: ReadonlyMap<number, readonly number[]>;
  /** The file names of their images. */
  images: ReadonlySet<string>;
  /** The moment, in Unix seconds. */
  time: number;
  /** The lists are valid from `from` until just before `until` (Unix seconds). */
  from: number;
  until: number;
}

const published = new WeakMap<Snapshot, PublishedNews>();

/** The moment at which the news items of a snapshot are looked at: its own, or else `now`. Both are Unix seconds. */
export function timeOf({ instant }: Snapshot, now: number): number {
  return instant ?? now;
}

/**
 * The published news items of a snapshot at `now` (Unix seconds), or at its own instant. They are computed again only after
 * `now` has passed a `publish_time` or an `unpublish_time`, forwards or backwards. So an item appears and disappears on time
 * without a timer, even if the clock is changed.
 */
export function publishedNews(snapshot: Snapshot, now: number): PublishedNews {
  const time = timeOf(snapshot, now);
  const last = published.get(snapshot);
  if (last && last.from <= time && time < last.until) return last;
  const news = publishedAt(snapshot.news, time);
  published.set(snapshot, news);
  return news;
}

/** Whether a row is published at `now` (Unix seconds). */
export function isPublished({ publish_time, unpublish_time }: NewsTable, row: number, now: number): boolean {
  return (publish_time[row] ?? Number.POSITIVE_INFINITY) <= now && now < (unpublish_time[row] ?? 0);
}

function publishedAt(news: NewsTable, now: number): PublishedNews {
  const all: number[] = [];
  const byType = new Map<number, number[]>();
  const images = new Set<string>();
  let from = Number.NEGATIVE_INFINITY;
  let until = Number.POSITIVE_INFINITY;
  for (const [row, publishTime] of news.publish_time.entries()) {
    for (const change of [publishTime, news.unpublish_time[row] ?? 0]) {
      if (change > now) until = Math.min(until, change);
      else from = Math.max(from, change);
    }
    if (!isPublished(news, row, now)) continue;
    all.push(row);
    const [img, type] = [news.img[row], news.type_id[row]];
    if (img) images.add(img);
    if (!type) continue;
    const ofType = byType.get(type);
    if (ofType) ofType.push(row);
    else byType.set(type, [row]);
  }
  return { all, byType, images, time: now, from, until };
}
