import { Counter, Gauge, type Registry } from 'prom-client';
import type { LiveCatalog } from '../../catalog/live.ts';
import type { CatalogName } from '../../catalog/schemas.ts';
import type { Snapshot } from '../../catalog/snapshot.ts';
import type { CatalogStatus } from '../../catalog/status.ts';
import { publishedNews } from '../../query/published.ts';
import type { ReadCounter } from '../../reads/counter.ts';
import { catalogReasons } from '../health.ts';

/** What the metrics are about. */
export interface Measured {
  catalog: LiveCatalog;
  reads: ReadCounter;
  /** The time, in Unix seconds. */
  now(): number;
}

/** What is served, and how loading and counting are going. All of it is looked up when it is asked for. */
export function registerStateMetrics(registry: Registry, { catalog, reads, now }: Measured): void {
  const registers = [registry];
  const gauge = (name: string, help: string, value: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(value());
      },
    });

  new Gauge({
    name: 'vitrine_catalog_info',
    help: 'The set of catalogs that is served: always 1, with its version',
    labelNames: ['version'],
    registers,
    collect() {
      this.reset();
      const snapshot = catalog.snapshot();
      if (snapshot) this.set({ version: snapshot.version }, 1);
    },
  });
  new Gauge({
    name: 'vitrine_catalog_rows',
    help: 'Rows that are served, without hidden ones and news that are not yet published',
    labelNames: ['catalog'],
    registers,
    collect() {
      const rows = rowsOf(catalog.snapshot(), now());
      for (const [name, count] of Object.entries(rows)) this.set({ catalog: name }, count);
    },
  });
  gauge(
    'vitrine_catalog_last_reload_successful',
    'Whether the last change of the catalogs could be served, or was no change: 1, otherwise 0',
    () => Number(isSuccess(catalog.status())),
  );
  gauge(
    'vitrine_catalog_last_reload_success_timestamp_seconds',
    'When the catalogs were last found to be good; 0 before the first time',
    () => lastSuccess(catalog.status()),
  );

  new Counter({
    name: 'vitrine_reads_total',
    help: 'Reads of news that were counted since the start',
    registers,
    collect() {
      this.reset();
      this.inc(reads.health().counted);
    },
  });
  gauge('vitrine_reads_unsaved', 'Reads that are not saved yet', () => reads.health().unsaved);
  gauge(
    'vitrine_reads_last_flush_timestamp_seconds',
    'When all reads were saved last; 0 before the first time',
    () => reads.health().lastFlush ?? 0,
  );
  new Gauge({
    name: 'vitrine_degraded',
    help: 'Whether loading the catalogs or counting the reads is in trouble: 1, otherwise 0; /health has the reasons',
    labelNames: ['part'],
    registers,
    collect() {
      this.set({ part: 'catalogs' }, Number(catalogReasons(catalog.status()).length > 0));
      this.set({ part: 'reads' }, Number(reads.health().reasons.length > 0));
    },
  });
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
  return (isSuccess(status) ? attempt?.time : served?.since) ?? 0;
}
