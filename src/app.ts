import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { type LiveCatalog, openLiveCatalog } from './catalog/live.ts';
import { ApiError } from './errors.ts';
import { apiEndpoints } from './http/api.ts';
import { registerCatalogVersion } from './http/catalog-version.ts';
import { registerPreflights } from './http/cors.ts';
import { type Refusal, registerExits, registerRefusals, sendBadAddress } from './http/exits.ts';
import { openFastPath } from './http/fast-path.ts';
import { addHeaders, registerHeaders } from './http/headers.ts';
import { MAX_HEAD_BYTES, violation } from './http/message-rules.ts';
import { openConnectionLimit } from './http/overload.ts';
import { isProbe, registerRateLimit } from './http/rate-limit.ts';
import { routes } from './http/routes.ts';
import { createHttpServer } from './http/server.ts';
import { registerStopping } from './http/stopping.ts';
import type { ReadCounter } from './reads/counter.ts';
import { openReads } from './reads/open.ts';
import type { Settings } from './settings.ts';

/** What a service is made of. */
export interface Parts {
  catalog: LiveCatalog;
  reads: ReadCounter;
  /** The time, in Unix seconds. */
  now(): number;
}

/** How long answers may take to reach their clients after the last moment to ask, in milliseconds. */
const LEAVE_MS = 3_000;

/**
 * Loads the catalogs and the read counts, and goes on to take up changed catalogs; what becomes of them is logged.
 * @throws CatalogError where the first set has an error, and an Error where the state directory cannot be used.
 */
export async function openParts(settings: Settings, log: FastifyBaseLogger): Promise<Parts> {
  const reads = await openReads(settings, log);
  try {
    const catalog = await openLiveCatalog(settings, settings, log);
    return { catalog, reads, now: () => Date.now() / 1000 };
  } catch (error) {
    await reads.close();
    throw error;
  }
}

/**
 * The whole service over its parts as an app of its own: complete, and not listening. Where nobody adds hooks to it,
 * plain requests may take the fast path past Fastify and them.
 */
export function buildApp(
  parts: Parts,
  settings: Settings,
  log: FastifyBaseLogger,
  { hasFastPath } = { hasFastPath: true },
): FastifyInstance {
  const connections = openConnectionLimit(settings.maxConnections);
  const endpoints = apiEndpoints(parts);
  const fastPath = openFastPath(endpoints, parts.catalog.snapshot, settings, connections.isExceededBy);
  const app: FastifyInstance = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: settings.trustProxy,
    return503OnClosing: false,
    routerOptions: { maxParamLength: MAX_HEAD_BYTES },
    serverFactory: listener =>
      createHttpServer(hasFastPath ? fastPath.before(listener) : listener, settings, connections),
    clientErrorHandler: () => {}, // The server has its own.
    frameworkErrors: (_error, request, reply) => {
      addHeaders(request, reply, settings.corsOrigin);
      sendBadAddress(reply);
    },
  });
  app.addHook('preClose', async () => {
    fastPath.close();
    setTimeout(() => app.server.closeAllConnections(), settings.drainMs + LEAVE_MS).unref();
  });
  const isTooMany: Refusal = request =>
    connections.isExceededBy(request.socket) && !isProbe(request) ? new ApiError('OVERLOADED') : undefined;
  const refuse: Refusal = request => violation(request.raw) ?? isTooMany(request);
  registerService(app, parts, settings, refuse, endpoints);
  return app;
}

type ServiceSettings = Pick<Settings, 'basePath' | 'corsOrigin' | 'imagesDir' | 'rateLimit' | 'drainMs'>;

/** Puts the service into an instance, together with the closing of its parts; `refuse` may refuse any request. */
export function registerService(
  app: FastifyInstance,
  { catalog, reads, now }: Parts,
  { basePath, corsOrigin, imagesDir, rateLimit, drainMs }: ServiceSettings,
  refuse: Refusal,
  endpoints = apiEndpoints({ reads, now }),
): void {
  app.addHook('onClose', async () => {
    await catalog.close();
    await reads.close();
  });
  registerHeaders(app, corsOrigin);
  registerCatalogVersion(app, catalog.snapshot);
  registerRefusals(app, refuse);
  const phase = registerStopping(app, drainMs, reads.flush);
  if (corsOrigin.length > 0) registerPreflights(app);
  if (rateLimit > 0) registerRateLimit(app, rateLimit);
  registerExits(app);
  app.register(routes, { catalog, phase, imagesDir, reads, endpoints, now, prefix: basePath });
}
