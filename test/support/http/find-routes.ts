import Fastify, { type FastifyPluginCallback } from 'fastify';
import { openRouteFinder } from '../../../src/http/fast-path/route-finder.ts';

/** Finds the routes of a plugin as the fast path does, so that tests can call their handlers without a service. */
export async function findRoutes<Options extends object>(
  plugin: FastifyPluginCallback<Options>,
  options: Options,
) {
  const app = Fastify();
  const { add, find } = openRouteFinder('UTC');
  app.addHook('onRoute', route => {
    if (route.method === 'GET') add(route, () => {});
  });
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => JSON.stringify);
  app.register((child, _options, done) => {
    child.register(plugin, options);
    done();
  });
  await app.ready();
  return find;
}
