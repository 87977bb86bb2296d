import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox';
import type { FastifySchema } from 'fastify';
import type { LiveCatalog } from '../catalog/live.ts';
import { jsonReport } from '../catalog/report.ts';
import type { SetReport } from '../catalog/set.ts';
import type { CatalogStatus } from '../catalog/status.ts';
import type { ReadCounter, ReadHealth } from '../reads/counter.ts';
import type { Documented } from './documented.ts';
import { Envelope, success } from './envelope.ts';
import { type Health, HealthSchema } from './health-schema.ts';
import { rfc3339 } from './rfc3339.ts';

const healthSchema = {
  operationId: 'getHealth',
  tags: ['Operation'],
  summary: 'What is served, what became of the last change of the catalogs, and whether reads are saved',
  errors: [],
  response: { 200: Envelope(HealthSchema) },
} satisfies Documented & FastifySchema;

/** What is reported on. */
export interface HealthOptions {
  catalog: LiveCatalog;
  reads: ReadCounter;
}

/** `GET /health`: always 200, since the service that answers is alive; `data.status` says whether all is well. */
export const healthRoute: FastifyPluginCallbackTypebox<HealthOptions> = (app, { catalog, reads }, done) => {
  app.get('/health', { schema: healthSchema }, (_request, reply) => {
    reply.header('cache-control', 'no-store');
    return success(healthOf(catalog.status(), reads.health()));
  });
  done();
};

/** What the status of the catalogs and of counting means to an operator. */
export function healthOf({ served, attempt }: CatalogStatus, reads: ReadHealth): Health {
  const reasons = [...catalogReasons({ served, attempt }), ...reads.reasons];
  return {
    status: reasons.length === 0 ? 'ok' : 'degraded',
    reasons,
    catalogs: served
      ? {
          version: served.snapshot.version,
          loaded: rfc3339(served.since),
          files: jsonReport(served.report).files,
        }
      : null,
    last_attempt: attempt
      ? { outcome: attempt.outcome, time: rfc3339(attempt.time), ...problemsOf(attempt.report) }
      : null,
    reads: {
      store: reads.store,
      unsaved: reads.unsaved,
      last_flush: reads.lastFlush === undefined ? null : rfc3339(reads.lastFlush),
    },
  };
}

/** Why the loading of catalogs is degraded, in a sentence each; none where all is well. */
export function catalogReasons({ served, attempt }: CatalogStatus): string[] {
  if (!served) return ['no catalogs have been loaded yet'];
  return attempt?.outcome === 'failed'
    ? ['the last change of the catalogs was refused, and the set before it is served']
    : [];
}

function problemsOf(report: SetReport) {
  const { errors, warnings, problems } = jsonReport(report);
  return { errors, warnings, problems };
}
