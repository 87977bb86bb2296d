import type { TObject, TSchema } from '@sinclair/typebox';
import { MAX_TIME } from '../../contract/columns.ts';
import { ApiError, type ErrorDetail } from '../../errors.ts';
import { parseTimeCell } from '../../set/cells/cells.ts';
import { boolean, wholeNumber } from '../../settings/parsers.ts';
import { DAY, localTime, type TimeZone } from '../../time-zone.ts';

type Raw = string | string[] | undefined;

/**
 * Compiles the schema of parameters to a validator for Fastify, which also parses them. An empty parameter counts as absent,
 * a repeated one is an error unless it is a list, and an unknown one is dropped. Local times are in `zone`.
 */
export function parameterReader(
  schema: TObject,
  zone: TimeZone,
): (raw: Record<string, Raw>) => { value: Record<string, unknown> } | { error: ApiError } {
  const parameters = Object.entries(schema.properties);
  return raw => {
    const values: Record<string, unknown> = {};
    const details: ErrorDetail[] = [];
    for (const [name, parameter] of parameters) {
      const isRequired = schema.required?.includes(name) ?? false;
      const { value, problem } = readParameter(raw[name], parameter, isRequired, zone);
      if (problem !== undefined) details.push({ parameter: name, message: problem });
      else if (value !== undefined) values[name] = value;
      const isGiven = (other: string) => [raw[other]].flat().some(Boolean);
      for (const other of parameter.excludes ?? [])
        if (isGiven(name) && isGiven(other))
          details.push({ parameter: other, message: `must not be given with ${name}` });
    }
    return details.length === 0 ? { value: values } : { error: invalid(details) };
  };
}

export function invalid(details: ErrorDetail[]): ApiError {
  const [{ parameter, message: problem } = { parameter: '', message: '' }] = details;
  return new ApiError('INVALID_PARAMETER', { parameter, problem }, details);
}

/** Returns the value of a parameter, undefined if it is absent and has no default, or the problem with it. */
function readParameter(raw: Raw, parameter: TSchema, isRequired: boolean, zone: TimeZone) {
  const text = Array.isArray(raw) && parameter.type === 'array' ? raw.filter(Boolean).join() : raw;
  if (Array.isArray(text)) return { problem: 'must be given only once' };
  if (!text)
    return isRequired ? { problem: `is required: ${expected(parameter)}` } : { value: parameter.default };
  const value = parseValue(text, parameter, zone);
  return value === undefined ? { problem: `must be ${expected(parameter)}` } : { value };
}

/** Parses a text by the schema of its parameter. Returns undefined if it is invalid. */
function parseValue(text: string, parameter: TSchema, zone: TimeZone): unknown {
  const { type, minimum, maximum, maxLength, second } = parameter;
  if (second !== undefined) return parseTime(text, second, zone);
  if (type === 'integer') return wholeNumber('', minimum, maximum).parse(text);
  if (type === 'boolean') return boolean.parse(text.toLowerCase());
  if (type === 'array') return parseValues(text, parameter, zone);
  const choices = choicesOf(parameter);
  return (choices ? choices.includes(text) : [...text].length <= maxLength) ? text : undefined;
}

function expected(parameter: TSchema): string {
  const { type, minimum, maximum, maxLength, second, items, maxItems } = parameter;
  if (second !== undefined) return 'Unix seconds, or a time such as 2026-03-31 or 2026-03-31 18:00:00';
  if (type === 'integer') return wholeNumber('', minimum, maximum).expected;
  if (type === 'boolean') return boolean.expected;
  if (type !== 'array')
    return choicesOf(parameter)?.join(' or ') ?? `a text of at most ${maxLength} characters`;
  if (items.const) return items.const;
  return maxItems === undefined
    ? `${expected(items)}, or several of these separated by commas`
    : `up to ${maxItems} values separated by commas, each ${expected(items)}`;
}

/** Returns each value once and in a fixed order, so that equal queries have equal values. */
function parseValues(text: string, { items, maxItems }: TSchema, zone: TimeZone): unknown[] | undefined {
  const values = text.split(',').map(part => parseValue(part, items, zone));
  if (values.includes(undefined) || values.length > (maxItems ?? values.length)) return undefined;
  return (
    choicesOf(items)?.filter(choice => values.includes(choice)) ??
    [...new Set(values)].sort((one, other) => Number(one) - Number(other))
  );
}

/** Returns the values of an enumeration; undefined for other parameters. */
function choicesOf(parameter: TSchema): string[] | undefined {
  if (parameter.anyOf) return parameter.anyOf.map((choice: TSchema) => choice.const);
  return parameter.const === undefined ? undefined : [parameter.const];
}

/** Parses Unix seconds or a time as in a catalog. A date alone means the first or last second of its day. */
function parseTime(text: string, second: 'first' | 'last', zone: TimeZone): number | undefined {
  if (/^\d{1,12}$/.test(text)) return Number(text) <= MAX_TIME ? Number(text) : undefined;
  // In a query, the plus of an offset is a space unless it is escaped.
  const time = parseTimeCell(text.replace(/(:\d\d(?:[.,]\d+)?) (?=\d\d(?::?\d\d)?$)/, '$1+'), zone);
  const date = second === 'last' ? /^(\d+)[-/](\d+)[-/](\d+)$/.exec(text)?.slice(1) : undefined;
  return time !== undefined && date ? zone.toInstant((localTime(date) ?? 0) + DAY) - 1 : time;
}
