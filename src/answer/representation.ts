import { hash } from 'node:crypto';
import type { KindTag } from '../contract/webhook.ts';
import { type Body, byteLength } from './body.ts';
import { type Coding, varyWith } from './compression.ts';
import { JSON_TYPE } from './envelope.ts';

/** A successful response as its handler returns it, before the request's conditions are applied (RFC 9110, section 3.2). */
export interface Representation {
  /** The ETag. Caches revalidate a representation with a tag, and must not store one without. */
  tag?: string;
  /** How shared caches may store it; undefined if they must revalidate it each time. */
  caching?: Caching | undefined;
  /** The `Link` header (RFC 8288). */
  link?: string | undefined;
  /** Whether the same request for the same snapshot would still get this; absent if it always would. */
  isCurrent?: (() => boolean) | undefined;
  /** The content type; JSON by default. */
  type?: string;
  /** The body, or a function that makes it if the client does not have it yet. */
  body: Body | (() => Body);
}

/**
 * Returns the headers that a 200 and a 304 have in common. Shared caches store the response only with `cachingHeaders`. If it
 * `isNegotiated`, all codings share one weak tag (RFC 9110, section 8.8.3.3), and Accept-Encoding is added to `vary`.
 */
export function metadataHeaders(
  { tag, caching, link }: Representation,
  isNegotiated: boolean,
  cachingHeaders: ((caching: Caching) => Record<string, string>) | undefined,
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

/** Returns the headers that describe the content of a 200. */
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

/** Returns a strong ETag (RFC 9110, section 8.8.3), a hash of the content. */
export function strongTag(content: string | Buffer): string {
  return `"${hash('sha1', content, 'base64url')}"`;
}

/** Whether an `If-None-Match` header lists this tag (RFC 9110, section 13.1.2). The comparison is weak: it ignores `W/`. */
export function matches(header: string | undefined, tag: string | undefined): boolean {
  if (header === undefined || tag === undefined) return false;
  if (header === tag || header.trim() === '*') return true;
  return header.match(/"[^"]*"/g)?.includes(tag.replace(/^W\//, '')) ?? false;
}

/** What determines how long shared caches may store an answer, and what purges it. */
export interface Caching {
  /** The kind of answer, then narrower groups; see `contract/webhook.ts`. */
  tags: readonly [KindTag, ...string[]];
  /** The next moment, in Unix seconds, at which the clock alone can change the answer; Infinity for never. */
  until: number;
}

/** The headers that only shared caches read. */
export const ofSharedCaches = ['cdn-cache-control', 'cache-tag', 'surrogate-key'] as const;

/** Caches may store the answer, but must revalidate it before each use. */
export const REVALIDATE = { 'cache-control': 'no-cache' } as const;

/**
 * Returns the caching headers of an answer that is sent at `now` (Unix seconds). Only shared caches may reuse it, since a
 * webhook can purge those: for `maxAge` seconds, or until the next scheduled change. The lifetime counts from the whole
 * second of `Date`, so that it is never 0 before a change. In its last tenth, a CDN may serve the answer while it
 * revalidates. That has its own header (RFC 9213), since `stale-while-revalidate` contradicts `s-maxage` (RFC 9111, section
 * 5.2.2.10). The explicit 0 is for Varnish, which otherwise adds 10 s.
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
