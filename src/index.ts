import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
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

/**
 * Loads the catalogs and builds the service as a Fastify app of its own, which is yours to `listen()` and `close()`, and
 * to add hooks to: they see every request.
 * @throws UsageError over a wrong option, CatalogError over a set with errors.
 */
export async function createVitrine(options: VitrineOptions = {}): Promise<FastifyInstance> {
  const settings = settingsFrom(options);
  const log = pino({ level: settings.logLevel });
  return buildApp(await openParts(settings, log), settings, log, { isExtended: true });
}

/** The service as a plugin of your Fastify app: `app.register(vitrine, { prefix: '/shop', catalogDir: 'catalog' })`. */
export const vitrine: FastifyPluginAsync<VitrineOptions> = async (app, options) => {
  const settings = settingsFrom(options);
  registerService(app, await openParts(settings, app.log), { ...settings, drainMs: 0 }, () => undefined);
};
