import type { FastifyInstance } from 'fastify';
import type { Snapshot } from '../catalog/snapshot.ts';
import { ApiError } from '../errors.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The set that this request is answered from, whatever is loaded meanwhile; for routes that `requireCatalog`. */
    snapshot: Snapshot;
  }
}

/** Pins each request to the set that is served when it comes, and names that set in the answer's `Catalog-Version`. */
export function registerCatalogVersion(app: FastifyInstance, served: () => Snapshot | undefined): void {
  app.decorateRequest('snapshot');
  app.addHook('onRequest', (request, reply, done) => {
    const snapshot = served();
    if (snapshot) {
      request.snapshot = snapshot;
      reply.header('catalog-version', snapshot.version);
    }
    done();
  });
}

/** Refuses the requests of an instance while there is no set to answer from. */
export function requireCatalog(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) =>
    done(request.snapshot ? undefined : new ApiError('NOT_READY')),
  );
}
