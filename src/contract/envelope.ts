import type { Static, TSchema } from '@sinclair/typebox';
import * as Type from '@sinclair/typebox/type';
import { errors } from '../errors.ts';
import { oneOf } from './columns.ts';
import { titled } from './records.ts';

/** The envelope of a successful response (SPEC 2.1). */
export function Envelope<Data extends TSchema>(data: Data) {
  return Type.Object(
    {
      success: Type.Literal(true, { description: 'the query succeeded' }),
      code: Type.Literal(200, { description: 'the HTTP status' }),
      message: Type.Literal('query succeeded', { description: 'one sentence' }),
      data,
    },
    { additionalProperties: false, description: 'the envelope of a successful response' },
  );
}

/** A 304 response has no body. */
export const NotModified = Type.Null({
  description: 'the client already has this response, as its `If-None-Match` says',
});

/** The envelope of an error response (SPEC 2.1 and 7). */
export const ErrorEnvelope = titled('Error', '', {
  success: Type.Literal(false, { description: 'the query failed' }),
  code: Type.Integer({ description: 'the HTTP status' }),
  message: Type.String({ description: 'one sentence' }),
  data: Type.Object(
    {
      error: oneOf(Object.keys(errors), 'stable code'),
      details: Type.Array(
        Type.Object(
          {
            parameter: Type.String({ description: 'name of the parameter' }),
            message: Type.String({ description: 'what was expected of it' }),
          },
          { additionalProperties: false },
        ),
        { description: 'each parameter that is wrong; empty if none is' },
      ),
    },
    { additionalProperties: false, description: 'which error it is' },
  ),
});

/** The pagination object (SPEC 2.2). */
const PaginationSchema = titled('Pagination', '', {
  current_page: Type.Integer({ minimum: 1, description: 'the page returned' }),
  total: Type.Integer({ minimum: 0, description: 'total number of items' }),
});
export type Pagination = Static<typeof PaginationSchema>;

export function PageSchema<Item extends TSchema>(item: Item) {
  return Type.Object(
    { list: Type.Array(item, { description: 'the items of the page' }), pagination: PaginationSchema },
    { additionalProperties: false, description: 'a page of a list' },
  );
}

/** The `data` of every list. */
export interface Page<Item> {
  list: Item[];
  pagination: Pagination;
}
