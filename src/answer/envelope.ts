import type { ApiError } from '../errors.ts';

/** The envelope of a successful response (SPEC 2.1). */
export function success<Data>(data: Data) {
  return { success: true, code: 200, message: 'query succeeded', data } as const;
}

/** The envelope of an error; its `code` is the HTTP status. */
export function failure({ code, status, message, details }: ApiError) {
  return { success: false, code: status, message, data: { error: code, details } } as const;
}

export const JSON_TYPE = 'application/json; charset=utf-8';

/** Keeps browsers from guessing a content type. */
export const trustedType = { 'x-content-type-options': 'nosniff' } as const;

/** For what a browser may show as a document: it can load and run nothing, passes on no referrer, and cannot be embedded. */
export const securityHeaders = {
  ...trustedType,
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
} as const;

export function errorHeaders(error: ApiError): Record<string, string> {
  return {
    'content-type': JSON_TYPE,
    'cache-control': 'no-store',
    ...(error.allowed.length > 0 && { allow: error.allowed.join(', ') }),
    ...(error.code === 'OVERLOADED' && { connection: 'close' }),
    ...(error.status === 503 && { 'retry-after': '1' }),
  };
}
