import type { FastifyInstance } from 'fastify';
import type { Settings } from '../settings.ts';

/**
 * Lets browsers read the answers from pages of other origins (the Fetch standard's CORS), and answers their preflights:
 * from any with `*`, from those of a list, from none where it is empty.
 */
export function registerCors(app: FastifyInstance, allowed: Settings['corsOrigin']): void {
  if (allowed.length === 0) return;
  app.addHook('onRequest', (request, reply, done) => {
    const { origin } = request.headers;
    if (allowed === '*') reply.header('access-control-allow-origin', '*');
    else reply.header('vary', 'Origin');
    if (allowed !== '*' && origin !== undefined && allowed.includes(origin)) {
      reply.header('access-control-allow-origin', origin);
    }
    reply.header('access-control-expose-headers', 'Catalog-Version, ETag');
    if (request.method !== 'OPTIONS' || !request.headers['access-control-request-method']) return done();
    const headers = request.headers['access-control-request-headers'];
    if (headers) reply.header('access-control-allow-headers', headers);
    reply
      .code(204)
      .header('access-control-allow-methods', 'GET, HEAD')
      .header('access-control-max-age', '86400')
      .send();
  });
}
