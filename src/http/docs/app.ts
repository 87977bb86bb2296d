import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import Fastify, { type FastifyInstance } from 'fastify';
import { type DocumentedRoute, documentOptions } from './document.ts';
import { examples } from './examples.ts';
import { withExamples } from './exemplify.ts';

/**
 * The docs as an app of their own, which is asked by `inject`: the document of the routes as JSON and YAML, and a page
 * that shows it. `prefix` is where the routes are mounted. Loading this module takes as long as all the rest of a start.
 */
export async function openDocs(
  routes: readonly DocumentedRoute[],
  prefix: string,
  version: string,
): Promise<FastifyInstance> {
  const app: FastifyInstance = Fastify();
  // Its routes are there to be told of, and never asked.
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => JSON.stringify);
  await app.register(swagger, documentOptions(routes, prefix, version));
  await app.register(swaggerUi, {
    routePrefix: '/documentation',
    theme: { title: 'Vitrine' },
    uiConfig: { layout: 'BaseLayout' },
  });
  for (const { url, schema } of routes) {
    const example = examples[schema.operationId ?? ''] ?? { parameters: {} };
    app.get(url, { schema: withExamples(schema, example) }, () => {});
  }
  return app;
}
