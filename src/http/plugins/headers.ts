import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { securityHeaders, trustedType } from '../../answer/envelope.ts';
import type { Settings } from '../../settings/settings.ts';
import { corsHeaders, isShared } from './cors.ts';
import { routedPath } from './request-path.ts';

/** The path of the API, relative to the mount point of the service. */
export const API_PREFIX = '/api';

/** Keeps the API out of search engines. */
export const unindexed = { 'x-robots-tag': 'noindex' } as const;

/** The API, also below `/preview/…` whether or not there are previews. */
const API = new RegExp(`^(/preview/[^/]+)?${API_PREFIX}/`);

/** Headers of the API, whose responses no browser shows as a document. */
export const apiHeaders = { ...trustedType, ...unindexed } as const;

/** Adds the headers that do not depend on the route. `mount` is the mount point of the service. */
export function registerHeaders(
  app: FastifyInstance,
  corsOrigin: Settings['corsOrigin'],
  mount: string,
): void {
  app.addHook('onRequest', (request, reply, done) => {
    addHeaders(request, reply, corsOrigin, mount);
    done();
  });
  // Otherwise Fastify gives a 304 the length 0, which is not that of the body (RFC 9110, section 8.6).
  app.addHook('onSend', ({ method }, { statusCode }, payload, done) => {
    const none = method === 'HEAD' ? Readable.from([]) : null; // For HEAD, Fastify looks into the payload.
    done(null, statusCode === 304 ? none : payload);
  });
}

/** For responses that Fastify sends without running hooks. */
export function addHeaders(
  { url, headers }: FastifyRequest,
  reply: FastifyReply,
  corsOrigin: Settings['corsOrigin'],
  mount: string,
): void {
  const path = routedPath(url);
  const isApi = path.startsWith(mount) && API.test(path.slice(mount.length));
  reply.headers(isApi ? apiHeaders : securityHeaders);
  if (isShared(path, mount)) reply.headers(corsHeaders(corsOrigin, headers.origin));
}
