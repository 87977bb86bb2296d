import { OptionalKind, type TObject, type TProperties, type TSchema, Type } from '@sinclair/typebox';
import { ApiError, type ErrorDetail } from '../errors.ts';

const MAX = Number.MAX_SAFE_INTEGER;

export const Id = (description: string) => Type.Integer({ minimum: 1, maximum: MAX, description });
export const Page = Type.Integer({ minimum: 1, maximum: MAX, default: 1, description: 'which page, from 1' });
export const Limit = Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'items per page' });
export const Keyword = Type.String({ maxLength: 64, description: 'terms that all have to occur' });
export const Flag = (description: string) => Type.Boolean({ default: false, description });

/** An object of parameters. Those with a default need not be sent, and are always there for the handler. */
export function Parameters<Properties extends TProperties>(properties: Properties): TObject<Properties> {
  const isRequired = (parameter: TSchema) => parameter.default === undefined && !(OptionalKind in parameter);
  const required = Object.entries(properties).flatMap(([name, parameter]) =>
    isRequired(parameter) ? [name] : [],
  );
  return { ...Type.Object(properties), required };
}

const flags = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

type Raw = string | string[] | undefined;

/**
 * Compiles a schema made with {@link Parameters} to a reader of raw parameters, in the form of Fastify's validators.
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
