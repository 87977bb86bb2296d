/** The errors that clients get. `{name}` stands for a value. A message says what is wrong, then what to do. */
export const errors = {
  INVALID_PARAMETER: { status: 400, message: '{parameter} {problem}' },
  BAD_REQUEST: { status: 400, message: 'malformed request: {problem}' },
  PRODUCT_NOT_FOUND: { status: 404, message: 'product {id} not found' },
  CONFIGURATION_NOT_FOUND: { status: 404, message: 'configuration {id} not found' },
  DURATION_NOT_FOUND: { status: 404, message: 'duration {id} not found' },
  PRICE_NOT_FOUND: { status: 404, message: 'no price for this product, configuration and duration' },
  NEWS_NOT_FOUND: { status: 404, message: 'news item {id} not found' },
  IMAGE_NOT_FOUND: { status: 404, message: 'image not found' },
  NOTHING_HELD: { status: 404, message: 'no change of the catalogs is held back' },
  VERSION_NOT_FOUND: { status: 404, message: 'version {version} {problem}' },
  ROUTE_NOT_FOUND: { status: 404, message: 'path not found' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'method not allowed; use {methods}' },
  REQUEST_TIMEOUT: { status: 408, message: 'the request did not arrive in time; send it again' },
  VERSION_DAMAGED: { status: 409, message: 'version {version} {problem}' },
  NOT_HELD: { status: 409, message: 'version {version} is not held back, but {held} is' },
  STILL_PINNED: {
    status: 409,
    message: '{file} still pins {what}, for every service of these catalogs: delete that file',
  },
  PRECONDITION_FAILED: {
    status: 412,
    message: 'the image may have changed; request it without a precondition',
  },
  FORM_TOO_LARGE: {
    status: 413,
    message: 'the files have more than {limit} MB together; send fewer of them',
  },
  URI_TOO_LONG: { status: 414, message: 'URL too long; URL and headers are limited to {limit} bytes' },
  RANGE_NOT_SATISFIABLE: { status: 416, message: 'the image has no bytes in this range' },
  EXPECTATION_FAILED: { status: 417, message: 'unsupported Expect header; only 100-continue is supported' },
  TOO_MANY_REQUESTS: {
    status: 429,
    message: 'more than {limit} requests per minute; try again in {seconds} s',
  },
  HEADERS_TOO_LARGE: {
    status: 431,
    message: 'headers too large; URL and headers are limited to {limit} bytes',
  },
  INTERNAL_ERROR: { status: 500, message: 'internal error; see request {request} in the log' },
  HISTORY_UNAVAILABLE: {
    status: 500,
    message: 'the history in the state directory cannot be used: {reason}',
  },
  NOT_READY: { status: 503, message: '{state}; try again soon' },
  IMAGES_UNAVAILABLE: { status: 503, message: 'images cannot be read; try again soon' },
  CHECK_BUSY: { status: 503, message: '{what}; try again soon' },
  OVERLOADED: { status: 503, message: 'too many open connections; try again soon' },
  STOPPING: { status: 503, message: 'the service is stopping; try again soon' },
  VERSION_NOT_SUPPORTED: { status: 505, message: 'unsupported HTTP version; use HTTP/1.1 or HTTP/1.0' },
} as const satisfies Record<string, { status: number; message: string }>;

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
