import type { News } from '../catalog/schemas.ts';
import type { Snapshot } from '../catalog/snapshot.ts';

/** The news that are published at a moment, newest first. */
interface PublishedNews {
  all: readonly News[];
  byType: ReadonlyMap<number, readonly News[]>;
  /** The names of their images. */
  images: ReadonlySet<string>;
  /** Unix seconds: the lists are right from the first moment on and before the second. */
  from: number;
  until: number;
}

const published = new WeakMap<Snapshot, PublishedNews>();

/**
 * The published news of a snapshot, made anew only where `now` (Unix seconds) has passed a `publish_time` since the
 * last call, forwards or backwards. So an item appears by itself, with no timer, and also after the clock was moved.
 */
export function publishedNews(snapshot: Snapshot, now: number): PublishedNews {
  const last = published.get(snapshot);
  if (last && last.from <= now && now < last.until) return last;
  const news = publishedAt(snapshot.newsByTime, now);
  published.set(snapshot, news);
  return news;
}

/** Whether an item is to be seen at `now` (Unix seconds). */
export function isPublished(item: News, now: number): boolean {
  return item.publish_time <= now;
}

function publishedAt(newsByTime: readonly News[], now: number): PublishedNews {
  const all: News[] = [];
  const byType = new Map<number, News[]>();
  const images = new Set<string>();
  let from = Number.NEGATIVE_INFINITY;
  let until = Number.POSITIVE_INFINITY;
  for (const item of newsByTime) {
    if (!isPublished(item, now)) {
      until = Math.min(until, item.publish_time);
      continue;
    }
    from = Math.max(from, item.publish_time);
    all.push(item);
    if (item.img) images.add(item.img);
    if (item.type_id === undefined) continue;
    const ofType = byType.get(item.type_id);
    if (ofType) ofType.push(item);
    else byType.set(item.type_id, [item]);
  }
  return { all, byType, images, from, until };
}
