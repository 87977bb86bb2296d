/** @import { RecommendedConfiguration } from '../catalog/records.ts' */
/** @import { Health } from '../http/health-schema.ts' */
/** @import { NewsCard, Overview } from '../http/overview-schema.ts' */
/** @import { Page } from '../query/paging.ts' */

/**
 * What the page asks for, by path; none of it counts a read.
 *
 * @typedef {{
 *   'health': Health,
 *   'overview': Overview,
 *   'overview/news': Page<NewsCard>,
 *   'api/recommend-config': Page<RecommendedConfiguration>,
 * }} Answers
 */

/** After so long without an answer the service is taken to be away, in milliseconds. */
const PATIENCE_MS = 10_000;

/** An answer of the service that says in a sentence why there is no other. */
export class Refusal extends Error {}

/**
 * The data of an answer. What has not changed since it was last asked for is not sent again: the browser asks with the
 * ETag that it has.
 *
 * @template {keyof Answers} Path
 * @param {Path} path below the place where the service is mounted
 * @param {Record<string, string>} [query] an empty value is as if absent
 * @returns {Promise<Answers[Path]>}
 * @throws {Refusal} where the service answers with an error
 */
export async function ask(path, query = {}) {
  const search = new URLSearchParams(query);
  const address = search.size > 0 ? `${path}?${search}` : path;
  const response = await fetch(address, { cache: 'no-cache', signal: AbortSignal.timeout(PATIENCE_MS) });
  const { success, message, data } = await response.json();
  if (!success) throw new Refusal(message);
  return data;
}
