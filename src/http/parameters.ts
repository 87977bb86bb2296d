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

type Raw = Record<string, string | string[] | undefined>;

/**
 * Compiles a schema made with {@link Parameters} to a reader of raw parameters, in the form of Fastify's validators.
 * Notations are strict (README, "What the contract leaves open"): numbers are plain digits, an empty parameter is as if absent, one that is
 * repeated is refused, an unknown one is dropped.
 */
export function parameterReader(
  schema: TObject,
): (raw: Raw) => { value: Record<string, unknown> } | { error: ApiError } {
  const parameters = Object.entries(schema.properties);
  return raw => {
    const value: Record<string, unknown> = {};
    const details: ErrorDetail[] = [];
    for (const [name, parameter] of parameters) {
      const text = raw[name];
      if (text === undefined || text === '') {
        if (schema.required?.includes(name))
          details.push({ parameter: name, message: `is required: ${expected(parameter)}` });
        else if (parameter.default !== undefined) value[name] = parameter.default;
      } else if (Array.isArray(text)) {
        details.push({ parameter: name, message: 'must be given once only' });
      } else {
        value[name] = read(text, parameter);
        if (value[name] === undefined)
          details.push({ parameter: name, message: `must be ${expected(parameter)}` });
      }
    }
    const [first] = details;
    if (first === undefined) return { value };
    return {
      error: new ApiError(
        'INVALID_PARAMETER',
        { parameter: first.parameter, problem: first.message },
        details,
      ),
    };
  };
}

/** A parameter's value by its schema, undefined where the text is not of its form. */
function read(text: string, { type, minimum, maximum, maxLength }: TSchema): unknown {
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
