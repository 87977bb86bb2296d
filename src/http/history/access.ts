import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from '../../errors.ts';
import { reasonOf } from '../../messages.ts';
import { type IsHidden, registerRequestCheck } from '../plugins/error-handler.ts';
import { routedPath } from '../plugins/headers.ts';
import { tokenCheck } from '../plugins/preview.ts';

/** The path of the history, relative to the mount point of the service. */
export const HISTORY_PATH = '/history';
/** The path of checks. */
export const CHECK_PATH = '/check';

/**
 * Whether a request may see the history, and change what is served. Only the header lets it change something: a browser
 * sends the cookie for any page, and pages of other origins cannot send the header, since no preflight allows it.
 */
function accessCheck(previewToken: string): (request: FastifyRequest) => boolean {
  const [hasToken, hasBearer] = [tokenCheck(previewToken), tokenCheck(previewToken, true)];
  return ({ method, headers }) => (method === 'GET' || method === 'HEAD' ? hasToken : hasBearer)(headers);
}

/** Hides the routes of an instance from requests without the token. */
export function requireToken(app: FastifyInstance, previewToken: string): void {
  const mayUse = accessCheck(previewToken);
  registerRequestCheck(app, request => (mayUse(request) ? undefined : new ApiError('ROUTE_NOT_FOUND')));
}

/**
 * Hides the history and checks from clients without the token, so that wrong methods and metrics do not disclose it. An empty token
 * means that there is none. `mount` is the mount point of the service.
 */
export function hiddenHistory(previewToken: string, mount: string): IsHidden {
  if (previewToken === '') return () => false;
  const mayUse = accessCheck(previewToken);
  const roots = [HISTORY_PATH, CHECK_PATH].map(path => mount + path);
  return request => {
    const path = routedPath(request.url);
    return roots.some(root => path === root || path.startsWith(`${root}/`)) && !mayUse(request);
  };
}

/** What a request cannot have from the history, for its client. Any other error goes to the log. */
export function refusalOf(error: unknown, request: FastifyRequest): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof Error && error.name === 'AbortError') return new ApiError('STOPPING');
  request.log.error({ err: error }, 'a request for the history failed');
  return new ApiError('HISTORY_UNAVAILABLE', { reason: reasonOf(error) });
}
