import { inTurn } from '../../answer/in-turn.ts';
import { cachePerSnapshot } from '../../answer/snapshot-cache.ts';
import { listNews, type NewsFilter, type PublishedNews, searchNews } from '../../query/news.ts';
import { termsOf } from '../../snapshot/fold.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';

/** What a keyword found among the news items that were published. */
interface Found {
  published: PublishedNews;
  rows: readonly number[];
}

/** About how many bytes it takes in addition to its key and its rows. */
const FOUND_BYTES = 300;
const ROW_BYTES = 8;
const foundOf = cachePerSnapshot<string, Found>();

/**
 * The rows of the published news items that a query asks for, newest first (SPEC 4.3). Those of a keyword are remembered for
 * all pages and read counts, and for keywords that mean the same, whatever the case, the width and the order of their terms.
 */
export function foundNews(
  snapshot: Snapshot,
  published: PublishedNews,
  { keyword, ...filter }: NewsFilter & { keyword?: string },
): readonly number[] | Promise<readonly number[]> {
  if (keyword === undefined) return listNews(snapshot.news, published, filter);
  const { type_id, since, until, ids } = filter;
  const terms = termsOf(keyword).sort();
  const key = [type_id, since, until, ids, ...terms].join(' ');
  const cache = foundOf(snapshot);
  const known = cache.get(key);
  if (known?.published === published) return known.rows;
  const keep = (rows: readonly number[]) => {
    cache.set(key, { published, rows }, FOUND_BYTES + key.length + ROW_BYTES * rows.length);
    return rows;
  };
  const found = inTurn(searchNews(snapshot.news, published, filter, keyword));
  return found instanceof Promise ? found.then(keep) : keep(found);
}
