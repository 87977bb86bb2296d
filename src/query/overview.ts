import { MOST_READ, NEXT_EVENTS, type NewsEvent, type Overview } from '../contract/overview.ts';
import { productRecord } from '../snapshot/records.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { mostRead, newsDetailAt } from './news.ts';

/** The overview of a snapshot. `countOf` gives the read count to show of a row, of which `published` are shown. */
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
    most_read: most.map(({ row, count }) => {
      const { id, title } = newsDetailAt(news, row);
      return { id, title, read: count };
    }),
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
  return events.slice(0, NEXT_EVENTS).map(({ row, time, event }) => {
    const { id, title } = newsDetailAt(news, row);
    return { id, title, time, event };
  });
}
