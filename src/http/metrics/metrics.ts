import { Gauge, Registry } from 'prom-client';
import { packageVersion } from '../../package-version.ts';
import { openLoopLag } from './loop-lag.ts';
import { registerProcessMetrics } from './process-metrics.ts';
import { openRequestMetrics, type RequestMetrics } from './requests.ts';
import { type Measured, registerStateMetrics } from './state.ts';

/** The metrics of one service, apart from those of others that run beside it. */
export interface Metrics extends RequestMetrics {
  /** All of them in the text format of Prometheus. */
  text(): Promise<string>;
  contentType: string;
  close(): void;
}

export function openMetrics(measured: Measured): Metrics {
  const registry = new Registry();
  const requests = openRequestMetrics(registry);
  registerStateMetrics(registry, measured);
  registerProcessMetrics(registry);
  const lag = openLoopLag(registry);
  new Gauge({
    name: 'vitrine_build_info',
    help: 'Always 1, with the version of the program',
    labelNames: ['version'],
    registers: [registry],
    collect() {
      this.set({ version: packageVersion() }, 1);
    },
  });
  return {
    ...requests,
    contentType: registry.contentType,
    text() {
      lag.update();
      return registry.metrics();
    },
    close: lag.close,
  };
}
