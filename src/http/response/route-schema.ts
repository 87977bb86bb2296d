import { type TSchema, Type } from '@sinclair/typebox';
import type { FastifySchema } from 'fastify';
import { Envelope } from '../../contract/envelope.ts';
import type { ErrorCode } from '../../errors.ts';
import type { Representation } from './representation.ts';

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
