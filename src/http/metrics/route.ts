import { Type } from '@sinclair/typebox';
import type { FastifyInstance, FastifyPluginCallback } from 'fastify';
import type { IsHidden } from '../plugins/error-handler.ts';
import type { RouteSchema } from '../response/route-schema.ts';
import type { Metrics } from './metrics.ts';

const schema = {
  operationId: 'getMetrics',
  tags: ['Operation'],
  summary: 'Get metrics for Prometheus',
  description: 'Counters, gauges and histograms in the Prometheus text format.',
  errors: [],
  response: {
    200: {
      description: 'Prometheus text format, version 0.0.4',
      content: { 'text/plain': { schema: Type.String() } },
    },
  },
} satisfies RouteSchema;

/** `GET /metrics`. */
export const metricsRoute: FastifyPluginCallback<{ metrics: Metrics }> = (app, { metrics }, done) => {
  app.get('/metrics', { schema }, async (_request, reply) => {
    reply.header('content-type', metrics.contentType).header('cache-control', 'no-store');
    return metrics.text();
  });
  done();
};

/** Records every response of an instance, and watches the connections of its server. A route that `isHidden` counts as none. */
export function registerMetrics(app: FastifyInstance, metrics: Metrics, isHidden: IsHidden): void {
  metrics.watchConnections(app.server);
  app.addHook('onResponse', (request, reply, done) => {
    const { method, params, routeOptions } = request;
    const observe = metrics.observerOf(method, isHidden(request, params) ? undefined : routeOptions.url);
    observe(reply.statusCode, reply.elapsedTime / 1000);
    done();
  });
  app.addHook('onClose', async () => metrics.close());
}
