import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { errorHeaders, failure } from '../../answer/envelope.ts';
import { ApiError, malformed, methodNotAllowed } from '../../errors.ts';
import { isDecodable } from './headers.ts';

/** Returns the error with which a request is refused before its body is read, if it is refused. */
export type RequestCheck = (request: FastifyRequest) => ApiError | undefined;

/** Whether the client of a request must not learn that its path has a route. */
export type IsHidden = (request: FastifyRequest) => boolean;

const METHODS = ['GET', 'HEAD', 'POST'] as const;

export function registerRequestCheck(app: FastifyInstance, check: RequestCheck): void {
  app.addHook('onRequest', (request, _reply, done) => done(check(request)));
}

/**
 * Sends every error of an instance in the envelope (SPEC 2.1). Wrong methods and paths are refused before the body is read,
 * so that a malformed body does not hide them. A route that `isHidden` is a wrong path for every method.
 */
export function registerErrorHandler(app: FastifyInstance, isHidden: IsHidden): void {
  registerRequestCheck(app, request => misroute(app, request, isHidden));
  app.setNotFoundHandler((_request, reply) => sendError(reply, new ApiError('ROUTE_NOT_FOUND')));
  app.setErrorHandler<FastifyError | ApiError>((error, request, reply) =>
    sendError(reply, toApiError(error, request)),
  );
}

function misroute(app: FastifyInstance, request: FastifyRequest, isHidden: IsHidden): ApiError | undefined {
  if (!isDecodable(request.url)) return badEscape();
  // RFC 9112, section 3.2.4. Fastify's router treats the asterisk as a slash.
  if (request.url.startsWith('*') && request.raw.method !== 'OPTIONS')
    return malformed('only OPTIONS allows * instead of a path');
  if (isHidden(request)) return new ApiError('ROUTE_NOT_FOUND');
  if (!request.is404) return hasAllParameters(request.params) ? undefined : new ApiError('ROUTE_NOT_FOUND');
  if (request.url === '*') return methodNotAllowed();
  const allowed = METHODS.filter(method => {
    const route = app.findRoute({ method, url: request.url });
    return route && hasAllParameters(route.params);
  });
  return allowed.length > 0 ? methodNotAllowed(allowed) : new ApiError('ROUTE_NOT_FOUND');
}

/** Answers a request whose URL has a malformed escape or host. Fastify cannot route it and runs no hooks. */
export function sendBadAddress({ url }: FastifyRequest, reply: FastifyReply): void {
  const error = isDecodable(url) ? malformed('the URL has no valid host') : badEscape();
  sendError(reply.header('connection', 'close'), error);
}

function badEscape(): ApiError {
  return malformed('the URL has an invalid percent-encoding; write a percent sign as %25');
}

/** Fastify's router matches `/news/` to `/news/:id`, with an empty id. */
function hasAllParameters(params: unknown): boolean {
  return !Object.values(params ?? {}).includes('');
}

/** Fastify's own 4xx errors are the client's fault. Any other error is internal, and its message goes to the log only. */
function toApiError(error: FastifyError | ApiError, request: FastifyRequest): ApiError {
  if (error instanceof ApiError) return error;
  if (error.statusCode !== undefined && error.statusCode < 500)
    return new ApiError('BAD_REQUEST', { problem: error.message });
  request.log.error({ err: error }, 'a request failed');
  return new ApiError('INTERNAL_ERROR', { request: request.id });
}

function sendError(reply: FastifyReply, error: ApiError): void {
  reply.code(error.status).headers(errorHeaders(error));
  reply.send(JSON.stringify(failure(error)));
}
