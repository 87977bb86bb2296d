import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox';
import { Type } from '@sinclair/typebox';
import { ApiError } from '../errors.ts';
import type { Documented } from './documented.ts';
import { Envelope, success } from './envelope.ts';
import type { Phase } from './stopping.ts';

/** What a probe asks about. */
export interface ProbeOptions {
  /** Whether there is a set to answer from. */
  hasCatalog(): boolean;
  phase(): Phase;
}

const probeSchema = <Status extends string>(status: Status, documented: Documented) => ({
  ...documented,
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
  errors: [],
});
const readySchema = probeSchema('ready', {
  operationId: 'isReady',
  tags: ['Operation'],
  summary: 'Whether requests are to be sent to it',
  errors: ['NOT_READY'],
});

/**
 * What orchestrators and balancers ask: `GET /health/live` is 200 while the process answers, `GET /health/ready` while
 * requests should be sent to it.
 */
export const probeRoutes: FastifyPluginCallbackTypebox<ProbeOptions> = (app, { hasCatalog, phase }, done) => {
  app.get('/health/live', { schema: liveSchema }, (_, reply) => {
    reply.header('cache-control', 'no-store');
    return success({ status: 'live' } as const);
  });

  app.get('/health/ready', { schema: readySchema }, (_, reply) => {
    if (phase() !== 'serving') throw new ApiError('STOPPING');
    if (!hasCatalog()) throw new ApiError('NOT_READY');
    reply.header('cache-control', 'no-store');
    return success({ status: 'ready' } as const);
  });
  done();
};
