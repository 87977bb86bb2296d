import { readdirSync, readFileSync } from 'node:fs';
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { cpuUsage, memoryUsage, platform, uptime } from 'node:process';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { CatalogName } from '../../contract/columns.ts';
import type { LiveCatalog } from '../../live/live.ts';
import type { CatalogStatus } from '../../live/status.ts';
import { publishedNews } from '../../query/news.ts';
import type { ReadCounter } from '../../reads/counts.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import type { WebhookHealth } from '../../webhook/webhook.ts';
import { catalogReasons } from '../endpoints/health.ts';

/** What the metrics of a service read. */
export interface MetricSources {
  catalog: LiveCatalog;
  reads: ReadCounter;
  webhook?: { health(): WebhookHealth } | undefined;
  /** The time, in Unix seconds. */
  now(): number;
}

/** Adds the metrics of the served catalogs, of reloading them, of counting reads, and of webhooks. */
export function addServiceMetrics(registry: Registry, { catalog, reads, webhook, now }: MetricSources): void {
  const add = addMetric.bind(undefined, registry);
  add(
    'vitrine_catalog_info',
    'Always 1; the label is the version of the served catalogs',
    () => {
      const snapshot = catalog.snapshot();
      return snapshot ? { [snapshot.version]: 1 } : {};
    },
    'version',
  );
  add(
    'vitrine_catalog_rows',
    'Rows that are served, without hidden rows and unpublished news',
    () => rowsOf(catalog.snapshot(), now()),
    'catalog',
  );
  add(
    'vitrine_catalog_last_reload_successful',
    '1 if the last reload succeeded or found nothing new, otherwise 0',
    () => Number(isSuccess(catalog.status())),
  );
  add(
    'vitrine_catalog_last_reload_success_timestamp_seconds',
    'Unix time of the last successful reload; 0 before the first',
    () => lastSuccess(catalog.status()),
  );
  add(
    'vitrine_catalog_last_reload_duration_seconds',
    'Seconds from seeing the last change to serving or refusing it',
    () => catalog.status().lastSeconds,
  );
  add('vitrine_reads_total', 'News reads counted since the start', () => reads.health().counted);
  add('vitrine_reads_unsaved', 'Reads that are not saved yet', () => reads.health().unsaved);
  add(
    'vitrine_reads_last_flush_timestamp_seconds',
    'Unix time at which all reads were last saved; 0 before the first time',
    () => reads.health().lastFlush ?? 0,
  );
  add(
    'vitrine_degraded',
    '1 if this part of the service is degraded, otherwise 0; /health has the reasons',
    () => ({
      catalogs: Number(catalogReasons(catalog.status(), now()).length > 0),
      reads: Number(reads.health().reasons.length > 0),
      ...(webhook && { webhook: Number(webhook.health().reasons.length > 0) }),
    }),
    'part',
  );
  if (!webhook) return;
  add(
    'vitrine_webhooks_delivered_total',
    'Webhooks delivered since the start',
    () => webhook.health().delivered,
  );
  add(
    'vitrine_webhooks_waiting',
    'Receivers that have not taken the last news yet',
    () => webhook.health().waiting,
  );
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

/** How late timers are is measured this often, in milliseconds. */
const LAG_INTERVAL_MS = 10;

/** Of the lag of the event loop, in nanoseconds. */
const lagStatistics = {
  mean: ({ mean }) => mean,
  max: ({ max }) => max,
  p50: lag => lag.percentile(50),
  p99: lag => lag.percentile(99),
} as const satisfies Record<string, (lag: IntervalHistogram) => number>;

/** Adds the metrics of the whole process, under the names that Prometheus clients share. Returns the lag, not enabled yet. */
export function addProcessMetrics(registry: Registry): IntervalHistogram {
  const add = addMetric.bind(undefined, registry);
  const started = Date.now() / 1000 - uptime();
  add('process_cpu_seconds_total', 'User and system CPU time, in seconds', cpuSeconds);
  add('process_resident_memory_bytes', 'Resident memory', memoryUsage.rss);
  add('nodejs_heap_size_total_bytes', 'Size of the V8 heap', () => memoryUsage().heapTotal);
  add('nodejs_heap_size_used_bytes', 'Part of the V8 heap that is in use', () => memoryUsage().heapUsed);
  add('process_start_time_seconds', 'Unix time at which the process started', () => started);
  const lag = monitorEventLoopDelay({ resolution: LAG_INTERVAL_MS });
  for (const [name, read] of Object.entries(lagStatistics))
    add(`nodejs_eventloop_lag_${name}_seconds`, `Lag of the event loop since the last scrape: ${name}`, () =>
      lag.count === 0 ? 0 : Math.max(0, read(lag) / 1e9 - LAG_INTERVAL_MS / 1000),
    );
  if (platform === 'linux') {
    add('process_open_fds', 'Open file descriptors', openDescriptors);
    add('process_max_fds', 'Limit of open file descriptors', maxDescriptors);
  }
  return lag;
}

function cpuSeconds(): number {
  const { user, system } = cpuUsage();
  return (user + system) / 1e6;
}

function openDescriptors(): number {
  // Reading the directory opens one more.
  return readdirSync('/proc/self/fd').length - 1;
}

/** Infinity if there is no limit. */
function maxDescriptors(): number {
  const [, limit] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
  return limit ? Number(limit) : Number.POSITIVE_INFINITY;
}

/** The value of a metric, or a value for each value of its label. */
type Samples = number | Record<string, number>;

/**
 * Adds a metric that is read anew for every scrape. A name that ends with `_total` makes it a counter, any other a
 * gauge.
 */
export function addMetric(
  registry: Registry,
  name: string,
  help: string,
  read: () => Samples | Promise<Samples>,
  label = '',
): void {
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
