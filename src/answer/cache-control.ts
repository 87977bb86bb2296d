import type { KindTag } from '../contract/webhook.ts';

/** What a shared cache needs to know of an answer. */
export interface Caching {
  /** Its kind, and then what narrower groups it belongs to; see `contract/webhook.ts`. */
  tags: readonly [KindTag, ...string[]];
  /** The next moment, in Unix seconds, at which the clock alone can change the answer; Infinity for never. */
  until: number;
}

/** The headers for caches. */
export type CachingHeaders = (caching: Caching) => Record<string, string>;

/** The headers for shared caches, besides `Cache-Control`. */
export const ofSharedCaches = ['cdn-cache-control', 'cache-tag', 'surrogate-key'] as const;

/** Every cache asks before it uses the answer. */
export const REVALIDATE = { 'cache-control': 'no-cache' } as const;

/**
 * The headers for caches, of an answer that is sent at `now` (Unix seconds) and may be kept for `maxAge` seconds, by shared
 * caches alone, since a webhook can purge them. The lifetime ends with the next scheduled change. It counts from the whole
 * second of `Date`, so that it is never 0 before a change. In the last tenth, a CDN may answer first and ask then: in a
 * header of its own (RFC 9213), since `stale-while-revalidate` contradicts `s-maxage` (RFC 9111, section 5.2.2.10). The 0
 * is for Varnish, which otherwise adds 10 s.
 */
export function cachingHeaders(
  { tags, until }: Caching,
  maxAge: number,
  now: number,
): Record<string, string> {
  const lifetime = Math.min(maxAge, until - Math.floor(now));
  if (lifetime <= 0) return REVALIDATE; // The change has come since the answer was made.
  const stale = Math.floor(lifetime / 10);
  return {
    'cache-control': `public, max-age=0, s-maxage=${lifetime}, stale-while-revalidate=0`,
    'cdn-cache-control': `max-age=${lifetime - stale}, stale-while-revalidate=${stale}`,
    'cache-tag': tags.join(','),
    'surrogate-key': tags.join(' '),
  };
}
