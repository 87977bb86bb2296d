import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../errors.ts';
import type { LiveCatalog } from '../../live/live.ts';
import type { CatalogStatus } from '../../live/status.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The snapshot that answers this request, whatever is reloaded meanwhile; always set in routes that `requireCatalog`. */
    snapshot: Snapshot;
  }
}

/** Pins each request to the snapshot that is served when it arrives, and sends the version as `Catalog-Version`. */
export function registerCatalogVersion(app: FastifyInstance, catalog: LiveCatalog): void {
  app.decorateRequest('snapshot');
  app.addHook('onRequest', (request, reply, done) => {
    const snapshot = catalog.snapshot();
    if (snapshot) pinSnapshot(request, reply, snapshot);
    done();
  });
}

export function pinSnapshot(request: FastifyRequest, reply: FastifyReply, snapshot: Snapshot): void {
  request.snapshot = snapshot;
  reply.header('catalog-version', snapshot.version);
}

/** Answers the requests of an instance with 503 until a set is loaded. */
export function requireCatalog(app: FastifyInstance, { status }: LiveCatalog): void {
  app.addHook('onRequest', (request, _reply, done) =>
    done(request.snapshot ? undefined : notReady(status())),
  );
}

/** Says why there is no snapshot yet, and how far loading has come. */
export function whyNotReady({ loading }: Pick<CatalogStatus, 'loading'>): string {
  if (!loading) return 'no catalogs have been loaded yet';
  return `the catalogs are loading: ${loading.rows.toLocaleString('en')} rows so far (${loading.percent} %)`;
}

export function notReady(status: Pick<CatalogStatus, 'loading'>): ApiError {
  return new ApiError('NOT_READY', { state: whyNotReady(status) });
}
