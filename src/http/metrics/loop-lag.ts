import { createHistogram, type Histogram } from 'node:perf_hooks';
import { Gauge, type Registry } from 'prom-client';

const INTERVAL_MS = 10;

/** The published statistics, in nanoseconds. */
const statistics = {
  mean: ({ mean }) => mean,
  max: ({ max }) => max,
  p50: histogram => histogram.percentile(50),
  p99: histogram => histogram.percentile(99),
} as const satisfies Record<string, (histogram: Histogram) => number>;

/** The lag of the event loop: how late its timers are. */
interface LoopLag {
  /** Publishes the lag since the last call. The first call starts the measurement. */
  update(): void;
  close(): void;
}

/** Opens a timer of its own: Node's `monitorEventLoopDelay` keeps a handle open until it is garbage-collected. */
export function openLoopLag(registry: Registry): LoopLag {
  const histogram = createHistogram();
  const gauges = Object.entries(statistics).map(([name, read]) => ({
    read,
    gauge: new Gauge({
      name: `nodejs_eventloop_lag_${name}_seconds`,
      help: `Lag of the event loop since the last scrape: ${name}`,
      registers: [registry],
    }),
  }));
  let timer: NodeJS.Timeout | undefined;
  let due = 0;

  const measure = () => {
    const now = performance.now();
    histogram.record(Math.max(1, Math.round((now - due) * 1e6)));
    due = now + INTERVAL_MS;
  };
  const start = () => {
    due = performance.now() + INTERVAL_MS;
    return setInterval(measure, INTERVAL_MS).unref();
  };
  return {
    update() {
      for (const { gauge, read } of histogram.count > 0 ? gauges : []) gauge.set(read(histogram) / 1e9);
      histogram.reset();
      timer ??= start();
    },
    close: () => clearInterval(timer),
  };
}
