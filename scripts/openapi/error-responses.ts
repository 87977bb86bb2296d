import { failure } from '../../src/answer/envelope.ts';
import { ApiError, type ErrorCode, errors } from '../../src/errors.ts';
import { reference } from './components.ts';

/** The errors that any request can get. */
const common = [
  'BAD_REQUEST',
  'REQUEST_TIMEOUT',
  'URI_TOO_LONG',
  'EXPECTATION_FAILED',
  'TOO_MANY_REQUESTS',
  'HEADERS_TOO_LARGE',
  'INTERNAL_ERROR',
  'OVERLOADED',
  'STOPPING',
  'VERSION_NOT_SUPPORTED',
] as const satisfies ErrorCode[];

/** The values of `{name}`s in example messages. */
const values = {
  parameter: 'limit',
  problem: 'must be a whole number from 1 to 100',
  id: 999,
  limit: 16_384,
  seconds: 30,
  state: 'the catalogs are loading: 40,000 rows so far (60 %)',
  request: 'req-17',
};
const ownValues: Partial<Record<ErrorCode, Partial<typeof values>>> = {
  BAD_REQUEST: { problem: 'there are two Host headers' },
  TOO_MANY_REQUESTS: { limit: 600 },
};

/** An OpenAPI response object for an HTTP status, with an example of each of its error codes. */
interface ErrorResponse {
  description: string;
  content: { 'application/json': { schema: object; examples: Record<string, { value: object }> } };
}

/**
 * The error responses of a route, its own and the common ones, by HTTP status. Each is named after its error codes, so
 * that routes with the same errors share it.
 */
export function errorResponses(
  own: readonly ErrorCode[],
): { status: number; name: string; response: ErrorResponse }[] {
  const codes = [...own, ...common];
  const statuses = [...new Set(codes.map(code => errors[code].status))];
  return statuses.map(status => {
    const alike = codes.filter(code => errors[code].status === status);
    return { status, name: alike.map(pascalCase).join('Or'), response: errorResponse(alike) };
  });
}

function errorResponse(codes: readonly ErrorCode[]): ErrorResponse {
  return {
    description: codes.map(code => `\`${code}\`: ${errors[code].message}`).join('; '),
    content: {
      'application/json': {
        schema: reference('schemas', 'Error'),
        examples: Object.fromEntries(codes.map(code => [code, { value: example(code) }])),
      },
    },
  };
}

function example(code: ErrorCode): object {
  const { parameter, problem } = values;
  const details = code === 'INVALID_PARAMETER' ? [{ parameter, message: problem }] : [];
  return failure(new ApiError(code, { ...values, ...ownValues[code] }, details));
}

/** `NEWS_NOT_FOUND` as `NewsNotFound`. */
function pascalCase(code: ErrorCode): string {
  return code.toLowerCase().replace(/(?:^|_)(\w)/g, (_, letter) => letter.toUpperCase());
}
