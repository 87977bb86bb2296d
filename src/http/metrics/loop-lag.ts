import { createHistogram, type Histogram } from 'node:perf_hooks';
import { Gauge, type Registry } from 'prom-client';

/** How often the event loop is looked at, in milliseconds. */
const LOOK_MS = 10;

/** What is told of the lags, in nanoseconds. */
const lags = {
  mean: ({ mean }) => mean,
  max: ({ max }) => max,
  p50: histogram => histogram.percentile(50),
  p99: histogram => histogram.percentile(99),
} as const satisfies Record<string, (histogram: Histogram) => number>;

/** Measures how late the event loop is. */
export interface LoopLag {
  /** Tells the lag since the last call; before the first one nothing is measured. */
  update(): void;
  close(): void;
}

/** A timer of its own, since Node's `monitorEventLoopDelay` leaves a handle behind until garbage is collected. */
export function openLoopLag(registry: Registry): LoopLag {
  const histogram = createHistogram();
  const gauges = Object.entries(lags).map(([name, lag]) => ({
    lag,
    gauge: new Gauge({
      name: `nodejs_eventloop_lag_${name}_seconds`,
      help: `How late the event loop was since this was asked before, ${name}`,
      registers: [registry],
    }),
  }));
  let timer: NodeJS.Timeout | undefined;
  let due = 0;

  const look = () => {
    const now = performance.now();
    histogram.record(Math.max(1, Math.round((now - due) * 1e6)));
    due = now + LOOK_MS;
  };
  const start = () => {
    due = performance.now() + LOOK_MS;
    return setInterval(look, LOOK_MS).unref();
  };
  return {
    update() {
      for (const { gauge, lag } of histogram.count > 0 ? gauges : []) gauge.set(lag(histogram) / 1e9);
      histogram.reset();
      timer ??= start();
    },
    close: () => clearInterval(timer),
  };
}
