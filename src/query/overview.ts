import { MOST_READ, type Overview } from '../contract/page.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { mostRead } from './most-read.ts';
import { newsDetailAt } from './news-cards.ts';
import type { PublishedNews } from './published.ts';

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
