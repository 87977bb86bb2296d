import type { Snapshot } from '../../catalog/snapshot/snapshot.ts';
import type { Body, Representation } from '../response/representation.ts';
import { cachePerSnapshot } from '../response/snapshot-cache.ts';
import type { ApiRoute, RouteMatch } from './route-finder.ts';

/** About how many bytes a representation takes in addition to its key and its body. */
const REPRESENTATION_BYTES = 2_500;
/** About how many bytes the match of an address takes in addition to the address. */
const MATCH_BYTES = 500;

/** A match with a key that is the same for all addresses that mean the same; undefined for a free text. */
interface KeyedMatch extends RouteMatch {
  key: string | undefined;
}

/** What a route answers, so far. */
export interface Answered {
  route: ApiRoute;
  answer: ReturnType<ApiRoute['handler']>;
}

/**
 * Answers addresses by the routes that `find` matches, and caches representations that have `isCurrent`: each while it is
 * current, and its body while its tag stays the same. Addresses that mean the same share one entry, whatever else a client
 * writes into them and in which order. Returns undefined if `find` does.
 */
export function cachingAnswers(
  find: (url: string) => RouteMatch | undefined,
): (url: string, snapshot: Snapshot) => Answered | undefined {
  const matchesOf = cachePerSnapshot<string, KeyedMatch>();
  const representationsOf = cachePerSnapshot<string, Representation>();
  const matchOf = (url: string, snapshot: Snapshot): KeyedMatch | undefined => {
    const known = matchesOf(snapshot).get(url);
    if (known) return known;
    const found = find(url);
    if (!found) return undefined;
    const match = { ...found, key: keyOf(found) };
    if (match.key !== undefined) matchesOf(snapshot).set(url, match, url.length + MATCH_BYTES);
    return match;
  };

  return (url, snapshot) => {
    const match = matchOf(url, snapshot);
    if (!match) return undefined;
    const { route, query, params, key } = match;
    const cache = representationsOf(snapshot);
    const last = key === undefined ? undefined : cache.get(key);
    if (last?.isCurrent?.()) return { route, answer: last };
    const answer = route.handler({ method: 'GET', query, params, snapshot });
    if (key === undefined || answer instanceof Promise || !answer.isCurrent || answer.tag === undefined)
      return { route, answer };
    if (last?.tag === answer.tag) {
      last.isCurrent = answer.isCurrent;
      return { route, answer: last };
    }
    const kept = withOwnBody(answer, cache.grow);
    cache.set(key, kept, REPRESENTATION_BYTES + key.length);
    return { route, answer: kept };
  };
}

/** Undefined if a value is a free text, which hardly anybody asks for twice. */
function keyOf({ route: { url, query, params }, ...values }: RouteMatch): string | undefined {
  const properties = { ...query?.properties, ...params?.properties };
  let key = url;
  for (const [name, value] of Object.entries({ ...values.query, ...values.params })) {
    if (properties[name]?.maxLength !== undefined) return undefined;
    key += ` ${name} ${value}`;
  }
  return key;
}

/** The representation with a body in memory of its own, whose bytes are passed to `grow` once it is made. */
function withOwnBody(answer: Representation, grow: (bytes: number) => void): Representation {
  const { body } = answer;
  const kept = { ...answer };
  const keep = (made: Body): Body => {
    const own = inOwnMemory(made);
    grow(own.length);
    kept.body = own; // Drops what made it.
    return own;
  };
  if (typeof body === 'function') kept.body = () => keep(body());
  else keep(body);
  return kept;
}

/** A slice of Node's pool would keep the whole pool. */
function inOwnMemory(body: Body): Body {
  if (typeof body === 'string' || body.buffer.byteLength !== Buffer.poolSize) return body;
  const own = Buffer.allocUnsafeSlow(body.length);
  body.copy(own);
  return own;
}
