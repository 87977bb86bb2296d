import quickselect from 'quickselect';
import {
  CALENDAR_EVENTS,
  type CalendarEvent,
  MOST_READ,
  type NewsArticle,
  type NewsCard,
  type Overview,
} from '../contract/page.ts';
import { isHtml, paragraphsOf } from '../snapshot/html-text.ts';
import type { NewsTable } from '../snapshot/news-table.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { newsDetailAt, type PublishedNews } from './news.ts';

/** The overview of what is published. `countOf` gives the read count to show of a row. */
export function overviewOf(
  { news, products, newsTypes, configurationsOf }: Snapshot,
  { all, byType }: PublishedNews,
  countOf: (row: number) => number,
): Omit<Overview, 'version' | 'feeds'> {
  const read = mostRead(all, countOf, 0, MOST_READ).filter(({ count }) => count > 0);
  return {
    products: Array.from(products.values(), ({ id, name, description }) => ({
      ...{ id, name, description },
      configurations: configurationsOf.get(id)?.length ?? 0,
    })),
    news_types: Array.from(newsTypes.values(), ({ id, name }) => ({
      ...{ id, name },
      news: byType.get(id)?.length ?? 0,
    })),
    news: all.length,
    most_read: read.map(({ row, count }) => {
      const { id, title } = newsDetailAt(news, row);
      return { id, title, read: count };
    }),
  };
}

/** What news items do next after the instant of a preview, the soonest first. Visitors do not learn it. */
export function calendarOf({ news, instant }: Snapshot): CalendarEvent[] {
  if (instant === undefined) return [];
  const events: (Pick<CalendarEvent, 'time' | 'event'> & { row: number })[] = [];
  for (const row of news.id.keys()) {
    const [appears = 0, disappears = 0] = [news.publish_time[row], news.unpublish_time[row]];
    if (appears > instant) events.push({ row, time: appears, event: 'appears' });
    if (disappears > instant && Number.isFinite(disappears))
      events.push({ row, time: disappears, event: 'disappears' });
  }
  events.sort((one, other) => one.time - other.time);
  return events.slice(0, CALENDAR_EVENTS).map(({ row, time, event }) => {
    const { id, title } = newsDetailAt(news, row);
    return { id, title, time, event };
  });
}

/** A row and its read count. */
interface Ranked {
  row: number;
  count: number;
}

/**
 * The rows from `start` to before `end` when all `rows` are ordered by their read counts: the largest first, equal ones
 * in the order given. Takes linear time: quickselect separates these rows from the others, and only they are sorted.
 */
export function mostRead(
  rows: readonly number[],
  countOf: (row: number) => number,
  start: number,
  end: number,
): Ranked[] {
  // A loop, because `Array.from` takes several times as long as everything else here.
  const counts = new Float64Array(rows.length);
  const places = new Array<number>(rows.length);
  for (const [place, row] of rows.entries()) {
    counts[place] = countOf(row);
    places[place] = place;
  }
  const compare = (one: number, other: number) => (counts[other] ?? 0) - (counts[one] ?? 0) || one - other;
  const last = Math.min(end, rows.length) - 1;
  if (start > last) return [];
  quickselect(places, last, 0, places.length - 1, compare);
  quickselect(places, start, 0, last, compare);
  return places
    .slice(start, last + 1)
    .sort(compare)
    .map(place => ({ row: rows[place] ?? 0, count: counts[place] ?? 0 }));
}

/** A news item as the page lists it: with the visible text of its content. */
export function newsCard({ content, html: _, read, ...others }: NewsArticle): NewsCard {
  return { ...others, paragraphs: paragraphsOf(content), read };
}

/** The news item of a row as the page shows it alone. `read` is the count to show. */
export function newsArticleAt(news: NewsTable, row: number, read: number): NewsArticle {
  const type_id = news.type_id[row];
  const detail = newsDetailAt(news, row);
  return { ...(type_id && { type_id }), ...detail, read, html: isHtml(detail.content) };
}
