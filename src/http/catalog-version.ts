import type { FastifyInstance } from 'fastify';
import type { Snapshot } from '../catalog/snapshot.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The set that this request is answered from, whatever is loaded meanwhile. */
    snapshot: Snapshot;
  }
}

/** Pins each request to the set that is served when it comes, and names that set in the answer's `Catalog-Version`. */
export function registerCatalogVersion(app: FastifyInstance, served: () => Snapshot): void {
  app.decorateRequest('snapshot');
  app.addHook('onRequest', (request, reply, done) => {
    request.snapshot = served();
    reply.header('catalog-version', request.snapshot.version);
    done();
  });
}
