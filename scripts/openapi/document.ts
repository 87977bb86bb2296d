import type { FastifyDynamicSwaggerOptions, SwaggerTransformObject } from '@fastify/swagger';
import type { FastifySchema } from 'fastify';
import { ErrorEnvelope } from '../../src/contract/envelope.ts';
import type { RouteSchema } from '../../src/http/endpoint.ts';
import { reference, withComponents } from './components.ts';
import { errorResponses } from './error-responses.ts';

/** A route that the document describes. */
export interface DocumentedRoute {
  method: 'GET';
  /** Relative to the mount point. */
  url: string;
  schema: RouteSchema;
}

/** Whether the schema of a route says what the document needs. */
export function isDocumented(schema: FastifySchema | undefined): schema is RouteSchema {
  return schema !== undefined && 'operationId' in schema;
}

/** The part of an OpenAPI document that is completed here. */
interface OpenApi {
  paths: Record<string, Partial<Record<'get', Operation>>>;
  components: object;
}
interface Operation {
  operationId: string;
  parameters?: { schema: { type?: unknown }; style?: 'form'; explode?: boolean }[];
  responses: Record<string, unknown>;
}

const description = `A read-only API for recommended product configurations, their prices, and news.

Every JSON response of the API is the same envelope, whose \`code\` is the HTTP status. Reading a news item raises its
read count; nothing else changes anything. If a response has an \`ETag\`, send it as \`If-None-Match\` to get 304 until
the content changes. \`Catalog-Version\` identifies the set of catalogs that a response comes from.`;

const tags = [
  { name: 'Configurations', description: 'Products, their recommended configurations, and prices' },
  { name: 'News', description: 'News announcements and their categories' },
  { name: 'Images', description: 'Images of news items' },
  { name: 'Feeds', description: 'The latest news for feed readers, if `NEWS_URL` is set' },
  { name: 'Operation', description: 'For operators' },
];

/**
 * The options with which @fastify/swagger generates an OpenAPI 3.1 document of the routes. The document is the same for
 * every service: its server URL is relative to the document, which works at any mount point and behind any proxy.
 */
export function documentOptions(
  routes: readonly DocumentedRoute[],
  version: string,
): FastifyDynamicSwaggerOptions {
  const errorsOf = new Map(routes.map(({ schema }) => [schema.operationId, schema.errors]));
  const complete = ({ paths, components, ...rest }: OpenApi) => {
    const schemas = {};
    const responses: Record<string, unknown> = {};
    withComponents(ErrorEnvelope, schemas);
    const documented = withComponents(paths, schemas) as OpenApi['paths'];
    for (const operation of Object.values(documented).flatMap(Object.values<Operation>)) {
      // Lists are comma-separated.
      for (const parameter of operation.parameters ?? []) {
        if (parameter.schema.type === 'array') Object.assign(parameter, { style: 'form', explode: false });
      }
      for (const { status, name, response } of errorResponses(errorsOf.get(operation.operationId) ?? [])) {
        operation.responses[status] = reference('responses', name);
        responses[name] = response;
      }
    }
    return { ...rest, paths: documented, components: { ...components, schemas, responses } };
  };
  return {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Vitrine', version, description, license: { name: 'MIT', identifier: 'MIT' } },
      servers: [{ url: '..', description: 'the mount point of the service' }],
      tags,
      security: [],
    },
    stripBasePath: false,
    convertConstToEnum: false,
    // The library's types allow for more than this document contains.
    transformObject: (({ openapiObject }: { openapiObject: OpenApi }) =>
      complete(openapiObject)) as unknown as SwaggerTransformObject,
  };
}
