import type { TObject, TSchema } from '@sinclair/typebox';
import { ApiError, type ErrorDetail } from '../errors.ts';

const flags = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

type Raw = string | string[] | undefined;

/**
 * Compiles the schema of a query to a reader of raw parameters, in the form of Fastify's validators.
 * Notations are strict: numbers are plain digits, an empty parameter is as if absent, one that is repeated is refused,
 * an unknown one is dropped.
 */
export function parameterReader(
  schema: TObject,
): (raw: Record<string, Raw>) => { value: Record<string, unknown> } | { error: ApiError } {
  const parameters = Object.entries(schema.properties);
  return raw => {
    const values: Record<string, unknown> = {};
    const details: ErrorDetail[] = [];
    for (const [name, parameter] of parameters) {
      const { value, problem } = read(raw[name], parameter, schema.required?.includes(name) ?? false);
      if (problem !== undefined) details.push({ parameter: name, message: problem });
      else if (value !== undefined) values[name] = value;
    }
    const [first] = details;
    if (first === undefined) return { value: values };
    const { parameter, message: problem } = first;
    return { error: new ApiError('INVALID_PARAMETER', { parameter, problem }, details) };
  };
}

/** The value of a parameter, undefined where it is absent and has no default; or what is wrong with it. */
function read(raw: Raw, parameter: TSchema, required: boolean): { value?: unknown; problem?: string } {
  if (Array.isArray(raw)) return { problem: 'must be given once only' };
  if (!raw)
    return required ? { problem: `is required: ${expected(parameter)}` } : { value: parameter.default };
  const value = parse(raw, parameter);
  return value === undefined ? { problem: `must be ${expected(parameter)}` } : { value };
}

/** Undefined where the text is not of the parameter's form. */
function parse(text: string, { type, minimum, maximum, maxLength }: TSchema): unknown {
  switch (type) {
    case 'integer': {
      const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
      return number >= minimum && number <= maximum ? number : undefined;
    }
    case 'boolean':
      return flags.get(text.toLowerCase());
    default:
      return [...text].length <= maxLength ? text : undefined;
  }
}

function expected({ type, minimum, maximum, maxLength }: TSchema): string {
  switch (type) {
    case 'integer':
      return `a whole number from ${minimum} to ${maximum}`;
    case 'boolean':
      return 'true, false, 1 or 0';
    default:
      return `a text of at most ${maxLength} characters`;
  }
}
