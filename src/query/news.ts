// Queries: pure functions from a snapshot and a parsed request to rows or records. `http/endpoints` calls them.
//
// News items have a row number in the `NewsTable`, and are only made into records for the page that is sent. `publishedNews`
// and `pricesAt` say what counts at the time of a request. `overview.ts`, `rows.ts` and `changes.ts` are for the page.
//
import quickselect from 'quickselect';
import type { NewsQuery } from '../contract/queries.ts';
import type { NewsDetail } from '../contract/records.ts';
import { termsOf } from '../snapshot/fold.ts';
import { detailPieces, type NewsTable } from '../snapshot/news-table.ts';
import { candidates } from '../snapshot/search-index.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

export type NewsFilter = Pick<NewsQuery, 'type_id' | 'ids' | 'since' | 'until'>;

/** Returns the rows of the published news items that pass a filter, newest first (SPEC 4.3). */
export function listNews(
  news: Snapshot['news'],
  published: PublishedNews,
  filter: NewsFilter,
): readonly number[] {
  const { type_id, ids, since, until } = filter;
  const ofType = type_id === undefined ? published.all : (published.byType.get(type_id) ?? []);
  if (!ids && since === undefined && until === undefined) return ofType;
  const rows = ids ? rowsWithIds(news, ids) : ofType;
  return rows.filter(row => passes(news, published, filter, row));
}

/** Returns the rows of {@link listNews} that match a keyword (SPEC 4.3). */
export function searchNews(
  news: Snapshot['news'],
  published: PublishedNews,
  filter: NewsFilter,
  keyword: string,
): readonly number[] {
  const among = filter.ids && new Set(rowsWithIds(news, filter.ids));
  const isAmong = (row: number) => passes(news, published, filter, row) && (!among || among.has(row));
  return search(news, keyword, listNews(news, published, filter), isAmong);
}

/** Returns the row of a news item (SPEC 4.4); undefined if it is unknown, hidden or not published at `now` (Unix seconds). */
export function findNews(snapshot: Snapshot, id: number, now: number): number | undefined {
  const { news, instant = now } = snapshot;
  const row = news.rowOf.get(id);
  return row !== undefined && isPublished(news, row, instant) ? row : undefined;
}

/** Returns a slice of `rows` by read count, the largest first; equal counts keep their order. Takes linear time. */
export function mostRead(
  rows: readonly number[],
  countOf: (row: number) => number,
  start: number,
  end: number,
): { row: number; count: number }[] {
  const counts = rows.map(countOf);
  const places = [...rows.keys()];
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

/** The detail of a row, with a `read` of 0. */
export function newsDetailAt(news: NewsTable, row: number): Omit<NewsDetail, 'extra'> {
  const { before, after } = detailPieces(news, row);
  return JSON.parse(Buffer.concat([...before, Buffer.from('0'), after]).toString());
}

/** Whether a row passes a filter, except its `ids`. */
function passes(
  news: NewsTable,
  { time }: PublishedNews,
  { type_id, since = -Infinity, until = Infinity }: NewsFilter,
  row: number,
): boolean {
  const created = news.create_time[row] ?? 0;
  const isOfType = type_id === undefined || news.type_id[row] === type_id;
  return isPublished(news, row, time) && isOfType && since <= created && created <= until;
}

function rowsWithIds({ rowOf }: Snapshot['news'], ids: readonly number[]): number[] {
  const rows = ids.map(id => rowOf.get(id)).filter(row => row !== undefined);
  return [...new Set(rows)].sort((one, other) => one - other);
}

export type PublishedNews = ReturnType<typeof publishedAt>;

const published = new WeakMap<Snapshot, PublishedNews>();

/**
 * Returns the news items published at `now` (Unix seconds), or at the instant of the snapshot. They are computed again only
 * when `now` passes a `publish_time` or `unpublish_time`, in either direction. So items appear and disappear on time without a
 * timer, even if the clock is changed.
 */
export function publishedNews(snapshot: Snapshot, now: number): PublishedNews {
  const time = snapshot.instant ?? now;
  const last = published.get(snapshot);
  if (last && last.from <= time && time < last.until) return last;
  const news = publishedAt(snapshot.news, time);
  published.set(snapshot, news);
  return news;
}

export function isPublished({ publish_time, unpublish_time }: NewsTable, row: number, now: number): boolean {
  return (publish_time[row] ?? Number.POSITIVE_INFINITY) <= now && now < (unpublish_time[row] ?? 0);
}

/** Returns the rows published at one time, newest first. */
function publishedAt(news: NewsTable, now: number) {
  const all: number[] = [];
  const byType = new Map<number, number[]>();
  const images = new Set<string>();
  /** The lists are valid from `from` until just before `until`, in Unix seconds. */
  let [from, until] = [-Infinity, Infinity];
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

/**
 * Returns the `rows` in which each term of the keyword occurs in title, keywords or text of the content, all folded (see
 * {@link fold}). `isAmong` tests membership in `rows`; the signatures are of all rows.
 */
export function search(
  { signatures, texts }: Pick<NewsTable, 'signatures' | 'texts'>,
  keyword: string,
  rows: readonly number[],
  isAmong: (row: number) => boolean,
): readonly number[] {
  const terms = termsOf(keyword);
  if (terms.length === 0) return rows;
  return candidates(signatures, terms, texts.length).filter(row => {
    const text = texts[row] ?? '';
    return isAmong(row) && terms.every(term => text.includes(term));
  });
}
