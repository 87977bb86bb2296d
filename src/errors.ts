/**
 * Every error that a client can be told, once: its stable code, its HTTP status and its sentence, in which `{name}`
 * stands for a value.
 */
export const errors = {
  INVALID_PARAMETER: { status: 400, message: '{parameter} {problem}' },
  BAD_REQUEST: { status: 400, message: 'the request is malformed: {problem}' },
  PRODUCT_NOT_FOUND: { status: 404, message: 'product_id {id} does not exist' },
  CONFIGURATION_NOT_FOUND: { status: 404, message: 'recommend_config_id {id} does not exist' },
  DURATION_NOT_FOUND: { status: 404, message: 'duration_id {id} does not exist' },
  PRICE_NOT_FOUND: {
    status: 404,
    message: 'there is no price for this combination of product_id, recommend_config_id and duration_id',
  },
  NEWS_NOT_FOUND: { status: 404, message: 'id {id}: there is no such news' },
  IMAGE_NOT_FOUND: { status: 404, message: 'there is no such image' },
  ROUTE_NOT_FOUND: { status: 404, message: 'there is nothing at this path' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'this path answers GET and HEAD only' },
  REQUEST_TIMEOUT: { status: 408, message: 'the request took too long to come; send it again' },
  PRECONDITION_FAILED: { status: 412, message: 'the image is not the one that the request is about' },
  URI_TOO_LONG: {
    status: 414,
    message: 'the address is too long: with the headers it may have {limit} bytes',
  },
  RANGE_NOT_SATISFIABLE: { status: 416, message: 'the image has no bytes in this range' },
  EXPECTATION_FAILED: { status: 417, message: 'Expect can be 100-continue only' },
  TOO_MANY_REQUESTS: {
    status: 429,
    message: 'more than {limit} requests in a minute; try again in {seconds} s',
  },
  HEADERS_TOO_LARGE: {
    status: 431,
    message: 'the headers are too large: with the address they may have {limit} bytes',
  },
  INTERNAL_ERROR: {
    status: 500,
    message: 'something went wrong here; the log tells more about request {request}',
  },
  NOT_READY: { status: 503, message: 'no catalogs have been loaded yet; try again soon' },
  OVERLOADED: { status: 503, message: 'too many connections are open; try again soon' },
  STOPPING: { status: 503, message: 'the service is stopping; try again soon' },
  VERSION_NOT_SUPPORTED: { status: 505, message: 'HTTP/1.1 and HTTP/1.0 are spoken here' },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof errors;

/** What is wrong with one parameter. */
export interface ErrorDetail {
  parameter: string;
  message: string;
}

/** An error on its way to a client. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: ErrorDetail[];

  /** `values` fill the `{name}`s of the code's sentence. */
  constructor(code: ErrorCode, values: Record<string, string | number> = {}, details: ErrorDetail[] = []) {
    super(errors[code].message.replace(/\{(\w+)\}/g, (_, name) => String(values[name])));
    this.code = code;
    this.status = errors[code].status;
    this.details = details;
  }
}

/** The answer to what is no proper request. */
export function malformed(problem: string): ApiError {
  return new ApiError('BAD_REQUEST', { problem });
}
