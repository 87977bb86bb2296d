type Json = Record<string, unknown>;

/** Reference by the name under which OpenAPI's components have it. */
export function reference(section: 'schemas' | 'responses', name: string) {
  return { $ref: `#/components/${section}/${name}` };
}

/**
 * A part of an OpenAPI document in which every object schema that has a title is a reference to `schemas`, where it is
 * put under that title, so that generators of types have a name for it. What only the reading of files knows of a schema
 * is left out, and a choice of texts is an `enum`.
 */
export function withComponents(part: unknown, schemas: Json): unknown {
  if (Array.isArray(part)) return part.map(item => withComponents(item, schemas));
  if (!isObject(part)) return part;
  const { kind: _, ...schema } = mapValues(part, (value, key) => {
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

/** A union of texts as what it is in JSON Schema. */
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
