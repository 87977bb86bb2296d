import type { Changes } from '../../contract/changes.ts';
import type { Page } from '../../contract/envelope.ts';
import type { Health } from '../../contract/health.ts';
import type { Control, History } from '../../contract/history.ts';
import type {
  Calendar,
  CatalogRowsPage,
  NewsArticle,
  NewsCard,
  Overview,
  PriceMatrix,
} from '../../contract/page.ts';
import type { Query } from './address.ts';
import { pathAt, preview } from './preview.ts';
import { refused, token } from './token.ts';

/** The data that the page queries, by path. None of these queries counts as a read. */
export interface Answers {
  health: Health;
  overview: Overview;
  changes: Changes;
  'overview/news': Page<NewsCard>;
  [path: `overview/news/${number}`]: NewsArticle;
  'overview/calendar': Calendar;
  'overview/prices': PriceMatrix;
  'overview/rows': CatalogRowsPage;
  history: History;
}

export type Path = keyof Answers;

/** Requests that take longer than this many milliseconds fail. */
const TIMEOUT_MS = 10_000;

/** An error response of the service, with its message. */
export class Refusal extends Error {
  readonly code: string;

  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Queries the service and returns the data. The browser revalidates what it has by ETag, so unchanged data is not sent
 * again. With an `instant`, or in a preview, the data is that of another time.
 *
 * @throws Refusal if the service responds with an error
 */
export function ask<P extends Path>(
  path: P,
  query: Query = {},
  instant = preview.value,
): Promise<Answers[P]> {
  return request(pathAt(instant, addressOf(path, query)), { cache: 'no-cache' });
}

/** The address of the data behind a view. */
export function linkToData(path: string, query: Query): string {
  return pathAt(preview.value, addressOf(path, query));
}

/** Changes what is served; the service follows within a second. @throws Refusal that says why it does not */
export function control(action: `${string}/pin` | 'unpin' | `${string}/publish`): Promise<Control> {
  return request(`history/${action}`, { method: 'POST' });
}

/** Sends a request, with the token if its path needs that. @throws Refusal if the service responds with an error */
export async function request<Data>(
  address: string,
  options: RequestInit,
  timeoutMs = TIMEOUT_MS,
): Promise<Data> {
  const needsToken = /^(?:history|preview|check)\b/.test(address);
  const headers = needsToken ? { authorization: `Bearer ${token.value}` } : {};
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await fetch(address, { ...options, headers, signal });
  const { success, message, data } = await response.json();
  // Without the right token, the path does not exist.
  if (needsToken) refused.value = !success && data.error === 'ROUTE_NOT_FOUND';
  if (!success) throw new Refusal(message, data.error);
  return data;
}

/** The address of an answer, relative to the mount point. */
function addressOf(path: string, query: Query = {}): string {
  const search = new URLSearchParams(withoutEmpty(query));
  return search.size > 0 ? `${path}?${search}` : path;
}

function withoutEmpty(query: Query): Record<string, string> {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));
}
