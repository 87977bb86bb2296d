import type { Changes } from '../../contract/changes.ts';
import type { Page } from '../../contract/envelope.ts';
import type { Health } from '../../contract/health.ts';
import type { NewsArticle, NewsCard, Overview } from '../../contract/overview.ts';
import type { PriceMatrix } from '../../contract/price-matrix.ts';
import type { CatalogRowsPage } from '../../contract/rows.ts';

/** The data that the page queries, by path. None of these queries counts as a read. */
export interface Answers {
  health: Health;
  overview: Overview;
  changes: Changes;
  'overview/news': Page<NewsCard>;
  [path: `overview/news/${number}`]: NewsArticle;
  'overview/prices': PriceMatrix;
  'overview/rows': CatalogRowsPage;
}

export type Path = keyof Answers;
/** An empty value counts as absent. */
export type Query = Readonly<Record<string, string>>;

/** Requests that take longer than this many milliseconds fail. */
const TIMEOUT_MS = 10_000;

/** An error response of the service, with its message. */
export class Refusal extends Error {}

/**
 * Queries the service and returns the data. The browser revalidates what it has by ETag, so unchanged data is not sent
 * again.
 *
 * @throws Refusal if the service responds with an error
 */
export async function ask<P extends Path>(path: P, query: Query = {}): Promise<Answers[P]> {
  const options = { cache: 'no-cache', signal: AbortSignal.timeout(TIMEOUT_MS) } as const;
  const response = await fetch(addressOf(path, query), options);
  const { success, message, data } = await response.json();
  if (!success) throw new Refusal(message);
  return data;
}

/** The address of an answer, relative to the mount point. */
export function addressOf(path: Path, query: Query = {}): string {
  const search = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== ''));
  return search.size > 0 ? `${path}?${search}` : path;
}
