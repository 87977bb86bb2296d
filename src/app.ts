import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { ApiError } from './errors.ts';
import { apiEndpoints } from './http/api.ts';
import { registerCatalogVersion } from './http/catalog-version.ts';
import { registerPreflights } from './http/cors.ts';
import { type Refusal, registerExits, registerRefusals, sendBadAddress } from './http/exits.ts';
import { openFastPath } from './http/fast-path.ts';
import { addHeaders, registerHeaders } from './http/headers.ts';
import { MAX_HEAD_BYTES, violation } from './http/message-rules.ts';
import { openMetrics } from './http/metrics/metrics.ts';
import { registerMetrics } from './http/metrics/routes.ts';
import { openConnectionLimit } from './http/overload.ts';
import { isProbe, registerRateLimit } from './http/rate-limit.ts';
import { routes } from './http/routes.ts';
import { createHttpServer } from './http/server.ts';
import { registerStopping } from './http/stopping.ts';
import type { Parts } from './parts.ts';
import type { Settings } from './settings.ts';

/** How long answers may take to reach their clients after the last moment to ask, in milliseconds. */
const LEAVE_MS = 3_000;

/** Our routes have their own compilers; Fastify's, which are slow to load, are for those that others add. */
const noCompilers = { buildValidator: missing, buildSerializer: missing };

function missing(): never {
  throw new Error('a route with a schema has no compiler');
}

/**
 * The whole service over its parts as an app of its own: complete, and not listening. Where nobody extends it by hooks
 * and routes, plain requests take the fast path past Fastify, and what Fastify compiles schemas with is not loaded.
 */
export function buildApp(
  parts: Parts,
  settings: Settings,
  log: FastifyBaseLogger,
  { isExtended } = { isExtended: false },
): FastifyInstance {
  const connections = openConnectionLimit(settings.maxConnections);
  const service = openService(parts);
  const { endpoints, metrics } = service;
  const { snapshot } = parts.catalog;
  const fastPath = openFastPath(endpoints, snapshot, settings, connections.isExceededBy, metrics);
  const app: FastifyInstance = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: !settings.logRequests }),
    trustProxy: settings.trustProxy,
    return503OnClosing: false,
    routerOptions: { maxParamLength: MAX_HEAD_BYTES },
    serverFactory: listener =>
      createHttpServer(
        isExtended ? listener : fastPath.before(listener),
        settings,
        connections,
        metrics.countBroken,
      ),
    ...(!isExtended && { schemaController: { compilersFactory: noCompilers } }),
    clientErrorHandler: () => {}, // The server has its own.
    frameworkErrors: (_error, request, reply) => {
      addHeaders(request, reply, settings.corsOrigin);
      sendBadAddress(reply);
    },
  });
  app.addHook('preClose', async () => {
    fastPath.close();
    const close = () => app.server.closeAllConnections();
    const deadline = setTimeout(close, settings.drainMs + LEAVE_MS).unref();
    app.server.once('close', () => clearTimeout(deadline));
  });
  const isTooMany: Refusal = request =>
    connections.isExceededBy(request.socket) && !isProbe(request) ? new ApiError('OVERLOADED') : undefined;
  const refuse: Refusal = request => violation(request.raw) ?? isTooMany(request);
  registerService(app, parts, settings, refuse, service);
  return app;
}

type ServiceSettings = Pick<
  Settings,
  'basePath' | 'newsUrl' | 'corsOrigin' | 'imagesDir' | 'rateLimit' | 'drainMs'
>;

/** What requests are answered by, whichever way they come, and counted by. */
function openService(parts: Parts) {
  return { endpoints: apiEndpoints(parts), metrics: openMetrics(parts) };
}

/** Puts the service into an instance, together with the closing of its parts; `refuse` may refuse any request. */
export function registerService(
  app: FastifyInstance,
  { catalog, reads, now }: Parts,
  { basePath, newsUrl, corsOrigin, imagesDir, rateLimit, drainMs }: ServiceSettings,
  refuse: Refusal,
  { endpoints, metrics } = openService({ catalog, reads, now }),
): void {
  app.addHook('onClose', async () => {
    await catalog.close();
    await reads.close();
  });
  registerMetrics(app, metrics);
  registerHeaders(app, corsOrigin);
  registerCatalogVersion(app, catalog.snapshot);
  registerRefusals(app, refuse);
  const phase = registerStopping(app, drainMs, reads.flush);
  if (corsOrigin.length > 0) registerPreflights(app);
  if (rateLimit > 0) registerRateLimit(app, rateLimit);
  registerExits(app);
  app.register(routes, {
    catalog,
    phase,
    imagesDir,
    newsUrl,
    reads,
    endpoints,
    metrics,
    now,
    prefix: basePath,
  });
}
