import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../errors.ts';
import { failure } from './envelope.ts';

/** How soon a client may try again where the service is not ready yet. */
const RETRY_AFTER_SECONDS = 1;

/** Makes every way out of an instance that is no success an envelope (SPEC 2.1). */
export function registerExits(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => done(refusal(app, request)));
  app.setNotFoundHandler((_request, reply) => sendError(reply, new ApiError('ROUTE_NOT_FOUND')));
  app.setErrorHandler<FastifyError | ApiError>((error, request, reply) =>
    sendError(reply, toApiError(error, request)),
  );
}

/** Before any body is read, so that a body that cannot be parsed does not hide a wrong method or path. */
function refusal(app: FastifyInstance, request: FastifyRequest): ApiError | undefined {
  if (!request.is404) return isWhole(request.params) ? undefined : new ApiError('ROUTE_NOT_FOUND');
  const route = app.findRoute({ method: 'GET', url: request.url });
  return new ApiError(route && isWhole(route.params) ? 'METHOD_NOT_ALLOWED' : 'ROUTE_NOT_FOUND');
}

/** Fastify's router finds `/news/:id` for `/news/` too, with an empty id. */
function isWhole(params: unknown): boolean {
  return !Object.values(params ?? {}).includes('');
}

/** What Fastify itself refuses is the client's fault where it says so; anything else is ours, and only the log tells it. */
export function toApiError(error: FastifyError | ApiError, request: FastifyRequest): ApiError {
  if (error instanceof ApiError) return error;
  if (error.statusCode !== undefined && error.statusCode < 500)
    return new ApiError('BAD_REQUEST', { problem: error.message });
  request.log.error({ err: error }, 'a request failed');
  return new ApiError('INTERNAL_ERROR', { request: request.id });
}

/** Answers with an error's envelope and status; no cache keeps it. */
export function sendError(reply: FastifyReply, error: ApiError): void {
  reply.code(error.status).header('cache-control', 'no-store');
  if (error.code === 'METHOD_NOT_ALLOWED') reply.header('allow', 'GET, HEAD');
  if (error.status === 503) reply.header('retry-after', RETRY_AFTER_SECONDS);
  reply.type('application/json; charset=utf-8').send(JSON.stringify(failure(error)));
}
