import type { FastifyDynamicSwaggerOptions, SwaggerTransformObject } from '@fastify/swagger';
import type { FastifySchema } from 'fastify';
import { ErrorEnvelope } from '../envelope.ts';
import { reference, withComponents } from './components.ts';
import { errorResponses } from './error-responses.ts';

/** A route that the document is to tell of. */
export interface DocumentedRoute {
  /** Below the place where the service is mounted. */
  url: string;
  schema: FastifySchema;
}

/** What is looked at of an OpenAPI document. */
interface Document {
  paths: Record<string, { get: { operationId: string; responses: Record<string, unknown> } }>;
  components: object;
}

const description = `Read-only queries of products' recommended configurations and their prices, and of news.

Every answer is the same envelope, and its \`code\` is the HTTP status. Reading a news item raises its read count; nothing
else changes anything. Where an answer has an \`ETag\`, \`If-None-Match\` asks for it only if it has changed.
\`Catalog-Version\` names the set of catalogs that an answer is from.`;

const tags = [
  { name: 'Configurations', description: 'Recommended configurations of products, and their prices' },
  { name: 'News', description: 'News announcements' },
  { name: 'Images', description: 'Images of the news' },
  { name: 'Feeds', description: 'The newest news for feed readers' },
  { name: 'Page', description: 'What the page for people shows; reading it counts nothing' },
  { name: 'Operation', description: 'For those who run the service' },
];

/** Has @fastify/swagger make an OpenAPI 3.1 document of the routes that are mounted under a prefix. */
export function documentOptions(
  routes: readonly DocumentedRoute[],
  prefix: string,
  version: string,
): FastifyDynamicSwaggerOptions {
  const errorsOf = new Map(routes.map(({ schema }) => [schema.operationId, schema.errors ?? []]));
  const complete = ({ paths, components, ...rest }: Document) => {
    const schemas = {};
    const responses: Record<string, unknown> = {};
    withComponents(ErrorEnvelope, schemas);
    const documented = withComponents(paths, schemas) as Document['paths'];
    for (const { get } of Object.values(documented)) {
      for (const { status, name, response } of errorResponses(errorsOf.get(get.operationId) ?? [])) {
        get.responses[status] = reference('responses', name);
        responses[name] = response;
      }
    }
    return { ...rest, paths: documented, components: { ...components, schemas, responses } };
  };
  return {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Vitrine', version, description, license: { name: 'MIT', identifier: 'MIT' } },
      servers: [{ url: prefix || '/' }],
      tags,
      security: [],
    },
    stripBasePath: false,
    convertConstToEnum: false,
    // The types of documents allow for more than there is in this one.
    transformObject: (({ openapiObject }: { openapiObject: Document }) =>
      complete(openapiObject)) as unknown as SwaggerTransformObject,
  };
}
