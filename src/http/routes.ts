import type { TObject } from '@sinclair/typebox';
import type { FastifyInstance, FastifyPluginCallback } from 'fastify';
import type { LiveCatalog } from '../live/live.ts';
import type { CatalogSource } from '../reader/read-set.ts';
import type { Endpoint } from './endpoint.ts';
import { apiEndpoints } from './endpoints/api.ts';
import { changeList } from './endpoints/changes.ts';
import { type HealthOptions, healthRoute, probeRoutes } from './endpoints/health.ts';
import type { NewsOptions } from './endpoints/news-list.ts';
import { overviewRoutes } from './endpoints/overview.ts';
import { problemsIn } from './endpoints/rows.ts';
import { type FeedOptions, feedEndpoints, feedPaths } from './feeds/feeds.ts';
import { checkRoute } from './history/check.ts';
import { historyRoutes } from './history/history.ts';
import { type ImageOptions, imageRoute } from './images/images.ts';
import { type Metrics, metricsRoute } from './metrics/metrics.ts';
import { docsRoutes, pageRoutes, robotsRoute } from './pages.ts';
import { requireCatalog } from './plugins/catalog-version.ts';
import { parameterReader } from './plugins/parameters.ts';
import { PREVIEW_PREFIX, registerPreview } from './plugins/preview.ts';
import { sendRepresentations } from './plugins/representations.ts';
import type { Phase } from './server/drain.ts';

/** What the endpoints need in addition to the snapshot. */
interface EndpointOptions extends NewsOptions, FeedOptions {}

/** The endpoints: what Fastify registers, the fast path looks into, and the export asks. */
export function endpoints({ reads, now, newsUrl, ...site }: EndpointOptions): Endpoint[] {
  const feeds = newsUrl === '' ? [] : feedEndpoints({ now, newsUrl, ...site });
  return [...feeds, ...apiEndpoints({ reads, now }), changeList];
}

/** What the routes need in addition to the snapshot of a request. */
interface RouteOptions extends EndpointOptions, ImageOptions {
  endpoints: readonly Endpoint[];
  catalog: LiveCatalog;
  metrics: Metrics;
  /** Where the files and their history are. */
  source: CatalogSource;
  /** The zone of times of day in queries. */
  timeZone: string;
  webhook?: HealthOptions['webhook'];
  /** Whether drastic changes wait until somebody confirms them. */
  holdBack: 'on' | 'off';
  /** Empty for no previews and no history. */
  previewToken: string;
  phase(): Phase;
}

/** All routes as a Fastify plugin, to be mounted under any prefix. */
export const routes: FastifyPluginCallback<RouteOptions> = (app, options, done) => {
  const {
    catalog,
    phase,
    publicUrl,
    reads,
    now,
    metrics,
    timeZone,
    previewToken,
    source,
    holdBack,
    webhook,
  } = options;
  app.setValidatorCompiler<TObject>(({ schema }) => parameterReader(schema, timeZone));
  app.setSerializerCompiler(() => JSON.stringify);
  app.register(docsRoutes);
  app.register(healthRoute, { catalog, reads, webhook, now });
  app.register(probeRoutes, { catalog, phase });
  app.register(metricsRoute, { metrics });
  registerContent(app, options);
  if (previewToken !== '') {
    app.register(historyRoutes, { catalog, source, previewToken });
    app.register(checkRoute, { catalog, source, holdBack, previewToken });
    const previews: FastifyPluginCallback = (preview, _, done) => {
      registerPreview(preview, timeZone, now);
      registerContent(preview, options);
      done();
    };
    app.register(previews, { prefix: PREVIEW_PREFIX });
  }
  app.register(robotsRoute, { root: publicUrl === '' ? app.prefix : new URL(publicUrl).pathname });
  app.register(pageRoutes);
  done();
};

/** The routes whose answers depend on what is published. */
function registerContent(app: FastifyInstance, options: RouteOptions): void {
  const { catalog, imagesDir, newsUrl, reads, now } = options;
  app.register(imageRoute, { imagesDir, now });
  app.register((content, _options, done) => {
    requireCatalog(content);
    sendRepresentations(content);
    for (const { register } of options.endpoints) register(content);
    done();
  });
  app.register(overviewRoutes, {
    ...{ reads, now, feeds: newsUrl === '' ? [] : feedPaths },
    problems: snapshot => problemsIn(catalog.status(), snapshot),
  });
}
