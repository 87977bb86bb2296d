import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { matches } from './conditional.ts';
import { JSON_TYPE } from './envelope.ts';

/**
 * Bytes of UTF-8. A short text is best a string with one character per byte (latin1): node:http sends it in one piece
 * with the headers.
 */
export type Body = Buffer | string;

/** What a handler returns: a successful response, before the conditions of the request are applied (RFC 9110, section 3.2). */
export interface Representation {
  /** The ETag. Caches revalidate a representation that has one, and never store one without. */
  tag?: string;
  /** The `Link` header of a page of a list (RFC 8288). */
  link?: string | undefined;
  /** Whether the same request still gets this. Without it or a tag, the representation is not cached. */
  isCurrent?(): boolean;
  /** The content type; JSON by default. */
  type?: string;
  /** The body, or a function that makes it if the client does not have it yet. */
  body: Body | (() => Body);
}

/** Status, headers (names and values alternate) and body of a response. */
export interface EncodedResponse {
  status: 200 | 304;
  headers: string[];
  body: Body | undefined;
}

/** The response to a request with these headers: 304 without a body if the client has the representation already. */
export function encode(
  { tag, link, type = JSON_TYPE, body }: Representation,
  request: { headers: IncomingHttpHeaders },
): EncodedResponse {
  const caching =
    tag === undefined ? ['cache-control', 'no-store'] : ['etag', tag, 'cache-control', 'no-cache'];
  if (link !== undefined) caching.push('link', link);
  if (tag !== undefined && matches(request.headers['if-none-match'], tag))
    return { status: 304, headers: caching, body: undefined };
  const bytes = typeof body === 'function' ? body() : body;
  const headers = [...caching, 'content-type', type, 'content-length', String(bytes.length)];
  return { status: 200, headers, body: bytes };
}

/** Sends what the handlers of an instance return as {@link Representation}. */
export function sendRepresentations(app: FastifyInstance): void {
  app.addHook<Representation>('preSerialization', (request, reply, representation, done) => {
    const { status, headers, body = '' } = encode(representation, request);
    reply.removeHeader('content-type'); // Fastify sets it ahead of the others.
    for (let index = 0; index < headers.length; index += 2) {
      reply.header(headers[index] ?? '', headers[index + 1]);
    }
    reply.code(status).serializer(bytes => bytes);
    done(null, typeof body === 'string' ? Buffer.from(body, 'latin1') : body);
  });
}
