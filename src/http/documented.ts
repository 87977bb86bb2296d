import type {} from '@fastify/swagger';
import type { ErrorCode } from '../errors.ts';

/** What the OpenAPI document tells of a route besides the schemas by which it works. */
export interface Documented {
  operationId: string;
  tags: readonly string[];
  summary: string;
  /** The errors that it can answer with, besides those that any request can meet with. */
  errors: readonly ErrorCode[];
}

declare module 'fastify' {
  interface FastifySchema {
    errors?: readonly ErrorCode[];
  }
}
