import type { TObject } from '@sinclair/typebox';
import type { FastifyInstance, FastifyPluginCallback } from 'fastify';
import { openCaching } from '../answer/cache-control.ts';
import type { LiveCatalog } from '../live/live.ts';
import type { CatalogSource } from '../reader/read-set.ts';
import { type ApiOptions, apiRoutes } from './endpoints/api.ts';
import { changesRoutes } from './endpoints/changes.ts';
import { type HealthOptions, healthRoute, probeRoutes } from './endpoints/health.ts';
import { overviewRoutes } from './endpoints/overview.ts';
import { problemsIn } from './endpoints/rows.ts';
import { type FeedOptions, feedPaths, feedRoutes } from './feeds/feeds.ts';
import { historyRoutes } from './history/history.ts';
import { type ImageOptions, imageRoute } from './images/images.ts';
import { type Metrics, metricsRoute } from './metrics/metrics.ts';
import { docsRoutes, pageRoutes, robotsRoute } from './pages.ts';
import { API_PREFIX } from './plugins/headers.ts';
import { parameterReader } from './plugins/parameters.ts';
import { PREVIEW_PREFIX, registerPreview } from './plugins/preview.ts';
import type { Phase } from './server/drain.ts';

/** What the routes need in addition to the snapshot of a request. */
interface RouteOptions extends Omit<ContentOptions, 'cachingHeaders'> {
  metrics: Metrics;
  /** Where the files and their history are. */
  source: CatalogSource;
  /** The zone of times of day in queries. */
  timeZone: string;
  webhook?: HealthOptions['webhook'];
  /** How long shared caches may keep an answer, in seconds; 0 for not at all. */
  cacheMaxAge: number;
  /** Empty for no previews and no history. */
  previewToken: string;
  phase(): Phase;
}

/** What the content needs. */
interface ContentOptions extends ImageOptions, FeedOptions, ApiOptions {
  catalog: LiveCatalog;
}

/** All routes as a Fastify plugin, to be mounted under any prefix. */
export const routes: FastifyPluginCallback<RouteOptions> = (app, options, done) => {
  const { catalog, phase, publicUrl, reads, now, metrics, timeZone, previewToken, source, webhook } = options;
  app.setValidatorCompiler<TObject>(({ schema }) => parameterReader(schema, timeZone));
  app.setSerializerCompiler(() => JSON.stringify);
  app.register(docsRoutes);
  app.register(healthRoute, { catalog, reads, webhook, now });
  app.register(probeRoutes, { catalog, phase });
  app.register(metricsRoute, { metrics });
  registerContent(app, { ...options, cachingHeaders: openCaching(options.cacheMaxAge, now) });
  if (previewToken !== '') {
    app.register(historyRoutes, { catalog, source, previewToken });
    const previews: FastifyPluginCallback = (preview, _, done) => {
      registerPreview(preview, timeZone, now);
      registerContent(preview, { ...options, cachingHeaders: undefined });
      done();
    };
    app.register(previews, { prefix: PREVIEW_PREFIX });
  }
  app.register(robotsRoute, { root: publicUrl === '' ? app.prefix : new URL(publicUrl).pathname });
  app.register(pageRoutes);
  done();
};

/** The routes whose answers depend on what is published. */
function registerContent(app: FastifyInstance, options: ContentOptions): void {
  const { catalog, imagesDir, newsUrl, publicUrl, feedTitle, reads, now, cachingHeaders } = options;
  app.register(imageRoute, { imagesDir, now, cachingHeaders });
  const feeds = newsUrl === '' ? [] : feedPaths;
  if (newsUrl !== '') app.register(feedRoutes, { newsUrl, publicUrl, feedTitle, now, cachingHeaders });
  app.register(apiRoutes, { reads, now, cachingHeaders, prefix: API_PREFIX });
  app.register(changesRoutes);
  app.register(overviewRoutes, {
    ...{ reads, now, feeds },
    problems: snapshot => problemsIn(catalog.status(), snapshot),
  });
}
