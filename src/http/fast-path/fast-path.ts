import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { memoizePerSnapshot, type Snapshot } from '../../catalog/snapshot/snapshot.ts';
import type { Settings } from '../../settings/settings.ts';
import type { RequestMetrics } from '../metrics/request-metrics.ts';
import { corsHeaders } from '../plugins/cors.ts';
import { API_PREFIX, unindexed } from '../plugins/headers.ts';
import { securityHeaders } from '../response/envelope.ts';
import { encode, type Representation } from '../response/representation.ts';
import { violation } from '../server/request-checks.ts';
import { type Answered, cachingAnswers } from './answer-cache.ts';
import { openRouteFinder } from './route-finder.ts';

/** What the fast path needs from the service. */
export interface FastPathOptions
  extends Pick<Settings, 'basePath' | 'timeZone' | 'corsOrigin' | 'rateLimit' | 'logRequests'> {
  served(): Snapshot | undefined;
  /** Whether a connection is one too many. */
  isExcess(socket: Socket): boolean;
  metrics: Pick<RequestMetrics, 'observerOf'>;
}

/**
 * Answers plain GETs of the API without Fastify, whose routing, requests, replies and hooks cost as much as all the rest.
 * It calls the same handlers and sends the same bytes. Everything else goes to Fastify: errors, other methods, and all
 * requests while the app closes. Must be registered before the routes; without it, the service sends the same responses.
 */
export function registerFastPath(app: FastifyInstance, options: FastPathOptions): void {
  const { basePath, timeZone, corsOrigin, rateLimit, logRequests, served, isExcess, metrics } = options;
  if (rateLimit > 0 || logRequests) return;
  const finder = openRouteFinder(timeZone);
  const answerTo = cachingAnswers(finder.find);
  const { routing } = app;
  let isOpen = true;

  app.addHook('onRoute', route => {
    if (route.method === 'GET' && route.url.startsWith(`${basePath}${API_PREFIX}/`)) finder.add(route);
  });
  app.addHook('preClose', async () => {
    isOpen = false;
  });

  const answerOf = (url: string, snapshot: Snapshot): Answered | undefined => {
    try {
      return answerTo(url, snapshot);
    } catch {
      return undefined; // Fastify meets the same error and sends it.
    }
  };
  const headersTo = (origin: string | undefined) =>
    memoizePerSnapshot(({ version }) => [
      ...flat(securityHeaders),
      ...flat(unindexed),
      ...flat(corsHeaders(corsOrigin, origin)),
      ...['catalog-version', version],
    ]);
  const headersToAny = headersTo(undefined);

  app.routing = (request, response) => {
    const begin = performance.now();
    const snapshot = served();
    const isPlain = isOpen && request.method === 'GET' && !violation(request) && !isExcess(request.socket);
    const answered = isPlain && snapshot ? answerOf(request.url ?? '', snapshot) : undefined;
    if (!answered || !snapshot) return routing(request, response);
    const { route, answer } = answered;
    const finish = (representation: Representation) => {
      if (!isRepresentation(representation)) return routing(request, response);
      const always = corsOrigin === '*' ? headersToAny : headersTo(request.headers.origin);
      const { status, headers, body } = encode(representation, request);
      response.writeHead(status, always(snapshot).concat(headers));
      response.end(body, 'latin1'); // If it is a string.
      metrics.observerOf('GET', route.url)(status, (performance.now() - begin) / 1000);
    };
    if (answer instanceof Promise) answer.then(finish, () => routing(request, response));
    else finish(answer);
  };
}

/** Handlers that return anything else, or use the reply, are Fastify's. */
function isRepresentation(value: unknown): value is Representation {
  return typeof value === 'object' && value !== null && 'body' in value;
}

/** Names and values alternate. */
function flat(headers: Record<string, string>): string[] {
  return Object.entries(headers).flat();
}
