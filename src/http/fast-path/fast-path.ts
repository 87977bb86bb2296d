import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Compression } from '../../answer/compression.ts';
import { matches } from '../../answer/conditional.ts';
import type { Settings } from '../../settings/settings.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import type { RequestMetrics } from '../metrics/metrics.ts';
import { API_PREFIX } from '../plugins/headers.ts';
import { headerOf, violation } from '../server/request-checks.ts';
import { type Answered, cachingAnswers } from './answer-cache.ts';
import type { PreparedResponse, ResponseBytes } from './prepared-response.ts';
import { openRouteFinder } from './route-finder.ts';
import { openSharedLines, type SharedLinesOptions } from './shared-lines.ts';

/** What the fast path needs from the service. */
interface FastPathOptions
  extends SharedLinesOptions,
    Pick<Settings, 'basePath' | 'timeZone' | 'rateLimit' | 'logRequests'> {
  served(): Snapshot | undefined;
  /** Whether a connection is one too many. */
  isExcess(socket: Socket): boolean;
  metrics: RequestMetrics;
  /** Undefined if no answer is compressed. */
  compression: Compression | undefined;
}

/**
 * Answers plain GETs of the API without Fastify, whose routing, requests, replies and hooks cost as much as all the rest.
 * It calls the same handlers and sends the same bytes. Everything else goes to Fastify: errors, other methods, connections
 * that the client closes, and all requests while the app closes. Must be registered before the routes; without it, the
 * service sends the same responses.
 */
export function registerFastPath(app: FastifyInstance, options: FastPathOptions): void {
  const { basePath, timeZone, rateLimit, logRequests, served, isExcess, metrics, compression } = options;
  if (rateLimit > 0 || logRequests) return;
  const finder = openRouteFinder(timeZone);
  const answerTo = cachingAnswers(finder.find, compression);
  const sharedLines = openSharedLines(options);
  const { routing } = app;
  let isOpen = true;

  app.addHook('onRoute', route => {
    if (route.method === 'GET' && route.url.startsWith(`${basePath}${API_PREFIX}/`))
      finder.add(route, metrics.observerOf('GET', route.url));
  });
  app.addHook('preClose', async () => {
    isOpen = false;
  });

  const isPlain = (request: IncomingMessage, { shouldKeepAlive }: ServerResponse) =>
    isOpen &&
    request.method === 'GET' &&
    shouldKeepAlive &&
    headerOf(request.rawHeaders, 'expect') === undefined && // An early answer to it ends the connection.
    !violation(request) &&
    !isExcess(request.socket);
  const answerOf = (url: string, snapshot: Snapshot): Answered | undefined => {
    try {
      return answerTo(url, snapshot);
    } catch {
      return undefined; // Fastify meets the same error and sends it.
    }
  };

  app.routing = (request, response) => {
    const begin = performance.now();
    const snapshot = served();
    const answered =
      snapshot && isPlain(request, response) ? answerOf(request.url ?? '', snapshot) : undefined;
    if (!answered || !snapshot) return routing(request, response);
    const { route, response: prepared } = answered;
    const finish = (made: PreparedResponse | undefined) => {
      if (!made) return routing(request, response);
      const { rawHeaders } = request;
      const lines = sharedLines(snapshot, rawHeaders);
      const isKnown = made.tag !== undefined && matches(headerOf(rawHeaders, 'if-none-match'), made.tag);
      const coding = compression?.codingFor(headerOf(rawHeaders, 'accept-encoding'));
      send(request, response, isKnown ? made.notModified(lines) : made.ok(lines, coding));
      route.observe(isKnown ? 304 : 200, (performance.now() - begin) / 1000);
    };
    if (prepared instanceof Promise) prepared.then(finish, () => routing(request, response));
    else finish(prepared);
  };
}

/**
 * Writes a whole response at once; a ServerResponse takes several writes, and up to a quarter more CPU time. When the system
 * has taken it, the event `finish` has node:http end the request as after any other response.
 */
function send({ socket }: IncomingMessage, response: ServerResponse, bytes: ResponseBytes): void {
  const isTaken = (error?: Error | null) => error ?? response.emit('finish');
  if (typeof bytes === 'string' || Buffer.isBuffer(bytes)) {
    socket.write(bytes, 'latin1', isTaken);
    return;
  }
  const [head, ...content] = bytes;
  const last = content.pop() ?? '';
  socket.cork(); // All are written by one call of the system.
  socket.write(head, 'latin1');
  for (const piece of content) socket.write(piece);
  socket.write(last, isTaken);
  socket.uncork();
}
