import type { Server } from 'node:http';
import { promisify } from 'node:util';
import * as Type from '@sinclair/typebox/type';
import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry, register } from 'prom-client';
import type { CatalogName } from '../contract/columns.ts';
import type { ErrorCode } from '../errors.ts';
import type { CatalogStatus } from '../live/status.ts';
import { packageVersion } from '../package-version.ts';
import { publishedNews } from '../query/news.ts';
import { pricesAt } from '../query/prices.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { RouteSchema } from './endpoint.ts';
import { catalogReasons, type HealthSources } from './endpoints/health.ts';
import type { IsHidden } from './plugins/error-handler.ts';

export type Metrics = ReturnType<typeof openMetrics>;

/** In seconds. Most responses take less than the first bucket; those that wait for Redis take up to 0.25 s. */
const buckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

/** The errors of requests that cannot be parsed. */
const brokenErrors: readonly ErrorCode[] = [
  ...(['BAD_REQUEST', 'METHOD_NOT_ALLOWED', 'REQUEST_TIMEOUT', 'URI_TOO_LONG'] as const),
  ...(['HEADERS_TOO_LARGE', 'VERSION_NOT_SUPPORTED'] as const),
];

/** The caller reports requests; all else is read at each scrape. Methods, routes and statuses bound the number of series. */
export function openMetrics(sources: HealthSources) {
  const registry = new Registry();
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
  // A series that begins at 1 would hide its first increase.
  for (const error of brokenErrors) broken.inc({ error }, 0);
  for (const [name, metric] of Object.entries(metricsOf(sources))) addMetric(registry, name, metric);
  return {
    contentType: registry.contentType,
    text(): Promise<string> {
      // The usual metrics of a process, shared by its services. They are measured from the first scrape on.
      if (register.getMetricsAsArray().length === 0) collectDefaultMetrics();
      return Registry.merge([registry, register]).metrics();
    },
    /** Records a response of a route such as `/api/news/:id`, or of none. */
    observe(method: string, route: string | undefined, status_code: number, seconds: number): void {
      durations.observe({ method, route: route ?? 'none', status_code }, seconds);
    },
    /** Records a request that could not be parsed. */
    countBroken: (error: ErrorCode) => broken.inc({ error }),
    watchConnections(server: Server): void {
      const count = promisify(server.getConnections.bind(server));
      addMetric(registry, 'http_open_connections', ['Open connections, idle ones included', count]);
    },
  };
}

/** Records the responses and connections of an instance. A route that `isHidden` counts as none. */
export function registerMetrics(app: FastifyInstance, metrics: Metrics, isHidden: IsHidden): void {
  metrics.watchConnections(app.server);
  app.addHook('onResponse', (request, reply, done) => {
    const { method, routeOptions } = request;
    const route = isHidden(request) ? undefined : routeOptions.url;
    metrics.observe(method, route, reply.statusCode, reply.elapsedTime / 1000);
    done();
  });
}

const schema = {
  operationId: 'getMetrics',
  tags: ['Operation'],
  summary: 'Get metrics for Prometheus',
  description: 'Counters, gauges and histograms in the Prometheus text format.',
  response: {
    200: {
      description: 'Prometheus text format, version 0.0.4',
      content: { 'text/plain': { schema: Type.String() } },
    },
  },
} satisfies RouteSchema;

/** `GET /metrics`. */
export function metricsRoute(app: FastifyInstance, metrics: Metrics): void {
  app.get('/metrics', { schema }, async (_request, reply) => {
    reply.header('content-type', metrics.contentType).header('cache-control', 'no-store');
    return metrics.text();
  });
}

/** The value of a metric, or its values by label. */
type Samples = number | Record<string, number>;
/** A metric that is read at each scrape. */
type Metric = [help: string, read: () => Samples | Promise<Samples>, label?: string];

function metricsOf({ catalog, reads, webhook, now }: HealthSources): Record<string, Metric> {
  return {
    vitrine_catalog_info: [
      'Always 1; the label is the version of the served catalogs',
      () => only(catalog.snapshot()?.version),
      'version',
    ],
    vitrine_catalog_rows: [
      'Rows that visitors see now: no hidden rows, only published news items and prices in force',
      () => rowCounts(catalog.snapshot(), now()),
      'catalog',
    ],
    vitrine_catalog_last_reload_successful: [
      '1 if the last reload succeeded or found nothing new, otherwise 0',
      () => Number(isSuccess(catalog.status())),
    ],
    vitrine_catalog_last_reload_success_timestamp_seconds: [
      'Unix time of the last successful reload; 0 before the first',
      () => lastSuccess(catalog.status()),
    ],
    vitrine_catalog_last_reload_duration_seconds: [
      'Seconds from seeing the last change to serving or refusing it',
      () => catalog.status().lastSeconds,
    ],
    vitrine_reads_total: ['News reads counted since the start', () => reads.health().counted],
    vitrine_reads_unsaved: ['Reads that are not saved yet', () => reads.health().unsaved],
    vitrine_reads_last_flush_timestamp_seconds: [
      'Unix time at which all reads were last saved; 0 before the first time',
      () => reads.health().lastFlush ?? 0,
    ],
    vitrine_degraded: [
      '1 if this part of the service is degraded, otherwise 0; /health has the reasons',
      () => ({
        catalogs: Number(catalogReasons(catalog.status(), now()).length > 0),
        reads: Number(reads.health().reasons.length > 0),
        ...(webhook && { webhook: Number(webhook.health().reasons.length > 0) }),
      }),
      'part',
    ],
    ...(webhook && {
      vitrine_webhooks_delivered_total: [
        'Webhooks delivered since the start',
        () => webhook.health().delivered,
      ],
      vitrine_webhooks_waiting: [
        'Receivers that have not accepted the last message yet',
        () => webhook.health().waiting,
      ],
    }),
    vitrine_build_info: [
      'Always 1; the label is the version of Vitrine',
      () => only(packageVersion()),
      'version',
    ],
  };
}

/** Returns 1 for the only value of a label, nothing for an undefined one. */
function only(value: string | undefined): Samples {
  return value === undefined ? {} : { [value]: 1 };
}

function rowCounts(snapshot: Snapshot | undefined, now: number): Partial<Record<CatalogName, number>> {
  if (!snapshot) return {};
  const { products, configurations, durations, newsTypes } = snapshot;
  return {
    products: products.size,
    configurations: configurations.size,
    durations: durations?.size ?? 0,
    prices: pricesAt(snapshot, now).count,
    news_types: newsTypes.size,
    news: publishedNews(snapshot, now).all.length,
  };
}

function isSuccess({ attempt }: CatalogStatus): boolean {
  return attempt?.outcome === 'loaded' || attempt?.outcome === 'unchanged';
}

function lastSuccess(status: CatalogStatus): number {
  const { served, attempt } = status;
  return Math.floor((isSuccess(status) ? attempt?.time : served?.since) ?? 0);
}

/** Adds a metric: a counter if the name ends with `_total`, otherwise a gauge. */
function addMetric(registry: Registry, name: string, [help, read, label = '']: Metric): void {
  const Metric = name.endsWith('_total') ? Counter : Gauge;
  new Metric({
    name,
    help,
    labelNames: label === '' ? [] : [label],
    registers: [registry],
    async collect() {
      const samples = await read();
      this.reset();
      if (typeof samples === 'number') this.inc(samples);
      else for (const [value, sample] of Object.entries(samples)) this.inc({ [label]: value }, sample);
    },
  });
}
