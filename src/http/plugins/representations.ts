import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import type { Answer, Answers } from '../../answer/answers.ts';
import { bytesOf, isLarge } from '../../answer/body.ts';
import { codingFor } from '../../answer/compression.ts';
import { contentHeaders, matches, metadataHeaders } from '../../answer/representation.ts';
import type { ErrorCode } from '../../errors.ts';

declare module 'fastify' {
  interface FastifyInstance {
    answers: Answers;
  }
}

/** The schema of a route, with what the OpenAPI document says about it. */
export interface RouteSchema extends FastifySchema {
  operationId: string;
  tags: readonly string[];
  summary: string;
  /** What clients need to know, in a few sentences. */
  description: string;
  /** The errors of the route, in addition to those of any request. */
  errors: readonly ErrorCode[];
}

/** Sends what the handlers of an instance return as {@link Answer}. */
export function sendRepresentations(app: FastifyInstance): void {
  app.addHook<Answer>('preSerialization', async (request, reply, answer) => {
    reply.removeHeader('content-type'); // Fastify sets it ahead of the others.
    reply.serializer(bytes => bytes);
    return payloadOf(answer, request, reply, app.answers);
  });
}

/** The payload of an answer. Sets the status and the headers of the reply. */
function payloadOf(answer: Answer, { headers }: FastifyRequest, reply: FastifyReply, answers: Answers) {
  const { tag, representation, isNegotiated } = answer;
  reply.headers(
    metadataHeaders(representation, isNegotiated, answers.cachingHeaders, reply.getHeader('vary')),
  );
  if (tag !== undefined && matches(headers['if-none-match'], tag)) {
    reply.code(304);
    return EMPTY;
  }
  const { content, coding } = answer.contentIn(codingFor(headers['accept-encoding']?.toString()));
  reply.headers(contentHeaders(representation, content, coding));
  return isLarge(content) ? Readable.from(content) : bytesOf(content);
}

const EMPTY = Buffer.alloc(0);
