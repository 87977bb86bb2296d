import type { RequestListener } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance, FastifyPluginAsync } from 'fastify';
import { pino } from 'pino';
import { buildApp, registerService } from './app.ts';
import { openParts } from './parts.ts';
import { type Settings, settingsFrom } from './settings.ts';

export type { NewsDetail, NewsListItem, PriceRecord, RecommendedConfiguration } from './catalog/records.ts';
export { CatalogError } from './catalog/report.ts';
export type { ErrorCode, ErrorDetail } from './errors.ts';
export type { Health } from './http/health-schema.ts';
export type { Page, Pagination } from './query/paging.ts';
export { UsageError } from './settings.ts';

/** The settings of the command line, in camelCase; each has its default. */
export type VitrineOptions = Partial<Settings>;

/** A Fastify app that is the service. */
export type Vitrine = FastifyInstance & {
  /** Answers the requests of a server that is not its own: of node:http, or below a path of Express. */
  handler: RequestListener;
};

/**
 * Loads the catalogs and builds the service as a Fastify app of its own, which is yours to `listen()` and `close()`, and
 * to add hooks to: they see every request. It logs to `logger`, or to standard output where there is none.
 * @throws UsageError over a wrong option, CatalogError over a set with errors.
 */
export async function createVitrine({
  logger,
  ...options
}: VitrineOptions & { logger?: FastifyBaseLogger } = {}): Promise<Vitrine> {
  const settings = settingsFrom(options);
  const log = logger ?? pino({ level: settings.logLevel });
  const app = buildApp(await openParts(settings, log), settings, log, { isExtended: true });
  const handler: RequestListener = (request, response) => {
    app.ready().then(
      () => app.routing(request, response),
      error => response.destroy(error),
    );
  };
  return Object.assign(app, { handler });
}

/**
 * The service as a plugin of your Fastify app: `app.register(vitrine, { prefix: '/shop', catalogDir: 'catalog' })`. It
 * logs to the app's logger, and is closed with the app.
 */
export const vitrine: FastifyPluginAsync<VitrineOptions> = async (app, options) => {
  const settings = settingsFrom(options);
  registerService(app, await openParts(settings, app.log), { ...settings, drainMs: 0 }, () => undefined);
};
