import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import swagger from '@fastify/swagger';
import type { TSchema } from '@sinclair/typebox';
import Fastify, { type FastifyInstance, type FastifySchema } from 'fastify';
import type { RouteSchema } from '../../src/http/endpoint.ts';
import { vitrine } from '../../src/index.ts';
import { packageVersion } from '../../src/package-version.ts';
import { type DocumentedRoute, documentOptions, isDocumented } from './document.ts';
import { type Example, examples } from './examples.ts';

/** The page of a news item on the site of the sample catalogs. With this setting the service has feeds. */
export const NEWS_URL = 'https://www.example.com/news/{id}';

/** The public address in the examples. */
export const PUBLIC_URL = 'https://www.example.com/shop';

const data = fileURLToPath(new URL('../../data', import.meta.url));

/** An app that generates the OpenAPI document. The build writes it to files, since generating it takes most of a second. */
export async function openDocs(): Promise<FastifyInstance> {
  const routes = await documentedRoutes();
  const app: FastifyInstance = Fastify();
  // The API routes are only documented, never called.
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => JSON.stringify);
  await app.register(swagger, documentOptions(routes, packageVersion()));
  for (const { method, url, schema } of routes) {
    const example = examples[schema.operationId];
    if (!example) throw new Error(`no example of ${schema.operationId}`);
    app.route({ method, url, schema: withExamples(schema, example), handler: () => {} });
  }
  await app.ready();
  return app;
}

/** The OpenAPI document as JSON. */
export async function openApiDocument(): Promise<string> {
  return JSON.stringify((await openDocs()).swagger());
}

/** The routes of a service with feeds. Those that need a token are for people, and in the manual. */
async function documentedRoutes(): Promise<DocumentedRoute[]> {
  const stateDir = await mkdtemp(join(tmpdir(), 'vitrine-openapi-'));
  const host = Fastify({ pluginTimeout: 0 }); // On a busy machine, loading the catalogs takes longer than its default.
  const routes: DocumentedRoute[] = [];
  host.addHook('onRoute', ({ method, url, schema }) => {
    if (isDocumented(schema) && method === 'GET') routes.push({ method: 'GET', url, schema });
  });
  await host.register(vitrine, {
    catalogDir: join(data, 'catalog'),
    imagesDir: join(data, 'images'),
    stateDir,
    newsUrl: NEWS_URL,
  });
  await host.close();
  await rm(stateDir, { recursive: true });
  return routes;
}

/** The schema of a route, with examples of its parameters and its response. */
function withExamples(schema: RouteSchema, { parameters, answer }: Example): RouteSchema {
  const { params, querystring, response }: FastifySchema = schema;
  const exemplify = (object: unknown) => {
    const properties = Object.entries<TSchema>(Object(object).properties).map(([name, property]) => [
      name,
      { ...property, examples: [parameters[name]] },
    ]);
    return { ...Object(object), properties: Object.fromEntries(properties) };
  };
  return {
    ...schema,
    ...(Boolean(params) && { params: exemplify(params) }),
    ...(Boolean(querystring) && { querystring: exemplify(querystring) }),
    response: { ...Object(response), ...(answer && { 200: answered(Object(response)[200], answer) }) },
  };
}

/** Adds an example to a response, which is a JSON schema or lists schemas by media type. */
function answered(response: TSchema, example: object): object {
  if (!response.content) return { ...response, examples: [example] };
  const content = Object.entries<object>(response.content).map(([type, media]) => [
    type,
    { ...media, example },
  ]);
  return { ...response, content: Object.fromEntries(content) };
}
