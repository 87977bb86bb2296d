import { Type } from '@sinclair/typebox';
import { endpoint } from '../../src/http/endpoint.ts';
import { RepresentationOf } from '../../src/http/plugins/representations.ts';

const docs = { operationId: 'a', tags: [], summary: '', description: '', errors: [] } as const;
const schema = {
  ...docs,
  querystring: Type.Object({ limit: Type.Integer() }),
  params: Type.Object({ id: Type.Integer() }),
  response: { 200: RepresentationOf(Type.Object({})) },
};

/** What `tsc` accepts of endpoints, and what it rejects. */
export const endpoints = [
  endpoint({
    method: 'GET',
    url: '/:id',
    schema,
    handler: ({ query, params }) => ({ body: (query.limit + params.id).toFixed() }),
  }),
  endpoint({
    method: 'GET',
    url: '/',
    schema,
    // @ts-expect-error The schema has no such parameter.
    handler: ({ query }) => ({ body: query.page }),
  }),
  endpoint({
    method: 'GET',
    url: '/',
    schema,
    // @ts-expect-error It is a number.
    handler: ({ query }) => ({ body: query.limit }),
  }),
  endpoint({
    method: 'GET',
    url: '/',
    schema: docs,
    // @ts-expect-error The schema has no parameters.
    handler: ({ params }) => ({ body: params.id }),
  }),
  // @ts-expect-error An answer has a body.
  endpoint({ method: 'GET', url: '/', schema, handler: () => ({ tag: '"a"' }) }),
];
