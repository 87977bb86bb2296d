import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { ApiError } from '../errors.ts';

const MINUTE_MS = 60_000;

/**
 * Lets each client ask `max` times a minute, whatever it asks for, health probes aside. A client is an IPv4 address or
 * the /64 of an IPv6 address, all of which one customer has.
 */
export function registerRateLimit(app: FastifyInstance, max: number): void {
  let limit: onRequestAsyncHookHandler | undefined;
  // Loaded only where it is wanted.
  app
    .register(import('@fastify/rate-limit'), {
      global: false,
      max,
      timeWindow: MINUTE_MS,
      enableDraftSpec: true,
      allowList: isProbe,
      errorResponseBuilder: (_request, { ttl }) =>
        new ApiError('TOO_MANY_REQUESTS', { limit: max, seconds: Math.ceil(ttl / 1000) }),
    })
    .after(() => {
      limit = app.rateLimit();
    });
  // Takes its place among the hooks at once, so that it comes before those that refuse wrong paths and methods.
  app.addHook('onRequest', async (request, reply) => limit?.call(app, request, reply));
}

/** Whether a request asks for the health of the service. */
export function isProbe({ routeOptions }: FastifyRequest): boolean {
  return /\/health(\/|$)/.test(routeOptions.url ?? '');
}
