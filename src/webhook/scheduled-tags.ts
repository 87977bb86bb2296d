import type { KindTag } from '../contract/webhook.ts';
import { tagsOf } from '../set/compare/tags.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

/** The tags of answers that the clock alone changes, after `from` and up to `to` (Unix seconds); empty if there are none. */
export function scheduledTags({ news }: Snapshot, from: number, to: number): string[] {
  const kinds = new Set<KindTag>();
  const types = new Set<number>();
  const isDue = (time: number | undefined = 0) => from < time && time <= to;
  for (const [row, type] of news.type_id.entries()) {
    const hasVanished = isDue(news.unpublish_time[row]);
    if (!hasVanished && !isDue(news.publish_time[row])) continue;
    types.add(type);
    if (hasVanished && news.img[row]) kinds.add('images');
  }
  return tagsOf(kinds, new Set(), types);
}
