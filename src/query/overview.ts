import quickselect from 'quickselect';
import { MOST_READ, type NewsArticle, type NewsCard, type Overview } from '../contract/page.ts';
import type { NewsDetail } from '../contract/records.ts';
import { isHtml, paragraphsOf } from '../snapshot/html-text.ts';
import { detailPieces, type NewsTable } from '../snapshot/news-table.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { PublishedNews } from './news.ts';

/** The overview of what is published. `shown` gives the read count to show of a news item, by its id and its floor. */
export function overviewOf(
  snapshot: Snapshot,
  published: PublishedNews,
  shown: (id: number, floor: number) => number,
  site: Pick<Overview, 'version' | 'feeds'>,
): Overview {
  const { news } = snapshot;
  const countOf = (row: number) => shown(news.id[row] ?? 0, news.read[row] ?? 0);
  const read = mostRead(published.all, countOf, 0, MOST_READ).filter(({ count }) => count > 0);
  return {
    version: site.version,
    products: productCounts(snapshot),
    news_types: newsTypeCounts(snapshot, published),
    news: published.all.length,
    most_read: read.map(({ row, count }) => {
      const { id, title } = newsDetailAt(news, row);
      return { id, title, read: count };
    }),
    feeds: site.feeds,
  };
}

/** The products, each with the number of its configurations. */
function productCounts({ products, configurationsOf }: Snapshot) {
  return Array.from(products.values(), ({ id, name, description }) => ({
    id,
    name,
    description,
    configurations: configurationsOf.get(id)?.length ?? 0,
  }));
}

/** The news categories, each with the number of its published items. */
function newsTypeCounts({ newsTypes }: Snapshot, { byType }: PublishedNews) {
  return Array.from(newsTypes.values(), ({ id, name }) => ({ id, name, news: byType.get(id)?.length ?? 0 }));
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

/** A news item as the page shows it. `type_id` is 0 for none, and `read` is the count to show. */
export function newsCard({ content, ...detail }: NewsDetail, type_id: number, read: number): NewsCard {
  const { read: _none, ...others } = detail;
  return { ...(type_id && { type_id }), ...others, paragraphs: paragraphsOf(content), read };
}

/** The news item of a row as the page shows it alone. `read` is the count to show. */
export function newsArticleAt(news: NewsTable, row: number, read: number): NewsArticle {
  const type_id = news.type_id[row];
  const detail = newsDetailAt(news, row);
  return { ...(type_id && { type_id }), ...detail, read, html: isHtml(detail.content) };
}

/** The detail of a row, in which `read` is 0. */
export function newsDetailAt(news: NewsTable, row: number): NewsDetail {
  const { before, after } = detailPieces(news, row);
  return JSON.parse(Buffer.concat([...before, Buffer.from('0'), after]).toString());
}
