import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { ApiError } from '../../errors.ts';
import { clientOf } from '../server/client-address.ts';

const MINUTE_MS = 60_000;
/** At most so many recent clients are tracked. */
const MAX_CLIENTS = 100_000;

/** A client's requests in its current minute, and its end in milliseconds of `performance.now()`: the clock may be set back. */
type Minute = { requests: number; end: number };

/** Limits each client to `max` requests a minute, health probes excepted. */
export function registerRateLimit(app: FastifyInstance, max: number): void {
  const minutes = new LRUCache<string, Minute>({ max: MAX_CLIENTS });

  app.addHook('onRequest', (request, reply, done) => {
    if (isProbe(request)) return done();
    const now = performance.now();
    const client = clientOf(request.ips ?? [request.ip]);
    const known = minutes.get(client);
    const minute = known && now < known.end ? known : { requests: 0, end: now + MINUTE_MS };
    minute.requests += 1;
    minutes.set(client, minute);
    const seconds = Math.ceil((minute.end - now) / 1000);
    reply.headers({
      'ratelimit-limit': max,
      'ratelimit-remaining': Math.max(0, max - minute.requests),
      'ratelimit-reset': seconds,
    });
    if (minute.requests <= max) return done();
    reply.header('retry-after', seconds);
    done(new ApiError('TOO_MANY_REQUESTS', { limit: max, seconds }));
  });
}

/** Whether a request is for `/health` or a probe. */
export function isProbe({ routeOptions }: FastifyRequest): boolean {
  return /\/health(\/|$)/.test(routeOptions.url ?? '');
}
