import type { Server } from 'node:http';
import { promisify } from 'node:util';
import { Type } from '@sinclair/typebox';
import type { FastifyInstance, FastifyPluginCallback } from 'fastify';
import { Counter, Histogram, Registry } from 'prom-client';
import type { ErrorCode } from '../../errors.ts';
import { packageVersion } from '../../package-version.ts';
import type { IsHidden } from '../plugins/error-handler.ts';
import type { RouteSchema } from '../plugins/representations.ts';
import { addMetric, addProcessMetrics, addServiceMetrics, type MetricSources } from './service-metrics.ts';

/** The metrics of one service; others beside it have their own. */
export interface Metrics extends RequestMetrics {
  /** All metrics in the text format of Prometheus. */
  text(): Promise<string>;
  contentType: string;
  /** Adds the number of open connections of a server. */
  watchConnections(server: Server): void;
  close(): void;
}

/** Opens the metrics of a service. Requests are those that the caller reports; the rest is read for every scrape. */
export function openMetrics(sources: MetricSources): Metrics {
  const registry = new Registry();
  const requests = openRequestMetrics(registry);
  addServiceMetrics(registry, sources);
  const lag = addProcessMetrics(registry);
  const build = { [packageVersion()]: 1 };
  addMetric(
    registry,
    'vitrine_build_info',
    'Always 1; the label is the version of Vitrine',
    () => build,
    'version',
  );
  return {
    ...requests,
    contentType: registry.contentType,
    async text() {
      const text = await registry.metrics();
      lag.reset();
      lag.enable(); // From the first scrape on, since its timer fires again and again.
      return text;
    },
    watchConnections(server) {
      const count = promisify(server.getConnections.bind(server));
      addMetric(registry, 'http_open_connections', 'Open connections, idle ones included', count);
    },
    close: () => lag.disable(),
  };
}

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

/** Records a response: its HTTP status, and the time that it took, in seconds. */
export type Observe = (status: number, seconds: number) => void;

/** Records requests and responses. */
export interface RequestMetrics {
  /** The recorder for a method and a route such as `/api/news/:id`; undefined stands for no route. */
  observerOf(method: string, route: string | undefined): Observe;
  /** Records bytes on a connection that are not a valid request. */
  countBroken(error: ErrorCode): void;
}

/** In seconds: most responses take less than the first; those that wait for Redis take up to a quarter of a second. */
const buckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

/** Opens the request metrics. Their series are bounded by methods, routes and statuses, whatever clients send. */
function openRequestMetrics(registry: Registry): RequestMetrics {
  const registers = [registry];
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from receiving a request to passing its response to the system, by route and status',
    labelNames: ['method', 'route', 'status_code'],
    buckets,
    registers,
  });
  const broken = new Counter({
    name: 'http_broken_requests_total',
    help: 'Malformed requests that reached no route, by the error of their response',
    labelNames: ['error'],
    registers,
  });
  const observers = new Map<string, Observe>();

  const openObserver = (method: string, route: string): Observe => {
    const series = new Map<number, (seconds: number) => void>();
    return (status, seconds) => {
      let observe = series.get(status);
      if (!observe) {
        ({ observe } = durations.labels({ method, route, status_code: status }));
        series.set(status, observe);
      }
      observe(seconds);
    };
  };
  return {
    observerOf(method, route = 'none') {
      const key = `${method} ${route}`;
      const known = observers.get(key);
      if (known) return known;
      const observer = openObserver(method, route);
      observers.set(key, observer);
      return observer;
    },
    countBroken: error => broken.inc({ error }),
  };
}
