import { Type } from '@sinclair/typebox';
import type { FastifyInstance, FastifyPluginCallback, FastifySchema } from 'fastify';
import type { Documented } from '../documented.ts';
import type { Metrics } from './metrics.ts';

const schema = {
  operationId: 'getMetrics',
  tags: ['Operation'],
  summary: 'Metrics for Prometheus',
  errors: [],
  response: {
    200: {
      description: 'the text format of Prometheus, version 0.0.4',
      content: { 'text/plain': { schema: Type.String() } },
    },
  },
} satisfies Documented & FastifySchema;

/** `GET /metrics`. */
export const metricsRoute: FastifyPluginCallback<{ metrics: Metrics }> = (app, { metrics }, done) => {
  app.get('/metrics', { schema }, async (_request, reply) => {
    reply.header('content-type', metrics.contentType).header('cache-control', 'no-store');
    return metrics.text();
  });
  done();
};

/** Has the answers of an instance counted, and their time taken. */
export function registerMetrics(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onResponse', (request, reply, done) => {
    const observe = metrics.observerOf(request.method, request.routeOptions.url);
    observe(reply.statusCode, reply.elapsedTime / 1000);
    done();
  });
  app.addHook('onClose', async () => metrics.close());
}
