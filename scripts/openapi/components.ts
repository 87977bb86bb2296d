type Json = Record<string, unknown>;

/** A reference to a component of the OpenAPI document. */
export function reference(section: 'schemas' | 'responses', name: string) {
  return { $ref: `#/components/${section}/${name}` };
}

/**
 * Copies a part of an OpenAPI document. Every object schema with a title moves to `schemas` under that title, which code
 * generators use as its name, and leaves a reference. Keywords that only the service itself uses are dropped, and unions
 * of strings become an `enum`.
 */
export function withComponents(part: unknown, schemas: Json): unknown {
  if (Array.isArray(part)) return part.map(item => withComponents(item, schemas));
  if (!isObject(part)) return part;
  const {
    cellType: _,
    none: __,
    references: ___,
    choices: ____,
    second: _____,
    excludes: ______,
    ...schema
  } = mapValues(part, (value, key) => {
    if (key.startsWith('example')) return value;
    return key === 'properties' && isObject(value)
      ? mapValues(value, property => withComponents(property, schemas))
      : withComponents(value, schemas);
  });
  const { title, type } = schema;
  if (typeof title !== 'string' || type !== 'object') return choiceOf(schema) ?? schema;
  schemas[title] ??= schema;
  return reference('schemas', title);
}

/** A union of string constants as an `enum`; undefined for other schemas. */
function choiceOf({ anyOf, ...rest }: Json): Json | undefined {
  const texts = Array.isArray(anyOf) ? anyOf.map(option => option.const) : [];
  return texts.length > 0 && texts.every(text => typeof text === 'string')
    ? { ...rest, type: 'string', enum: texts }
    : undefined;
}

function mapValues(object: Json, map: (value: unknown, key: string) => unknown): Json {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value, key)]));
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
