import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Settings } from '../../settings/settings.ts';
import { routedPath } from './request-path.ts';

const exposed = { 'access-control-expose-headers': 'ETag, Catalog-Version, Retry-After, Link' };
const anyOrigin = { 'access-control-allow-origin': '*', ...exposed };

/**
 * The API, images and feeds, also below `/preview/…` whether or not there are previews, what changed, and the OpenAPI
 * document. The rest is for operators and the service's own pages.
 */
const SHARED =
  /^\/((preview\/[^/]+\/)?(api|images|feeds)\/|(changes|documentation\/(json|yaml)|openapi\.json)$)/;

/** Whether pages of other origins may read a path. `mount` is the mount point of the service. */
export function isShared(path: string, mount: string): boolean {
  return path.startsWith(mount) && SHARED.test(path.slice(mount.length));
}

/** The CORS headers (Fetch standard) for a request from `origin`: `*` allows any origin, an empty list none. */
export function corsHeaders(allowed: Settings['corsOrigin'], origin: string | undefined) {
  if (allowed === '*') return anyOrigin;
  if (allowed.length === 0) return {};
  const isAllowed = origin !== undefined && allowed.includes(origin);
  return { vary: 'Origin', ...(isAllowed && { 'access-control-allow-origin': origin, ...exposed }) };
}

/** Answers CORS preflights. */
export function registerPreflights(app: FastifyInstance, mount: string): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (!isPreflight(request) || !isShared(routedPath(request.url), mount)) return done();
    answerPreflight(request, reply);
  });
}

function isPreflight({ method, headers }: FastifyRequest): boolean {
  return method === 'OPTIONS' && Boolean(headers.origin && headers['access-control-request-method']);
}

function answerPreflight({ headers }: FastifyRequest, reply: FastifyReply): void {
  const asked = headers['access-control-request-headers'];
  if (asked) reply.header('access-control-allow-headers', asked);
  reply
    .code(204)
    .header('access-control-allow-methods', 'GET, HEAD')
    .header('access-control-max-age', '86400')
    .send();
}
