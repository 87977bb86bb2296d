import type { FastifyInstance } from 'fastify';

/** Which pages may read the answers: any (`*`), those of the listed origins, or with an empty list no others. */
export type CorsOrigin = '*' | readonly string[];

/** Lets browsers read the answers from pages of other origins, and answers their preflights (the Fetch standard's CORS). */
export function registerCors(app: FastifyInstance, allowed: CorsOrigin): void {
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
