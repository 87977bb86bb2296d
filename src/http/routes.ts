import type { TObject } from '@sinclair/typebox';
import type { FastifyPluginCallback } from 'fastify';
import type { LiveCatalog } from '../catalog/live.ts';
import type { ReadCounter } from '../reads/counter.ts';
import type { Endpoint } from './answer.ts';
import { API_PREFIX, api } from './api.ts';
import type { DocumentedRoute } from './docs/document.ts';
import { docsRoutes } from './docs/routes.ts';
import { type FeedOptions, feedPaths, feedRoutes } from './feeds/routes.ts';
import { healthRoute } from './health.ts';
import { type ImageOptions, imageRoute } from './images.ts';
import type { Metrics } from './metrics/metrics.ts';
import { metricsRoute } from './metrics/routes.ts';
import { overviewEndpoints } from './overview.ts';
import { pageRoutes } from './page.ts';
import { parameterReader } from './parameters.ts';
import { probeRoutes } from './probes.ts';
import type { Phase } from './stopping.ts';

/** What the routes answer from, besides the set that a request is pinned to. */
export interface RouteOptions extends ImageOptions, FeedOptions {
  catalog: LiveCatalog;
  reads: ReadCounter;
  endpoints: readonly Endpoint[];
  metrics: Metrics;
  phase(): Phase;
}

/** All routes as a Fastify plugin, to be mounted under any prefix. */
export const routes: FastifyPluginCallback<RouteOptions> = (app, options, done) => {
  const { catalog, phase, imagesDir, newsUrl, reads, endpoints, metrics, now } = options;
  app.setValidatorCompiler<TObject>(({ schema }) => parameterReader(schema));
  app.setSerializerCompiler(() => JSON.stringify);
  const documented: DocumentedRoute[] = [];
  app.addHook('onRoute', ({ method, url, schema }) => {
    if (method === 'GET' && schema?.operationId)
      documented.push({ url: url.slice(app.prefix.length), schema });
  });
  app.register(docsRoutes, { routes: documented });
  app.register(healthRoute, { catalog, reads });
  app.register(probeRoutes, { hasCatalog: () => catalog.snapshot() !== undefined, phase });
  app.register(metricsRoute, { metrics });
  app.register(imageRoute, { imagesDir, now });
  const feeds = newsUrl === '' ? [] : feedPaths;
  if (newsUrl !== '') app.register(feedRoutes, { newsUrl, now });
  app.register(api, { endpoints, prefix: API_PREFIX });
  app.register(api, { endpoints: overviewEndpoints({ reads, now, feeds }) });
  app.register(pageRoutes);
  done();
};
