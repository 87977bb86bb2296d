import type { TObject } from '@sinclair/typebox';
import type { FastifyPluginCallback } from 'fastify';
import type { LiveCatalog } from '../catalog/live.ts';
import { requireCatalog } from './catalog-version.ts';
import { configurationRoutes } from './configurations.ts';
import { healthRoute } from './health.ts';
import { type ImageOptions, imageRoute } from './images.ts';
import { type NewsOptions, newsRoutes } from './news.ts';
import { parameterReader } from './parameters.ts';
import { probeRoutes } from './probes.ts';
import type { Phase } from './stopping.ts';

/** What the routes answer from, besides the set that a request is pinned to. */
export interface RouteOptions extends NewsOptions, ImageOptions {
  catalog: LiveCatalog;
  phase(): Phase;
}

/** All routes as a Fastify plugin, to be mounted under any prefix. */
export const routes: FastifyPluginCallback<RouteOptions> = (app, options, done) => {
  const { catalog, phase, imagesDir, reads, now } = options;
  app.setValidatorCompiler<TObject>(({ schema }) => parameterReader(schema));
  app.setSerializerCompiler(() => JSON.stringify);
  app.register(healthRoute, { catalog, reads });
  app.register(probeRoutes, { hasCatalog: () => catalog.snapshot() !== undefined, phase });
  app.register(imageRoute, { imagesDir, now });
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
