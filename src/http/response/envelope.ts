import type { ApiError } from '../../errors.ts';

/** A successful answer with its data (SPEC 2.1). */
export function success<Data>(data: Data) {
  return { success: true, code: 200, message: 'query succeeded', data } as const;
}

/** The answer that tells an error; its code is the HTTP status. */
export function failure({ code, status, message, details }: ApiError) {
  return { success: false, code: status, message, data: { error: code, details } } as const;
}

/** What every answer with a body is. */
export const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * Headers of every response. Browsers take it for what its content type says (`nosniff`), and let it load, run, send or
 * embed nothing. They do not pass its address on, and pages of other origins cannot embed it; CORS decides whether they
 * can `fetch` it.
 */
export const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
} as const;

/** How soon a client may try again where the service cannot answer for the moment. */
const RETRY_AFTER_SECONDS = 1;

/** What goes with the answer that tells an error; no cache keeps it. */
export function errorHeaders(error: ApiError): Record<string, string> {
  return {
    'content-type': JSON_TYPE,
    'cache-control': 'no-store',
    ...(error.status === 405 && { allow: 'GET, HEAD' }),
    ...(error.code === 'OVERLOADED' && { connection: 'close' }),
    ...(error.status === 503 && { 'retry-after': String(RETRY_AFTER_SECONDS) }),
  };
}
