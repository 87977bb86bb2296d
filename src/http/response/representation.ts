import type { FastifyInstance } from 'fastify';
import { type Caching, type CachingHeaders, REVALIDATE } from './cache-control.ts';
import { matches } from './conditional.ts';
import { JSON_TYPE } from './envelope.ts';
import { assemble, lengthOf, type Piece } from './json-bodies.ts';

/** Text as UTF-8: as pieces, or as a string with one character per byte (latin1). */
export type Body = readonly Piece[] | string;

/** What a handler returns: a successful response, before the conditions of the request are applied (RFC 9110, section 3.2). */
export interface Representation {
  /** The ETag. Caches revalidate a representation that has one, and never store one without. */
  tag?: string;
  /** What shared caches need to know; undefined for an answer that they always ask for. */
  caching?: Caching | undefined;
  /** The `Link` header of a page of a list (RFC 8288). */
  link?: string | undefined;
  /** Whether the same request still gets this. Without it or a tag, the representation is not cached. */
  isCurrent?(): boolean;
  /** The content type; JSON by default. */
  type?: string;
  /** The body, or a function that makes it if the client does not have it yet. */
  body: Body | (() => Body);
}

/**
 * The headers of a representation with and without its content: a 304 has them as well. Shared caches keep it only with
 * `cachingHeaders`.
 */
export function metadataHeaders(
  { tag, caching, link }: Representation,
  cachingHeaders: CachingHeaders | undefined,
): Record<string, string> {
  const headers: Record<string, string> = {};
  if (tag === undefined) headers['cache-control'] = 'no-store';
  else Object.assign(headers, { etag: tag }, (caching && cachingHeaders?.(caching)) ?? REVALIDATE);
  if (link !== undefined) headers.link = link;
  return headers;
}

/** The headers of its content. */
export function contentHeaders({ type = JSON_TYPE }: Representation, content: Body): Record<string, string> {
  return { 'content-type': type, 'content-length': String(byteLength(content)) };
}

export function byteLength(body: Body): number {
  return typeof body === 'string' ? body.length : lengthOf(body);
}

export function contentOf({ body }: Representation): Body {
  return typeof body === 'function' ? body() : body;
}

/** Sends what the handlers of an instance return as {@link Representation}. */
export function sendRepresentations(app: FastifyInstance, cachingHeaders?: CachingHeaders): void {
  app.addHook<Representation>('preSerialization', (request, reply, representation, done) => {
    const { tag } = representation;
    reply.removeHeader('content-type'); // Fastify sets it ahead of the others.
    reply.headers(metadataHeaders(representation, cachingHeaders)).serializer(bytes => bytes);
    if (tag !== undefined && matches(request.headers['if-none-match'], tag)) {
      reply.code(304);
      return done(null, EMPTY);
    }
    const content = contentOf(representation);
    reply.headers(contentHeaders(representation, content));
    done(null, typeof content === 'string' ? Buffer.from(content, 'latin1') : assemble(content));
  });
}

const EMPTY = Buffer.alloc(0);
