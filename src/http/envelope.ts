import { type TSchema, Type } from '@sinclair/typebox';
import { type ApiError, errors } from '../errors.ts';

/** The schema of a successful answer (SPEC 2.1). */
export function Envelope<Data extends TSchema>(data: Data) {
  return Type.Object(
    {
      success: Type.Literal(true, { description: 'the query succeeded' }),
      code: Type.Literal(200, { description: 'the HTTP status' }),
      message: Type.Literal('query succeeded', { description: 'one sentence' }),
      data,
    },
    { additionalProperties: false, description: 'the envelope of what was asked for' },
  );
}

/** The schema of an answer without a body, to a client that has what it asks for already. */
export const NotModified = Type.Null({
  description: 'the client has the answer already, as its `If-None-Match` says',
});

/** The schema of an answer that says what went wrong. */
export const ErrorEnvelope = Type.Object(
  {
    success: Type.Literal(false, { description: 'the query did not succeed' }),
    code: Type.Integer({ description: 'the HTTP status' }),
    message: Type.String({ description: 'one sentence' }),
    data: Type.Object(
      {
        error: Type.Union(
          Object.keys(errors).map(code => Type.Literal(code)),
          { description: 'stable code' },
        ),
        details: Type.Array(
          Type.Object(
            {
              parameter: Type.String({ description: 'name of the parameter' }),
              message: Type.String({ description: 'what was expected of it' }),
            },
            { additionalProperties: false },
          ),
          { description: 'each parameter that is wrong; empty where none is' },
        ),
      },
      { additionalProperties: false, description: 'which error it is' },
    ),
  },
  { additionalProperties: false, title: 'Error' },
);

/** A successful answer with its data (SPEC 2.1). */
export function success<Data>(data: Data) {
  return { success: true, code: 200, message: 'query succeeded', data } as const;
}

/** The answer that tells an error; its code is the HTTP status. */
export function failure({ code, status, message, details }: ApiError) {
  return { success: false, code: status, message, data: { error: code, details } } as const;
}

/** What every answer with a body is. */
export const JSON_TYPE = 'application/json; charset=utf-8';

/** How soon a client may try again where the service cannot answer for the moment. */
const RETRY_AFTER_SECONDS = 1;

/** What goes with the answer that tells an error; no cache keeps it. */
export function errorHeaders(error: ApiError): Record<string, string> {
  return {
    'content-type': JSON_TYPE,
    'cache-control': 'no-store',
    ...(error.status === 405 && { allow: 'GET, HEAD' }),
    ...(error.code === 'OVERLOADED' && { connection: 'close' }),
    ...(error.status === 503 && { 'retry-after': String(RETRY_AFTER_SECONDS) }),
  };
}
