import type { TObject } from '@sinclair/typebox';
import { parse } from 'fast-querystring';
import Fastify, { type FastifyPluginCallback, type FastifyRequest } from 'fastify';
import type { Representation } from '../../../src/answer/representation.ts';
import { parameterReader } from '../../../src/http/plugins/parameters.ts';

/** What handlers of the routes use of a request. */
type Asked = Pick<FastifyRequest, 'method' | 'query' | 'params' | 'snapshot'>;
type Handler = (asked: Asked) => Representation | Promise<Representation>;

/** Finds the routes of a plugin by their paths, so that tests can call their handlers without a service. */
export async function findRoutes<Options extends object>(
  plugin: FastifyPluginCallback<Options>,
  options: Options,
) {
  const app = Fastify();
  const routes = new Map<string, { querystring?: TObject; handler: Handler }>();
  app.addHook('onRoute', ({ method, url, schema, handler }) => {
    if (method === 'GET') routes.set(url, { ...Object(schema), handler: handler as unknown as Handler });
  });
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => JSON.stringify);
  app.register((child, _options, done) => {
    child.register(plugin, options);
    done();
  });
  await app.ready();
  return (url: string) => {
    const [path = '', text = ''] = url.split('?');
    const route = routes.get(path);
    const query = route?.querystring && parameterReader(route.querystring, 'UTC')(parse(text));
    if (!route || (query && 'error' in query)) return undefined;
    return { route, query: query?.value, params: undefined };
  };
}
