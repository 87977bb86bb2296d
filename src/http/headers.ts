import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Settings } from '../settings.ts';
import { corsHeaders } from './cors.ts';

/**
 * What every answer tells browsers: it is what its content type says (`nosniff`), it may load, run, send and embed
 * nothing, its address is told to nobody, and pages of other origins may not embed it as a script or a picture. Reading
 * it by `fetch` is another thing, which CORS settles.
 */
export const protection = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
} as const;

/** Gives every answer of an instance the headers that do not depend on what is asked. */
export function registerHeaders(app: FastifyInstance, corsOrigin: Settings['corsOrigin']): void {
  app.addHook('onRequest', (request, reply, done) => {
    addHeaders(request, reply, corsOrigin);
    done();
  });
}

/** For answers that Fastify gives without its hooks. */
export function addHeaders(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  corsOrigin: Settings['corsOrigin'],
): void {
  reply.headers(protection).headers(corsHeaders(corsOrigin, headers.origin));
}
