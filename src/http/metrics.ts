import type { Server } from 'node:http';
import { promisify } from 'node:util';
import * as Type from '@sinclair/typebox/type';
import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { CatalogName } from '../contract/columns.ts';
import type { ErrorCode } from '../errors.ts';
import type { CatalogStatus } from '../live/status.ts';
import { packageVersion } from '../package-version.ts';
import { publishedNews } from '../query/news.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { RouteSchema } from './endpoint.ts';
import { catalogReasons, type HealthSources } from './endpoints/health.ts';
import type { IsHidden } from './plugins/error-handler.ts';

/** The metrics of one service; others beside it have their own. */
export type Metrics = ReturnType<typeof openMetrics>;

/** In seconds. Most responses take less than the first; those that wait for Redis, up to a quarter of a second. */
const buckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

/** The errors of bytes that are not a valid request. */
const brokenErrors: readonly ErrorCode[] = [
  ...(['BAD_REQUEST', 'METHOD_NOT_ALLOWED', 'REQUEST_TIMEOUT', 'URI_TOO_LONG'] as const),
  ...(['HEADERS_TOO_LARGE', 'VERSION_NOT_SUPPORTED'] as const),
];

/** Those of the process, under the names that Prometheus clients share. They are measured from the first scrape on. */
let ofProcess: Registry | undefined;

/**
 * Opens the metrics of a service. Requests are those that the caller reports; the rest is read for every scrape. The series
 * of requests are bounded by methods, routes and statuses, whatever clients send.
 */
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
  // Otherwise the first increase of a series cannot be seen.
  for (const error of brokenErrors) broken.inc({ error }, 0);
  for (const [name, metric] of Object.entries(metricsOf(sources))) addMetric(registry, name, metric);
  return {
    contentType: registry.contentType,
    /** All metrics in the text format of Prometheus. */
    text(): Promise<string> {
      if (!ofProcess) {
        ofProcess = new Registry();
        collectDefaultMetrics({ register: ofProcess });
      }
      return Registry.merge([registry, ofProcess]).metrics();
    },
    /** Records a response of a route such as `/api/news/:id`, or of none, and how many seconds it took. */
    observe(method: string, route: string | undefined, status_code: number, seconds: number): void {
      durations.observe({ method, route: route ?? 'none', status_code }, seconds);
    },
    /** Records bytes on a connection that are not a valid request. */
    countBroken: (error: ErrorCode) => broken.inc({ error }),
    /** Adds the number of open connections of a server. */
    watchConnections(server: Server): void {
      const count = promisify(server.getConnections.bind(server));
      addMetric(registry, 'http_open_connections', ['Open connections, idle ones included', count]);
    },
  };
}

/** Records every response of an instance, and watches the connections of its server. A route that `isHidden` counts as none. */
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
  errors: [],
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

/** The value of a metric, or a value for each value of its label. */
type Samples = number | Record<string, number>;
/** A metric that is read anew for every scrape: what it says, its value, and its label if it has one. */
type Metric = [help: string, read: () => Samples | Promise<Samples>, label?: string];

/** The metrics of the program, of the served catalogs, of reloading them, of counting reads, and of webhooks. */
function metricsOf({ catalog, reads, webhook, now }: HealthSources): Record<string, Metric> {
  return {
    vitrine_catalog_info: [
      'Always 1; the label is the version of the served catalogs',
      () => only(catalog.snapshot()?.version),
      'version',
    ],
    vitrine_catalog_rows: [
      'Rows that are served, without hidden rows and unpublished news',
      () => rowsOf(catalog.snapshot(), now()),
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
        'Receivers that have not taken the last news yet',
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

/** 1 for the only value of a label; nothing as long as it has none. */
function only(value: string | undefined): Samples {
  return value === undefined ? {} : { [value]: 1 };
}

function rowsOf(snapshot: Snapshot | undefined, now: number): Partial<Record<CatalogName, number>> {
  if (!snapshot) return {};
  const { products, configurations, durations, prices, newsTypes } = snapshot;
  return {
    products: products.size,
    configurations: configurations.size,
    durations: durations?.size ?? 0,
    prices: prices.id.length,
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

/** Adds a metric. A name that ends with `_total` makes it a counter, any other a gauge. */
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
