import type { Compression } from '../../answer/compression.ts';
import { answerKey, type Representation } from '../../answer/representation.ts';
import { cachePerSnapshot } from '../../answer/snapshot-cache.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { KeptResponse, type PreparedResponse, prepareOnce } from './prepared-response.ts';
import type { ApiRoute, RouteMatch } from './route-finder.ts';

/** About how many bytes a response takes in addition to its key and its own bytes. */
const RESPONSE_BYTES = 1_300;
/** About how many bytes the match of an address takes in addition to the address. */
const MATCH_BYTES = 500;

/** A match with a key that is the same for all addresses that mean the same. */
interface KeyedMatch extends RouteMatch {
  key: string;
}

/** What a route answers, or will answer; nothing if its handler returns anything but a {@link Representation}. */
export interface Answered {
  route: ApiRoute;
  response: PreparedResponse | Promise<PreparedResponse | undefined> | undefined;
}

/**
 * Answers addresses by the routes that `find` matches, and caches responses that have `isCurrent`: each while it is
 * current, and its bytes while its tag stays the same. Addresses that mean the same share one entry, whatever else a client
 * writes into them and in which order. Returns undefined if `find` does.
 */
export function cachingAnswers(
  find: (url: string) => RouteMatch | undefined,
  compression: Compression | undefined,
): (url: string, snapshot: Snapshot) => Answered | undefined {
  const matchesOf = cachePerSnapshot<string, KeyedMatch>();
  const responsesOf = cachePerSnapshot<string, KeptResponse>();
  const matchOf = (url: string, snapshot: Snapshot): KeyedMatch | undefined => {
    const known = matchesOf(snapshot).get(url);
    if (known) return known;
    const found = find(url);
    if (!found) return undefined;
    const { route, query, params } = found;
    const match = { ...found, key: answerKey(route.url, query, params) };
    matchesOf(snapshot).set(url, match, url.length + MATCH_BYTES);
    return match;
  };

  return (url, snapshot) => {
    const match = matchOf(url, snapshot);
    if (!match) return undefined;
    const { route, query, params, key } = match;
    const cache = responsesOf(snapshot);
    const last = cache.get(key);
    if (last?.isCurrent()) return { route, response: last };
    const take = (answer: Representation): PreparedResponse | undefined => {
      if (!isRepresentation(answer)) return undefined;
      const given = { question: { snapshot, key }, answer, compression };
      if (!answer.isCurrent || answer.tag === undefined) return prepareOnce(given);
      if (last?.tag === answer.tag) {
        last.renew(answer);
        return last;
      }
      if (!last && !cache.hasRoom()) return prepareOnce(given);
      const response = new KeptResponse(given, cache.grow);
      cache.set(key, response, RESPONSE_BYTES + key.length + response.bodySize());
      return response;
    };
    const answer = route.handler({ method: 'GET', query, params, snapshot });
    return { route, response: answer instanceof Promise ? answer.then(take) : take(answer) };
  };
}

/** Handlers that return anything else, or use the reply, are Fastify's. */
function isRepresentation(value: unknown): value is Representation {
  return typeof value === 'object' && value !== null && 'body' in value;
}
