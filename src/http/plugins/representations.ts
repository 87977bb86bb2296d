import { Readable } from 'node:stream';
import { type TSchema, Type } from '@sinclair/typebox';
import type { FastifyInstance, FastifyRequest, FastifySchema } from 'fastify';
import { bytesOf, bytesOfEach, isLarge } from '../../answer/body.ts';
import type { CachingHeaders } from '../../answer/cache-control.ts';
import { type Compression, varyWith } from '../../answer/compression.ts';
import { matches } from '../../answer/conditional.ts';
import {
  answerKey,
  contentHeaders,
  contentOf,
  isCompressible,
  metadataHeaders,
  type Representation,
} from '../../answer/representation.ts';
import { Envelope } from '../../contract/envelope.ts';
import type { ErrorCode } from '../../errors.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Undefined if nothing is compressed. */
    compression: Compression | undefined;
  }
}

/** The schema of a route, with what the OpenAPI document says about it. */
export interface RouteSchema extends FastifySchema {
  operationId: string;
  tags: readonly string[];
  summary: string;
  /** What clients need to know, in a few sentences. */
  description: string;
  /** What a client has to send; nothing by default. */
  security?: readonly { previewToken: readonly [] }[];
  /** The errors of the route, in addition to those of any request. */
  errors: readonly ErrorCode[];
}

/** The schema of a 200 with `data` in the envelope, for a handler that returns it as a {@link Representation}. */
export function RepresentationOf(data: TSchema) {
  return Type.Unsafe<Representation>(Envelope(data));
}

/** Sends what the handlers of an instance return as {@link Representation}. */
export function sendRepresentations(app: FastifyInstance, cachingHeaders?: CachingHeaders): void {
  app.addHook<Representation>('preSerialization', async (request, reply, representation) => {
    const { tag } = representation;
    const compression = isCompressible(representation) ? app.compression : undefined;
    reply.removeHeader('content-type'); // Fastify sets it ahead of the others.
    if (compression) reply.header('vary', varyWith(reply.getHeader('vary')));
    reply.headers(metadataHeaders(representation, cachingHeaders, compression !== undefined));
    reply.serializer(bytes => bytes);
    if (tag !== undefined && matches(request.headers['if-none-match'], tag)) {
      reply.code(304);
      return EMPTY;
    }
    const coding = compression?.codingFor(request.headers['accept-encoding']?.toString());
    const encoded = coding && compression?.encode(questionOf(request), representation, coding);
    const content = encoded ? [encoded] : contentOf(representation);
    reply.headers(contentHeaders(representation, content, encoded === undefined ? undefined : coding));
    return isLarge(content) ? Readable.from(bytesOfEach(content)) : bytesOf(content);
  });
}

/** Fastify leaves the parameters of a query without a schema as they are. */
function questionOf({ snapshot, query, params, routeOptions: { url = '', schema } }: FastifyRequest) {
  return { snapshot, key: answerKey(url, schema?.querystring ? Object(query) : undefined, Object(params)) };
}

const EMPTY = Buffer.alloc(0);
