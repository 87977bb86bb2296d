// The HTTP side of a service: every route, and what stands before it.
//
// An `endpoint` answers from the snapshot: a schema and a handler that returns a `Representation`. Fastify registers it, the
// fast path answers it without Fastify, and the export asks it as a client would. Other routes are plain Fastify: images,
// metrics, pages, the history. `plugins/` are hooks that every request passes, in the order of `registerService` in app.ts:
// headers, token, parameters, errors. `server/` is what node:http needs below Fastify.
import type { TObject } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';
import { openAnswers } from '../answer/answers.ts';
import type { Settings } from '../settings/settings.ts';
import { openTimeZone } from '../time-zone.ts';
import { checkRoute } from './check.ts';
import { configurationList, newsTypeList, price, productList } from './endpoints/catalogs.ts';
import { changeList } from './endpoints/changes.ts';
import { type HealthSources, healthRoutes } from './endpoints/health.ts';
import { newsDetail, newsList } from './endpoints/news.ts';
import { pageEndpoints } from './endpoints/overview.ts';
import { feedEndpoints, feedPaths } from './feeds.ts';
import { historyRoutes } from './history.ts';
import { imageRoute } from './images.ts';
import { metricsRoute, openMetrics } from './metrics.ts';
import { pageRoutes } from './pages.ts';
import { mayReadCells, PREVIEW_PREFIX, registerPreview } from './plugins/access.ts';
import { requireCatalog } from './plugins/catalog-version.ts';
import { parameterReader } from './plugins/parameters.ts';
import type { Phase } from './server/drain.ts';

/** What Fastify and the fast path need to answer the requests of a service. */
export type Parts = ReturnType<typeof openParts>;

export function openParts(services: HealthSources, settings: Settings) {
  const { catalog, reads } = services;
  const hasFeeds = settings.newsUrl !== '';
  return {
    services,
    settings,
    zone: openTimeZone(settings.timeZone),
    metrics: openMetrics(services),
    answers: openAnswers(settings, services.now),
    /** The feeds, the four endpoints of the contract (SPEC 4), further lists, and those of the page. */
    endpoints: [
      ...(hasFeeds ? feedEndpoints(settings) : []),
      ...[configurationList, price, newsList(reads), newsDetail(reads)],
      ...[productList, newsTypeList, changeList],
      ...pageEndpoints(reads, hasFeeds ? feedPaths : [], catalog.status),
    ],
  };
}

/** Registers all routes, under any prefix. */
export async function routes(app: FastifyInstance, options: Parts & { phase(): Phase }): Promise<void> {
  const { services, settings, zone, metrics, phase } = options;
  const { catalog, now } = services;
  const { previewToken, publicUrl, maxFileMb } = settings;
  app.setValidatorCompiler<TObject>(({ schema }) => parameterReader(schema, zone));
  app.setSerializerCompiler(() => JSON.stringify);
  healthRoutes(app, services, phase, mayReadCells(previewToken));
  metricsRoute(app, metrics);
  app.register(async live => registerContent(live, options));
  if (previewToken !== '') {
    app.register(historyRoutes, { catalog, source: settings });
    app.register(checkRoute, { catalog, maxFileMb });
    const previews = async (preview: FastifyInstance) => {
      registerPreview(preview, catalog, zone, now);
      registerContent(preview, options);
    };
    app.register(previews, { prefix: PREVIEW_PREFIX });
  }
  app.register(pageRoutes, { root: publicUrl === '' ? app.prefix : new URL(publicUrl).pathname });
}

/** Registers the routes that answer from the snapshot. */
function registerContent(app: FastifyInstance, { services, settings, endpoints, answers }: Parts): void {
  requireCatalog(app, services.catalog);
  imageRoute(app, settings.imagesDir, answers);
  for (const { register } of endpoints) register(app, answers);
}
