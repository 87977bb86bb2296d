import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { securityHeaders, trustedType } from '../../answer/envelope.ts';
import type { Settings } from '../../settings/settings.ts';

/** Relative to the mount point of the service. */
export const API_PREFIX = '/api';

/** Keeps the API out of search engines. */
export const unindexed = { 'x-robots-tag': 'noindex' } as const;

/** Headers of the API, whose responses browsers do not show as documents. */
export const apiHeaders = { ...trustedType, ...unindexed } as const;

/** Adds the headers that do not depend on the route. `mount` is the mount point of the service. */
export function registerHeaders(app: FastifyInstance, settings: Settings, mount: string): void {
  app.addHook('onRequest', (request, reply, done) => {
    addHeaders(request, reply, settings, mount);
    done();
  });
  // Otherwise Fastify sends a 304 with the length 0, which is wrong (RFC 9110, section 8.6).
  app.addHook('onSend', ({ method }, { statusCode }, payload, done) => {
    const none = method === 'HEAD' ? Readable.from([]) : null; // For HEAD, Fastify measures the payload.
    done(null, statusCode === 304 ? none : payload);
  });
}

/** Adds them to a response that Fastify sends without running hooks. */
export function addHeaders(
  { url, headers }: FastifyRequest,
  reply: FastifyReply,
  settings: Settings,
  mount: string,
): void {
  const shared = sharedPart(url, mount);
  reply.headers(shared === 'api' ? apiHeaders : securityHeaders);
  if (shared !== undefined) reply.headers(corsHeaders(settings, headers.origin));
}

const exposed = { 'access-control-expose-headers': 'ETag, Catalog-Version, Retry-After, Link' };
const anyOrigin = { 'access-control-allow-origin': '*', ...exposed };

/** What pages of other origins may read: API, images and feeds, also in previews; the changes; and the OpenAPI document. */
const SHARED = /^\/(?:(?:preview\/[^/]+\/)?(api|images|feeds)\/|(changes|documentation\/(?:json|yaml))\/?$)/i;

/** Returns the part of the service at a URL that pages of other origins may read; undefined if they may not. */
function sharedPart(url: string, mount: string): string | undefined {
  const path = routedPath(url);
  const rest = path.split('/').slice(mount.split('/').length).join('/');
  const [, folder, file] = (isBelow(path, mount) && SHARED.exec(`/${rest}`)) || [];
  return (folder ?? file)?.toLowerCase();
}

/** Whether a path or pattern of a route is at or below a root. Ignores letter case, since a host's router may do so. */
export function isBelow(path: string, root: string): boolean {
  const parts = path.toLowerCase().split('/');
  return root
    .toLowerCase()
    .split('/')
    .every((part, index) => part.startsWith(':') || part === parts[index]);
}

/** Returns the CORS headers (Fetch standard) for a request from `origin`. */
export function corsHeaders({ corsOrigin: allowed }: Settings, origin: string | undefined) {
  if (allowed === '*') return anyOrigin;
  if (allowed.length === 0) return {};
  const isAllowed = origin !== undefined && allowed.includes(origin);
  return { vary: 'Origin', ...(isAllowed && { 'access-control-allow-origin': origin, ...exposed }) };
}

export function registerPreflights(app: FastifyInstance, mount: string): void {
  app.addHook('onRequest', ({ method, headers, url }, reply, done) => {
    const isPreflight = method === 'OPTIONS' && headers.origin && headers['access-control-request-method'];
    if (!isPreflight || sharedPart(url, mount) === undefined) return done();
    const asked = headers['access-control-request-headers'];
    if (asked) reply.header('access-control-allow-headers', asked);
    reply.headers({ 'access-control-allow-methods': 'GET, HEAD', 'access-control-max-age': '86400' });
    reply.code(204).send();
  });
}

/** Returns a target in origin-form. In absolute-form (RFC 9112, section 3.2.2) it also has a host, which the router ignores. */
export function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const rest = target.replace(/^https?:\/\/[^/?#]*/i, '');
  return rest === target || rest.startsWith('/') ? rest : `/${rest}`;
}

/** Returns the decoded path of a request target in any form, as Fastify's router reads it. */
export function routedPath(target: string): string {
  const [path = ''] = originForm(target).split(/[?#]/, 1);
  return isDecodable(path) ? decodeURI(path) : path;
}

/** Whether all percent escapes are valid. Fastify's query parser would keep invalid ones as they are. */
export function isDecodable(url: string): boolean {
  if (!url.includes('%')) return true;
  try {
    decodeURIComponent(url);
    return true;
  } catch {
    return false;
  }
}
