import type { Server } from 'node:http';
import { promisify } from 'node:util';
import { Registry } from 'prom-client';
import { packageVersion } from '../../package-version.ts';
import { addMetric } from './add-metric.ts';
import { openLoopLag } from './loop-lag.ts';
import { addProcessMetrics } from './process-metrics.ts';
import { openRequestMetrics, type RequestMetrics } from './request-metrics.ts';
import { addServiceMetrics, type MetricSources } from './service-metrics.ts';

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
  addProcessMetrics(registry);
  const lag = openLoopLag(registry);
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
    text() {
      lag.update();
      return registry.metrics();
    },
    watchConnections(server) {
      const count = promisify(server.getConnections.bind(server));
      addMetric(registry, 'http_open_connections', 'Open connections, idle ones included', count);
    },
    close: lag.close,
  };
}
