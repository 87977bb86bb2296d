/** The errors that clients get. `{name}` stands for a value. A message says what is wrong, then what to do. */
export const errors = {
  INVALID_PARAMETER: error(400, '{parameter} {problem}'),
  BAD_REQUEST: error(400, 'malformed request: {problem}'),
  PRODUCT_NOT_FOUND: error(404, 'product {id} not found'),
  CONFIGURATION_NOT_FOUND: error(404, 'configuration {id} not found'),
  DURATION_NOT_FOUND: error(404, 'duration {id} not found'),
  PRICE_NOT_FOUND: error(404, 'no price for this product, configuration and duration'),
  NEWS_NOT_FOUND: error(404, 'news item {id} not found'),
  IMAGE_NOT_FOUND: error(404, 'image not found'),
  NOTHING_HELD: error(404, 'no change of the catalogs is held back'),
  VERSION_NOT_FOUND: error(404, 'version {version} {problem}'),
  ROUTE_NOT_FOUND: error(404, 'path not found'),
  METHOD_NOT_ALLOWED: error(405, 'method not allowed; use {methods}'),
  REQUEST_TIMEOUT: error(408, 'the request did not arrive in time; send it again'),
  VERSION_DAMAGED: error(409, 'version {version} {problem}'),
  NOT_HELD: error(409, 'version {version} is not held back, but {held} is'),
  STILL_PINNED: error(409, '{file} still pins {what}, for every service of these catalogs: delete that file'),
  PRECONDITION_FAILED: error(412, 'the image may have changed; request it without a precondition'),
  FORM_TOO_LARGE: error(413, 'the files have more than {limit} MB together; send fewer of them'),
  URI_TOO_LONG: error(414, 'URL too long; URL and headers are limited to {limit} bytes'),
  RANGE_NOT_SATISFIABLE: error(416, 'the image has no bytes in this range'),
  EXPECTATION_FAILED: error(417, 'unsupported Expect header; only 100-continue is supported'),
  TOO_MANY_REQUESTS: error(429, 'more than {limit} requests per minute; try again in {seconds} s'),
  HEADERS_TOO_LARGE: error(431, 'headers too large; URL and headers are limited to {limit} bytes'),
  INTERNAL_ERROR: error(500, 'internal error; see request {request} in the log'),
  HISTORY_UNAVAILABLE: error(500, 'the history in the state directory cannot be used: {reason}'),
  NOT_READY: error(503, '{state}; try again soon'),
  IMAGES_UNAVAILABLE: error(503, 'images cannot be read; try again soon'),
  CHECK_BUSY: error(503, '{what}; try again soon'),
  OVERLOADED: error(503, 'too many open connections; try again soon'),
  STOPPING: error(503, 'the service is stopping; try again soon'),
  VERSION_NOT_SUPPORTED: error(505, 'unsupported HTTP version; use HTTP/1.1 or HTTP/1.0'),
};

function error(status: number, message: string) {
  return { status, message };
}

export type ErrorCode = keyof typeof errors;

export interface ErrorDetail {
  parameter: string;
  message: string;
}

/** An error that becomes the answer to a request, or the output of a command. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: ErrorDetail[];
  /** The methods that the path has, for METHOD_NOT_ALLOWED. */
  readonly allowed: readonly string[];

  /** `values` replace the `{name}`s in the message of the code. */
  constructor(
    code: ErrorCode,
    values: Record<string, string | number> = {},
    details: ErrorDetail[] = [],
    allowed: readonly string[] = [],
  ) {
    super(errors[code].message.replace(/\{(\w+)\}/g, (_, name) => String(values[name])));
    this.code = code;
    this.status = errors[code].status;
    this.details = details;
    this.allowed = allowed;
  }
}

export function malformed(problem: string): ApiError {
  return new ApiError('BAD_REQUEST', { problem });
}

export function methodNotAllowed(allowed: readonly string[] = ['GET', 'HEAD']): ApiError {
  return new ApiError('METHOD_NOT_ALLOWED', { methods: allowed.join(' or ') }, [], allowed);
}
