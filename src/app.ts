import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { ApiError } from './errors.ts';
import { logsRequests, withFastPath } from './http/fast-path.ts';
import { registerMetrics } from './http/metrics.ts';
import { hiddenWithoutToken, logWrongTokens } from './http/plugins/access.ts';
import { registerCatalogVersion } from './http/plugins/catalog-version.ts';
import { isProbe, proxyMatcher, registerRateLimit } from './http/plugins/clients.ts';
import {
  type RequestCheck,
  registerErrorHandler,
  registerRequestCheck,
  sendBadAddress,
} from './http/plugins/error-handler.ts';
import { addHeaders, registerHeaders, registerPreflights } from './http/plugins/headers.ts';
import { openParts, type Parts, routes } from './http/routes.ts';
import { registerDrain } from './http/server/drain.ts';
import { isExcess, MAX_HEAD_BYTES, violation } from './http/server/guards.ts';
import { createHttpServer } from './http/server/server.ts';
import type { Services } from './services.ts';
import type { Settings } from './settings/settings.ts';

/** How long clients may take to receive the last responses after the drain, in milliseconds. */
const LEAVE_MS = 3_000;

/** Fastify's compilers are slow to load, and only routes that a host adds need them. Our routes have their own. */
const noCompilers = { buildValidator: missing, buildSerializer: missing };

function missing(): never {
  throw new Error('a route with a schema has no compiler');
}

interface BuildOptions {
  /** Whether a host may add hooks and routes. Hooks must see every request, so no request takes the fast path. */
  isExtended?: boolean;
  /** Ends the drain early when the app is closed. */
  endDrain?: AbortSignal | undefined;
}

/** Builds the whole service as a Fastify app that does not listen yet. Closing it closes the services. */
export function buildApp(
  services: Services,
  settings: Settings,
  log: FastifyBaseLogger,
  { isExtended = false, endDrain }: BuildOptions = {},
): FastifyInstance {
  const parts = openParts(services, settings);
  const closing = new AbortController();
  const app: FastifyInstance = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: !logsRequests(settings) }),
    trustProxy: settings.trustProxy.length > 0 && proxyMatcher(settings.trustProxy),
    return503OnClosing: false,
    routerOptions: { maxParamLength: MAX_HEAD_BYTES },
    serverFactory: routing => {
      const listener = isExtended ? routing : withFastPath(routing, parts, closing.signal);
      return createHttpServer(listener, settings, parts.metrics.countBroken);
    },
    ...(!isExtended && { schemaController: { compilersFactory: noCompilers } }),
    clientErrorHandler: () => {}, // `createHttpServer` has its own.
    frameworkErrors: (_error, request, reply) => {
      addHeaders(request, reply, settings, settings.basePath);
      sendBadAddress(request, reply);
    },
  });
  app.addHook('preClose', async () => {
    closing.abort();
    const close = () => app.server.closeAllConnections();
    let deadline = setTimeout(close, settings.drainMs + LEAVE_MS).unref();
    endDrain?.addEventListener('abort', () => {
      clearTimeout(deadline);
      deadline = setTimeout(close, LEAVE_MS).unref();
    });
    app.server.once('close', () => clearTimeout(deadline));
  });
  app.addHook('onClose', () => services.close());
  const overload: RequestCheck = request =>
    isExcess(request.socket) && !isProbe(request) ? new ApiError('OVERLOADED') : undefined;
  const check: RequestCheck = request => violation(request.raw) ?? overload(request);
  void registerService(app, parts, check, endDrain);
  return app;
}

/** Adds the service to an app. `check` may refuse requests. The caller closes it. Rejects if the host refuses a route. */
export function registerService(
  app: FastifyInstance,
  parts: Parts,
  check?: RequestCheck,
  endDrain?: AbortSignal,
): PromiseLike<unknown> {
  const { services, settings, metrics } = parts;
  const { catalog, reads } = services;
  const { basePath, corsOrigin, rateLimit, previewToken, drainMs } = settings;
  const mount = (app.prefix + basePath).replace(/\/$/, '');
  const isHidden = hiddenWithoutToken(previewToken, mount);
  registerMetrics(app, metrics, isHidden);
  logWrongTokens(app, previewToken, mount);
  registerHeaders(app, settings, mount);
  registerCatalogVersion(app, catalog);
  if (check) registerRequestCheck(app, check);
  const phase = registerDrain(app, drainMs, reads.flush, endDrain);
  if (corsOrigin.length > 0) registerPreflights(app, mount);
  if (rateLimit > 0) registerRateLimit(app, rateLimit);
  registerErrorHandler(app, isHidden);
  return app.register(routes, { ...parts, phase, prefix: basePath });
}
