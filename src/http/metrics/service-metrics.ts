import { Counter, Gauge, type Registry } from 'prom-client';
import type { CatalogName } from '../../contract/columns.ts';
import type { CatalogStatus } from '../../live/status.ts';
import { publishedNews } from '../../query/news.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { catalogReasons, type HealthSources } from '../endpoints/health.ts';

/** Adds the metrics of the served catalogs, of reloading them, of counting reads, and of webhooks. */
export function addServiceMetrics(registry: Registry, { catalog, reads, webhook, now }: HealthSources): void {
  const add = addMetric.bind(undefined, registry);
  const versions = () => {
    const snapshot = catalog.snapshot();
    return snapshot ? { [snapshot.version]: 1 } : {};
  };
  add(
    'vitrine_catalog_info',
    'Always 1; the label is the version of the served catalogs',
    versions,
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
