import { Type } from '@sinclair/typebox';
import { Envelope } from '../../src/contract/envelope.ts';
import { endpoint } from '../../src/http/endpoint.ts';

const docs = { operationId: 'a', tags: [], summary: '', description: '', errors: [] } as const;
const schema = {
  ...docs,
  querystring: Type.Object({ limit: Type.Integer() }),
  params: Type.Object({ id: Type.Integer() }),
  response: { 200: Envelope(Type.Object({})) },
};
const common = { url: '/:id' };

/** What `tsc` accepts of endpoints, and what it rejects. */
export const endpoints = [
  endpoint({ ...common, schema, handler: ({ query, params }) => ({ body: `${query.limit + params.id}` }) }),
  // @ts-expect-error The schema has no such parameter.
  endpoint({ ...common, schema, handler: ({ query }) => ({ body: query.page }) }),
  // @ts-expect-error It is a number.
  endpoint({ ...common, schema, handler: ({ query }) => ({ body: query.limit }) }),
  // @ts-expect-error The schema has no parameters.
  endpoint({ ...common, schema: docs, handler: ({ params }) => ({ body: params.id }) }),
  // @ts-expect-error An answer has a body.
  endpoint({ ...common, schema, handler: () => ({ tag: '"a"' }) }),
];
