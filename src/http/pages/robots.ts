import type { FastifyPluginCallback } from 'fastify';
import { API_PREFIX } from '../plugins/headers.ts';
import { getUnlessTaken } from './redirect.ts';

/** The API, where crawlers would raise read counts, and the endpoints for operators. */
const disallowed = [`${API_PREFIX}/`, '/changes', '/overview', '/health', '/metrics'];

/**
 * `GET /robots.txt` (RFC 9309). Crawlers read it only at the root of a host: from any other mount point, copy its lines
 * there. `root` is the public path of the service.
 */
export const robotsRoute: FastifyPluginCallback<{ root: string }> = (app, { root }, done) => {
  const rules = disallowed.map(path => `Disallow: ${root.replace(/\/$/, '')}${path}\n`).join('');
  getUnlessTaken(app, '/robots.txt', (_request, reply) =>
    reply
      .header('cache-control', 'no-cache')
      .type('text/plain; charset=utf-8')
      .send(`User-agent: *\n${rules}`),
  );
  done();
};
