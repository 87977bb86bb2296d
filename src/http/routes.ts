import type { TObject } from '@sinclair/typebox';
import type { FastifyPluginCallback } from 'fastify';
import type { LiveCatalog } from '../catalog/live.ts';
import { requireCatalog } from './catalog-version.ts';
import { configurationRoutes } from './configurations.ts';
import { healthRoute } from './health.ts';
import { type NewsOptions, newsRoutes } from './news.ts';
import { parameterReader } from './parameters.ts';

/** What the routes answer from, besides the set that a request is pinned to. */
export interface RouteOptions extends NewsOptions {
  catalog: LiveCatalog;
}

/** All routes as a Fastify plugin, to be mounted under any prefix. */
export const routes: FastifyPluginCallback<RouteOptions> = (app, { catalog, reads, now }, done) => {
  app.setValidatorCompiler<TObject>(({ schema }) => parameterReader(schema));
  app.setSerializerCompiler(() => JSON.stringify);
  app.register(healthRoute, { catalog });
  app.register(api, { reads, now, prefix: '/api' });
  done();
};

/** The four endpoints of the contract (SPEC 4). */
const api: FastifyPluginCallback<NewsOptions> = (app, { reads, now }, done) => {
  requireCatalog(app);
  app.register(configurationRoutes);
  app.register(newsRoutes, { reads, now });
  done();
};
