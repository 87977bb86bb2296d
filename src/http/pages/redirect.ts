import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import { originForm } from '../plugins/request-path.ts';

/** Whether the path of a request ends with a slash. */
export function isDirectory(request: FastifyRequest): boolean {
  return pathOf(request).endsWith('/');
}

/**
 * Redirects to the same address with a trailing slash, which the relative links of a page need. The target is relative,
 * so that it works behind a proxy that strips a prefix.
 */
export function redirectToDirectory(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const [name = ''] = pathOf(request).split('/').slice(-1);
  return redirectTo(reply, `./${name}/`);
}

/** Redirects to a target relative to the address of the request. */
export function redirectTo(reply: FastifyReply, target: string): FastifyReply {
  return reply.header('cache-control', 'no-cache').redirect(target, 308);
}

function pathOf({ originalUrl }: FastifyRequest): string {
  return originForm(originalUrl).replace(/[?#].*/, '');
}

/** Adds a GET route unless the embedding application already has one at this address. */
export function getUnlessTaken(app: FastifyInstance, address: string, handler: RouteHandlerMethod): void {
  if (!app.hasRoute({ method: 'GET', url: app.prefix + address })) app.get(address, handler);
}
