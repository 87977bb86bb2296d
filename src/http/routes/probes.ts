import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox';
import { Type } from '@sinclair/typebox';
import { success } from '../../answer/envelope.ts';
import { Envelope } from '../../contract/envelope.ts';
import { ApiError } from '../../errors.ts';
import type { LiveCatalog } from '../../live/live.ts';
import { notReady } from '../plugins/catalog-version.ts';
import type { RouteSchema } from '../response/route-schema.ts';
import type { Phase } from '../server/drain.ts';

/** What probes report on. */
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
  summary: 'Check whether the process responds',
  description: 'A liveness probe: 200 as long as the process responds at all.',
  errors: [],
});
const readySchema = probeSchema('ready', {
  operationId: 'isReady',
  tags: ['Operation'],
  summary: 'Check whether the service takes requests',
  description:
    'A readiness probe: 503 before the first catalogs are loaded, and from the moment the service starts to stop.',
  errors: ['NOT_READY'],
});

/**
 * The probes of orchestrators and load balancers: `GET /health/live` is 200 while the process responds, `GET
 * /health/ready` while the service takes requests.
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
