import { hash } from 'node:crypto';
import type { KindTag } from '../contract/webhook.ts';
import { type Body, byteLength } from './body.ts';
import { type Coding, varyWith } from './compression.ts';
import { JSON_TYPE } from './envelope.ts';

/** What a handler returns: a successful response, before the conditions of the request are applied (RFC 9110, section 3.2). */
export interface Representation {
  /** The ETag. Caches revalidate a representation that has one, and never store one without. */
  tag?: string;
  /** What shared caches need to know; undefined for an answer that they always ask for. */
  caching?: Caching | undefined;
  /** The `Link` header of a page of a list (RFC 8288). */
  link?: string | undefined;
  /** Whether the same request of the same set still gets this; without it, it always does. Without a tag, it is not cached. */
  isCurrent?: (() => boolean) | undefined;
  /** The content type; JSON by default. */
  type?: string;
  /** The body, or a function that makes it if the client does not have it yet. */
  body: Body | (() => Body);
}

/**
 * The headers of a representation with and without its content: a 304 has them as well. Shared caches keep it only with
 * `cachingHeaders`. If it `isNegotiated`, its codings share a weak tag (RFC 9110, section 8.8.3.3), and `Vary` names one
 * more header than `vary`.
 */
export function metadataHeaders(
  { tag, caching, link }: Representation,
  isNegotiated: boolean,
  cachingHeaders: CachingHeaders | undefined,
  vary?: string | number | string[],
): Record<string, string> {
  const headers: Record<string, string> = isNegotiated ? { vary: varyWith(vary) } : {};
  if (tag === undefined) headers['cache-control'] = 'no-store';
  else {
    const etag = isNegotiated && !tag.startsWith('W/') ? `W/${tag}` : tag;
    Object.assign(headers, { etag }, (caching && cachingHeaders?.(caching)) ?? REVALIDATE);
  }
  if (link !== undefined) headers.link = link;
  return headers;
}

/** The headers of its content, as it is sent. */
export function contentHeaders(
  { type = JSON_TYPE }: Representation,
  content: Body,
  coding: Coding | undefined,
): Record<string, string> {
  return {
    'content-type': type,
    ...(coding && { 'content-encoding': coding }),
    'content-length': String(byteLength(content)),
  };
}

/** A strong tag (RFC 9110, section 8.8.3): the same for the same content, and for no other. */
export function strongTag(content: string | Buffer): string {
  return `"${hash('sha1', content, 'base64url')}"`;
}

/**
 * Whether an `If-None-Match` says that the client has the response with this tag (RFC 9110, section 13.1.2). The
 * comparison is weak: `W/` does not count.
 */
export function matches(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  if (header === tag || header.trim() === '*') return true;
  return header.match(/"[^"]*"/g)?.includes(tag.replace(/^W\//, '')) ?? false;
}

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
