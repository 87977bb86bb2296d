import { Counter, Histogram, type Registry } from 'prom-client';
import type { ErrorCode } from '../../errors.ts';

/** Records a response: its HTTP status, and the time that it took, in seconds. */
export type Observe = (status: number, seconds: number) => void;

/** Records requests and responses. */
export interface RequestMetrics {
  /** The recorder for a method and a route such as `/api/news/:id`; undefined stands for no route. */
  observerOf(method: string, route: string | undefined): Observe;
  /** Records bytes on a connection that are not a valid request. */
  countBroken(error: ErrorCode): void;
}

/** In seconds: most responses take less than the first; those that wait for Redis take up to a quarter of a second. */
const buckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

/** Opens the request metrics. Their series are bounded by methods, routes and statuses, whatever clients send. */
export function openRequestMetrics(registry: Registry): RequestMetrics {
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
      const key = `${method} ${route}`;
      const known = observers.get(key);
      if (known) return known;
      const observer = openObserver(method, route);
      observers.set(key, observer);
      return observer;
    },
    countBroken: error => broken.inc({ error }),
  };
}
