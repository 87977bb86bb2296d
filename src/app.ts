import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { loadCatalog } from './catalog/load.ts';
import { formatProblem } from './catalog/problems.ts';
import { CatalogError } from './catalog/report.ts';
import type { Snapshot } from './catalog/snapshot.ts';
import { api } from './http/api.ts';
import { registerCatalogVersion } from './http/catalog-version.ts';
import { registerCors } from './http/cors.ts';
import { registerExits, sendError, toApiError } from './http/exits.ts';
import type { NewsOptions } from './http/news.ts';
import { openCounter } from './reads/counter.ts';
import { openCountsFile } from './reads/counts-file.ts';
import type { Settings } from './settings.ts';

/** What a running service is made of. */
export interface Parts extends NewsOptions {
  /** The set that is served at the moment. */
  snapshot(): Snapshot;
}

/**
 * Loads the catalogs and the read counts; warnings go to the log.
 * @throws CatalogError where the set has an error, and an Error where the state directory cannot be used.
 */
export async function openParts(settings: Settings, log: FastifyBaseLogger): Promise<Parts> {
  const result = await loadCatalog(settings);
  const { snapshot } = result;
  if (!snapshot) throw new CatalogError(result);
  for (const warning of result.problems) log.warn(formatProblem(warning));
  const reads = await openCounter(
    await openCountsFile(settings.stateDir, log),
    settings.flushIntervalMs,
    log,
  );
  return { snapshot: () => snapshot, reads, now: () => Date.now() / 1000 };
}

/** The whole service over its parts as an app of its own: complete, and not listening. */
export function buildApp(parts: Parts, settings: ServiceSettings, log: FastifyBaseLogger): FastifyInstance {
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
  parts: Parts,
  { basePath, corsOrigin }: ServiceSettings,
): void {
  registerCatalogVersion(app, parts.snapshot);
  registerCors(app, corsOrigin);
  registerExits(app);
  app.register(api, { ...parts, prefix: basePath });
  // Once before the connections are closed, since nothing is sure to come after that, and once when all are answered.
  app.addHook('preClose', () =>
    parts.reads
      .flush()
      .catch(error => app.log.error(`read counts could not be saved, trying once more: ${error}`)),
  );
  app.addHook('onClose', () => parts.reads.close());
}
