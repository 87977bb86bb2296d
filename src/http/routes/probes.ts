import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox';
import { Type } from '@sinclair/typebox';
import type { LiveCatalog } from '../../catalog/live.ts';
import { Envelope } from '../../contract/envelope.ts';
import { ApiError } from '../../errors.ts';
import { notReady } from '../plugins/catalog-version.ts';
import { success } from '../response/envelope.ts';
import type { RouteSchema } from '../response/route-schema.ts';
import type { Phase } from '../server/drain.ts';

/** What a probe asks about. */
export interface ProbeOptions {
  catalog: Pick<LiveCatalog, 'snapshot' | 'status'>;
  phase(): Phase;
}

const probeSchema = <Status extends string>(status: Status, docs: RouteSchema) => ({
  ...docs,
  response: {
    200: Envelope(
      Type.Object(
        { status: Type.Literal(status, { description: 'always this' }) },
        { additionalProperties: false, description: 'what it is' },
      ),
    ),
  },
});
const liveSchema = probeSchema('live', {
  operationId: 'isLive',
  tags: ['Operation'],
  summary: 'Whether the process answers',
  description: 'A liveness probe: 200 as long as the process answers at all.',
  errors: [],
});
const readySchema = probeSchema('ready', {
  operationId: 'isReady',
  tags: ['Operation'],
  summary: 'Whether requests are to be sent to it',
  description:
    'A readiness probe: 503 before the first catalogs are loaded, and from the moment the service starts to stop.',
  errors: ['NOT_READY'],
});

/**
 * What orchestrators and balancers ask: `GET /health/live` is 200 while the process answers, `GET /health/ready` while
 * requests should be sent to it.
 */
export const probeRoutes: FastifyPluginCallbackTypebox<ProbeOptions> = (app, { catalog, phase }, done) => {
  app.get('/health/live', { schema: liveSchema }, (_, reply) => {
    reply.header('cache-control', 'no-store');
    return success({ status: 'live' } as const);
  });

  app.get('/health/ready', { schema: readySchema }, (_, reply) => {
    if (phase() !== 'serving') throw new ApiError('STOPPING');
    if (!catalog.snapshot()) throw notReady(catalog.status());
    reply.header('cache-control', 'no-store');
    return success({ status: 'ready' } as const);
  });
  done();
};
