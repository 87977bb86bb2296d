import type { TObject, TSchema } from '@sinclair/typebox';
import { ApiError, type ErrorDetail } from '../../errors.ts';
import { expected, parseValue } from './parameter-values.ts';

type Raw = string | string[] | undefined;

/**
 * Compiles the schema of parameters to a validator for Fastify, which also parses them. An empty parameter counts as
 * absent, a repeated one is an error unless it is a list, an unknown one is dropped. Local times are in `timeZone`.
 */
export function parameterReader(
  schema: TObject,
  timeZone: string,
): (raw: Record<string, Raw>) => { value: Record<string, unknown> } | { error: ApiError } {
  const parameters = Object.entries(schema.properties);
  return raw => {
    const values: Record<string, unknown> = {};
    const details: ErrorDetail[] = [];
    for (const [name, parameter] of parameters) {
      const isRequired = schema.required?.includes(name) ?? false;
      const { value, problem } = read(raw[name], parameter, isRequired, timeZone);
      if (problem !== undefined) details.push({ parameter: name, message: problem });
      else if (value !== undefined) values[name] = value;
    }
    return details.length === 0 ? { value: values } : { error: invalid(details) };
  };
}

/** The error for invalid parameters. */
export function invalid(details: ErrorDetail[]): ApiError {
  const [{ parameter, message: problem } = { parameter: '', message: '' }] = details;
  return new ApiError('INVALID_PARAMETER', { parameter, problem }, details);
}

/** The value of a parameter (undefined if it is absent and has no default), or what is wrong with it. */
function read(
  raw: Raw,
  parameter: TSchema,
  isRequired: boolean,
  timeZone: string,
): { value?: unknown; problem?: string } {
  const text = Array.isArray(raw) && parameter.type === 'array' ? raw.filter(Boolean).join() : raw;
  if (Array.isArray(text)) return { problem: 'must be given only once' };
  if (!text)
    return isRequired ? { problem: `is required: ${expected(parameter)}` } : { value: parameter.default };
  const value = parseValue(text, parameter, timeZone);
  return value === undefined ? { problem: `must be ${expected(parameter)}` } : { value };
}
