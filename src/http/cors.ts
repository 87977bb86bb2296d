import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Settings } from '../settings.ts';

const exposed = { 'access-control-expose-headers': 'ETag, Catalog-Version, Retry-After' };
const anyOrigin = { 'access-control-allow-origin': '*', ...exposed };

/**
 * The headers that let browsers read an answer from pages of other origins (the Fetch standard's CORS): from any with
 * `*`, from those of a list, from none where it is empty.
 */
export function corsHeaders(allowed: Settings['corsOrigin'], origin: string | undefined) {
  if (allowed === '*') return anyOrigin;
  if (allowed.length === 0) return {};
  const isAllowed = origin !== undefined && allowed.includes(origin);
  return { vary: 'Origin', ...(isAllowed && { 'access-control-allow-origin': origin, ...exposed }) };
}

/** Answers the preflights in which browsers ask whether a page may send a request. */
export function registerPreflights(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (!isPreflight(request)) return done();
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
