import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from '../../errors.ts';
import { clientOf } from '../server/client-address.ts';

const MINUTE_MS = 60_000;
/** At least this many recent clients are tracked, and at most twice as many. */
const MAX_RECENT = 50_000;

/** A client's requests in its current minute. */
interface Minute {
  requests: number;
  /** When it ends, in milliseconds of `performance.now()`: the clock may be set back. */
  end: number;
}

/** Limits each client to `max` requests a minute, health probes excepted. */
export function registerRateLimit(app: FastifyInstance, max: number): void {
  let recent = new Map<string, Minute>();
  let older = new Map<string, Minute>();

  const count = (client: string): Minute => {
    const now = performance.now();
    const known = recent.get(client) ?? older.get(client);
    const minute = known && now < known.end ? known : { requests: 0, end: now + MINUTE_MS };
    minute.requests += 1;
    recent.set(client, minute);
    if (recent.size === MAX_RECENT) [older, recent] = [recent, new Map()];
    return minute;
  };

  app.addHook('onRequest', (request, reply, done) => {
    if (isProbe(request)) return done();
    const { requests, end } = count(clientOf(request.ips ?? [request.ip]));
    const seconds = Math.ceil((end - performance.now()) / 1000);
    reply.headers({
      'ratelimit-limit': max,
      'ratelimit-remaining': Math.max(0, max - requests),
      'ratelimit-reset': seconds,
    });
    if (requests <= max) return done();
    reply.header('retry-after', seconds);
    done(new ApiError('TOO_MANY_REQUESTS', { limit: max, seconds }));
  });
}

/** Whether a request is for `/health` or a probe. */
export function isProbe({ routeOptions }: FastifyRequest): boolean {
  return /\/health(\/|$)/.test(routeOptions.url ?? '');
}
