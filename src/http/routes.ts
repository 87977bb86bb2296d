import type { TObject } from '@sinclair/typebox';
import type { FastifyInstance, FastifyPluginCallback } from 'fastify';
import type { LiveCatalog } from '../live/live.ts';
import type { Settings } from '../settings/settings.ts';
import type { Endpoint } from './endpoint.ts';
import { newsTypeList, productList } from './endpoints/catalog-lists.ts';
import { changeList } from './endpoints/changes.ts';
import { configurationList } from './endpoints/configurations.ts';
import { type HealthOptions, healthRoute, probeRoutes } from './endpoints/health.ts';
import { newsDetail } from './endpoints/news-detail.ts';
import { type NewsOptions, newsList } from './endpoints/news-list.ts';
import { pageEndpoints, problemsIn } from './endpoints/page.ts';
import { price } from './endpoints/price.ts';
import { type FeedOptions, feedEndpoints, feedPaths } from './feeds/feeds.ts';
import { checkRoute } from './history/check.ts';
import { historyRoutes } from './history/history.ts';
import { imageRoute } from './images/images.ts';
import { type Metrics, metricsRoute } from './metrics/metrics.ts';
import { pageRoutes } from './pages.ts';
import { requireCatalog } from './plugins/catalog-version.ts';
import { parameterReader } from './plugins/parameters.ts';
import { PREVIEW_PREFIX, registerPreview } from './plugins/preview.ts';
import { sendRepresentations } from './plugins/representations.ts';
import type { Phase } from './server/drain.ts';

/** What the endpoints need in addition to the snapshot. */
interface EndpointOptions extends NewsOptions, FeedOptions {}

/**
 * The endpoints: the four of the contract (SPEC 4), the lists beside them, and the feeds. Fastify registers them, the fast path
 * looks into them, and the export asks them.
 */
export function endpoints({ reads, now, newsUrl, ...site }: EndpointOptions): Endpoint[] {
  const feeds = newsUrl === '' ? [] : feedEndpoints({ now, newsUrl, ...site });
  const news = [newsList({ reads, now }), newsDetail({ reads, now })];
  return [...feeds, configurationList, price, ...news, productList, newsTypeList, changeList];
}

/** What the routes answer from. */
interface RouteOptions {
  services: NewsOptions & HealthOptions & { catalog: LiveCatalog };
  settings: Settings;
  endpoints: readonly Endpoint[];
  metrics: Metrics;
  phase(): Phase;
}

/** All routes as a Fastify plugin, to be mounted under any prefix. */
export const routes: FastifyPluginCallback<RouteOptions> = (app, options, done) => {
  const { services, settings, metrics, phase } = options;
  const { catalog, now } = services;
  const { timeZone, previewToken, publicUrl, maxFileMb } = settings;
  app.setValidatorCompiler<TObject>(({ schema }) => parameterReader(schema, timeZone));
  app.setSerializerCompiler(() => JSON.stringify);
  app.register(healthRoute, services);
  app.register(probeRoutes, { catalog, phase });
  app.register(metricsRoute, { metrics });
  registerContent(app, options);
  if (previewToken !== '') {
    app.register(historyRoutes, { catalog, source: settings, previewToken });
    app.register(checkRoute, { catalog, maxFileMb, previewToken });
    const previews: FastifyPluginCallback = (preview, _, done) => {
      registerPreview(preview, timeZone, now);
      registerContent(preview, options);
      done();
    };
    app.register(previews, { prefix: PREVIEW_PREFIX });
  }
  app.register(pageRoutes, { root: publicUrl === '' ? app.prefix : new URL(publicUrl).pathname });
  done();
};

/** The routes whose answers depend on what is published. */
function registerContent(app: FastifyInstance, { services, settings, endpoints }: RouteOptions): void {
  const { catalog, reads, now } = services;
  const { imagesDir, newsUrl } = settings;
  const forPage = pageEndpoints({
    ...{ reads, now, feeds: newsUrl === '' ? [] : feedPaths },
    problems: snapshot => problemsIn(catalog.status(), snapshot),
  });
  app.register(imageRoute, { imagesDir, now });
  app.register((content, _options, done) => {
    requireCatalog(content);
    sendRepresentations(content);
    for (const { register } of [...endpoints, ...forPage]) register(content);
    done();
  });
}
