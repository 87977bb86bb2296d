import type { TObject } from '@sinclair/typebox';
import type { FastifyPluginCallback } from 'fastify';
import { configurationRoutes } from './configurations.ts';
import { type NewsOptions, newsRoutes } from './news.ts';
import { parameterReader } from './parameters.ts';

/** The four endpoints (SPEC 4) as a Fastify plugin, to be mounted under any prefix. */
export const api: FastifyPluginCallback<NewsOptions> = (app, options, done) => {
  app.setValidatorCompiler<TObject>(({ schema }) => parameterReader(schema));
  app.setSerializerCompiler(() => JSON.stringify);
  app.register(configurationRoutes, { prefix: '/api' });
  app.register(newsRoutes, { ...options, prefix: '/api' });
  done();
};
