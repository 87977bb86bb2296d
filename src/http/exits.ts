import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, malformed } from '../errors.ts';
import { errorHeaders, failure } from './envelope.ts';

/** Why a request is not even to be routed; undefined for those that are. */
export type Refusal = (request: FastifyRequest) => ApiError | undefined;

/** Has requests refused, before any body is read. */
export function registerRefusals(app: FastifyInstance, refuse: Refusal): void {
  app.addHook('onRequest', (request, _reply, done) => done(refuse(request)));
}

/**
 * Makes every way out of an instance that is no success an envelope (SPEC 2.1). Wrong methods and paths are refused
 * before any body is read, so that a body that cannot be parsed does not hide them.
 */
export function registerExits(app: FastifyInstance): void {
  registerRefusals(app, request => misroute(app, request));
  app.setNotFoundHandler((_request, reply) => sendError(reply, new ApiError('ROUTE_NOT_FOUND')));
  app.setErrorHandler<FastifyError | ApiError>((error, request, reply) =>
    sendError(reply, toApiError(error, request)),
  );
}

function misroute(app: FastifyInstance, request: FastifyRequest): ApiError | undefined {
  if (!isDecodable(request.url)) return badEscape();
  if (!request.is404) return isWhole(request.params) ? undefined : new ApiError('ROUTE_NOT_FOUND');
  if (request.url === '*') return new ApiError('METHOD_NOT_ALLOWED');
  const route = app.findRoute({ method: 'GET', url: request.url });
  return new ApiError(route && isWhole(route.params) ? 'METHOD_NOT_ALLOWED' : 'ROUTE_NOT_FOUND');
}

/** Fastify's query parser leaves escapes as they are that it cannot decode. */
export function isDecodable(url: string): boolean {
  if (!url.includes('%')) return true;
  try {
    decodeURIComponent(url);
    return true;
  } catch {
    return false;
  }
}

/** The answer to a path that Fastify cannot decode, for which it has no request yet. */
export function sendBadAddress(reply: FastifyReply): void {
  sendError(reply.header('connection', 'close'), badEscape());
}

function badEscape(): ApiError {
  return malformed('a % in the address begins no escape of UTF-8 text; a percent sign itself is %25');
}

/** Fastify's router finds `/news/:id` for `/news/` too, with an empty id. */
function isWhole(params: unknown): boolean {
  return !Object.values(params ?? {}).includes('');
}

/** What Fastify itself refuses is the client's fault where it says so; anything else is ours, and only the log tells it. */
function toApiError(error: FastifyError | ApiError, request: FastifyRequest): ApiError {
  if (error instanceof ApiError) return error;
  if (error.statusCode !== undefined && error.statusCode < 500)
    return new ApiError('BAD_REQUEST', { problem: error.message });
  request.log.error({ err: error }, 'a request failed');
  return new ApiError('INTERNAL_ERROR', { request: request.id });
}

/** Answers with an error's envelope, status and headers. */
function sendError(reply: FastifyReply, error: ApiError): void {
  reply
    .code(error.status)
    .headers(errorHeaders(error))
    .send(JSON.stringify(failure(error)));
}
