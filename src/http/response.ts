import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Answer, Body } from './answer.ts';
import { matches } from './conditional.ts';
import { JSON_TYPE } from './envelope.ts';

/** An answer as it is sent. */
export interface Response {
  status: 200 | 304;
  /** Its own headers besides those of every answer: names and values in turn. */
  headers: string[];
  body: Body | undefined;
}

/**
 * The response to a request with these headers, which are looked at only where they matter; its body is made only where
 * the client does not have the answer already.
 */
export function responseOf(
  { tag, type = JSON_TYPE, body }: Answer,
  request: { headers: IncomingHttpHeaders },
): Response {
  const caching =
    tag === undefined ? ['cache-control', 'no-store'] : ['etag', tag, 'cache-control', 'no-cache'];
  if (tag !== undefined && matches(request.headers['if-none-match'], tag))
    return { status: 304, headers: caching, body: undefined };
  const bytes = body();
  const headers = [...caching, 'content-type', type, 'content-length', String(bytes.length)];
  return { status: 200, headers, body: bytes };
}

/** Has Fastify send an answer to a request. */
export function sendAnswer(request: FastifyRequest, reply: FastifyReply, answer: Answer): FastifyReply {
  const { status, headers, body } = responseOf(answer, request);
  for (let index = 0; index < headers.length; index += 2) {
    reply.header(headers[index] ?? '', headers[index + 1]);
  }
  return reply.code(status).send(typeof body === 'string' ? Buffer.from(body, 'latin1') : body);
}
