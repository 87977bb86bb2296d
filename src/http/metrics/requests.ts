import { Counter, Histogram, type Registry } from 'prom-client';
import type { ErrorCode } from '../../errors.ts';

/** Takes note of an answer: its HTTP status, and what it took, in seconds. */
export type Observe = (status: number, seconds: number) => void;

/** Takes note of what is asked and answered. */
export interface RequestMetrics {
  /** Of a method and a route, such as `/api/news/:id`; undefined for what is no route. */
  observerOf(method: string, route: string | undefined): Observe;
  /** Of what came over a connection and was no request. */
  countBroken(error: ErrorCode): void;
}

/** In seconds: most answers take less than the first, those that wait for Redis up to a quarter of a second. */
const buckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

/** There are as many observers as methods and routes, and as many series as these have statuses, whatever clients send. */
export function openRequestMetrics(registry: Registry): RequestMetrics {
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'From when a request is there to when its answer is given to the system, by route and status',
    labelNames: ['method', 'route', 'status_code'],
    buckets,
    registers: [registry],
  });
  const broken = new Counter({
    name: 'http_broken_requests_total',
    help: 'What came over connections and was no request, by the error that it was answered with',
    labelNames: ['error'],
    registers: [registry],
  });
  const observers = new Map<string, Observe>();

  const openObserver = (method: string, route: string): Observe => {
    const series = new Map<number, (seconds: number) => void>();
    return (status, seconds) => {
      let observe = series.get(status);
      if (!observe) {
        ({ observe } = durations.labels({ method, route, status_code: status }));
        series.set(status, observe);
      }
      observe(seconds);
    };
  };
  return {
    observerOf(method, route = 'none') {
      const name = `${method} ${route}`;
      const known = observers.get(name);
      if (known) return known;
      const observer = openObserver(method, route);
      observers.set(name, observer);
      return observer;
    },
    countBroken: error => broken.inc({ error }),
  };
}
