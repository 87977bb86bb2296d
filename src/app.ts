import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { openLiveCatalog } from './catalog/live.ts';
import { registerCatalogVersion } from './http/catalog-version.ts';
import { registerCors } from './http/cors.ts';
import { registerExits, sendError, toApiError } from './http/exits.ts';
import { type RouteOptions, routes } from './http/routes.ts';
import { openCounter } from './reads/counter.ts';
import { openCountsFile } from './reads/counts-file.ts';
import type { Settings } from './settings.ts';

/**
 * Loads the catalogs and the read counts, and goes on to take up changed catalogs; what becomes of them is logged.
 * @throws CatalogError where the first set has an error, and an Error where the state directory cannot be used.
 */
export async function openParts(settings: Settings, log: FastifyBaseLogger): Promise<RouteOptions> {
  const catalog = await openLiveCatalog(settings, settings, log);
  try {
    const counts = await openCountsFile(settings.stateDir, log);
    const reads = await openCounter(counts, settings.flushIntervalMs, log);
    return { catalog, reads, now: () => Date.now() / 1000 };
  } catch (error) {
    await catalog.close();
    throw error;
  }
}

/** The whole service over its parts as an app of its own: complete, and not listening. */
export function buildApp(
  parts: RouteOptions,
  settings: ServiceSettings,
  log: FastifyBaseLogger,
): FastifyInstance {
  const app: FastifyInstance = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    frameworkErrors: (error, request, reply) => sendError(reply, toApiError(error, request)),
  });
  registerService(app, parts, settings);
  return app;
}

type ServiceSettings = Pick<Settings, 'basePath' | 'corsOrigin'>;

/** Puts the service into an instance, together with the closing of its parts. */
export function registerService(
  app: FastifyInstance,
  parts: RouteOptions,
  { basePath, corsOrigin }: ServiceSettings,
): void {
  registerCatalogVersion(app, parts.catalog.snapshot);
  registerCors(app, corsOrigin);
  registerExits(app);
  app.register(routes, { ...parts, prefix: basePath });
  // Once before the connections are closed, since nothing is sure to come after that, and once when all are answered.
  app.addHook('preClose', () =>
    parts.reads
      .flush()
      .catch(error => app.log.error(`read counts could not be saved, trying once more: ${error}`)),
  );
  app.addHook('onClose', async () => {
    await parts.catalog.close();
    await parts.reads.close();
  });
}
