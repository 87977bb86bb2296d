/** @import { RecommendedConfiguration } from '../contract/records.ts' */
/** @import { Health } from '../contract/health.ts' */
/** @import { NewsCard, Overview } from '../contract/overview.ts' */
/** @import { Page } from '../contract/envelope.ts' */

/**
 * The data that the page queries, by path. None of these queries counts as a read.
 *
 * @typedef {{
 *   'health': Health,
 *   'overview': Overview,
 *   'overview/news': Page<NewsCard>,
 *   'api/recommend-config': Page<RecommendedConfiguration>,
 * }} Answers
 */

/** Requests that take longer than this many milliseconds fail. */
const TIMEOUT_MS = 10_000;

/** An error response of the service, with its message. */
export class Refusal extends Error {}

/**
 * Queries the service and returns the data. The browser revalidates what it has by ETag, so unchanged data is not sent
 * again.
 *
 * @template {keyof Answers} Path
 * @param {Path} path relative to the mount point
 * @param {Record<string, string>} [query] an empty value counts as absent
 * @returns {Promise<Answers[Path]>}
 * @throws {Refusal} if the service responds with an error
 */
export async function ask(path, query = {}) {
  const search = new URLSearchParams(query);
  const address = search.size > 0 ? `${path}?${search}` : path;
  const response = await fetch(address, { cache: 'no-cache', signal: AbortSignal.timeout(TIMEOUT_MS) });
  const { success, message, data } = await response.json();
  if (!success) throw new Refusal(message);
  return data;
}
