import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { Gauge, type Registry } from 'prom-client';

/** How often the event loop is looked at, in milliseconds. What is measured is the time between two looks. */
const RESOLUTION_MS = 10;

/** What is told of the delays, in nanoseconds. */
const lags = {
  mean: ({ mean }) => mean,
  max: ({ max }) => max,
  p50: histogram => histogram.percentile(50),
  p99: histogram => histogram.percentile(99),
} as const satisfies Record<string, (histogram: IntervalHistogram) => number>;

/** Measures how late the event loop is. */
export interface LoopLag {
  /** Tells the lag since the last call; before the first one nothing is measured, since that costs a timer. */
  update(): void;
  close(): void;
}

export function openLoopLag(registry: Registry): LoopLag {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  const gauges = Object.entries(lags).map(([name, lag]) => ({
    lag,
    gauge: new Gauge({
      name: `nodejs_eventloop_lag_${name}_seconds`,
      help: `How late the event loop was since this was asked before, ${name}`,
      registers: [registry],
    }),
  }));
  return {
    update() {
      for (const { gauge, lag } of histogram.count > 0 ? gauges : []) {
        gauge.set(Math.max(0, lag(histogram) / 1e9 - RESOLUTION_MS / 1e3));
      }
      histogram.enable();
      histogram.reset();
    },
    close: () => void histogram.disable(),
  };
}
