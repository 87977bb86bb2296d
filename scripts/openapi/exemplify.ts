import type { TSchema } from '@sinclair/typebox';
import type { FastifySchema } from 'fastify';
import type { Example } from './examples.ts';

/** The schema of a route, with examples of its parameters and its response. */
export function withExamples(schema: FastifySchema, { parameters, answer }: Example): FastifySchema {
  const { params, querystring, response } = schema as Record<'params' | 'querystring' | 'response', TSchema>;
  return {
    ...schema,
    ...(params && { params: exemplify(params, parameters) }),
    ...(querystring && { querystring: exemplify(querystring, parameters) }),
    response: { ...response, ...(answer && { 200: answered(response[200], answer) }) },
  };
}

/** Adds an example to a response, which is a JSON schema or lists schemas by media type. */
function answered(response: TSchema, answer: object): object {
  if (!response.content) return { ...exemplify(response, answer), examples: [answer] };
  const content = Object.entries<{ schema: TSchema }>(response.content).map(([type, { schema }]) => [
    type,
    { schema: exemplify(schema, answer), example: answer },
  ]);
  return { ...response, content: Object.fromEntries(content) };
}

/** Adds a value to a schema as its example, and the parts of the value to the parts of the schema. */
function exemplify(schema: TSchema, value: unknown): TSchema {
  if (schema.anyOf?.some(isObjectSchema)) {
    const anyOf = schema.anyOf.map((option: TSchema) =>
      isObjectSchema(option) && value !== null ? exemplify(option, value) : option,
    );
    return { ...schema, anyOf };
  }
  if (isObjectSchema(schema) && isRecord(value)) {
    const properties = Object.entries(schema.properties).map(([name, property]) => [
      name,
      exemplify(property as TSchema, value[name]),
    ]);
    return { ...schema, properties: Object.fromEntries(properties) };
  }
  if (Array.isArray(value) && value.some(isRecord)) {
    // Optional fields that the first item lacks come from a later one.
    return { ...schema, items: exemplify(schema.items, Object.assign({}, ...value.toReversed())) };
  }
  return value === undefined ? schema : { ...schema, examples: [value] };
}

function isObjectSchema(schema: TSchema): boolean {
  return schema.type === 'object';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
