import { type Node, parseTree } from 'jsonc-parser';
import type { ProblemCode } from '../contract/problems.ts';
import { excerpt } from '../messages.ts';

const MAX_LEVELS = 4;

/**
 * The fields of an object in valid JSON, each as canonical JSON; none of any other value. Calls `onFault` with what would not be served as it is written,
 * to follow a name in a message, and the offset of it.
 */
export function readFields(
  json: string,
  onFault: (code: ProblemCode, message: string, offset: number) => void,
): Map<string, string> {
  const write = (node: Node, level: number): string => {
    const { type, value, offset, length, children = [] } = node;
    if ((type === 'array' || type === 'object') && level > MAX_LEVELS)
      onFault('TOO_DEEP', `is nested more than ${MAX_LEVELS} levels deep: write it with fewer`, offset);
    if (type === 'array') return `[${children.map(child => write(child, level + 1))}]`;
    if (type === 'object') return canonicalJson(fieldsOf(node, level));
    if (typeof value === 'string' && !value.isWellFormed())
      onFault('BAD_TEXT', 'contains half of a character: type it again', offset);
    const written = json.slice(offset, offset + length);
    if (typeof value === 'number' && significantDigits(written) !== significantDigits(String(value)))
      onFault('BAD_NUMBER', `${excerpt(written)} cannot be kept exactly: put it in "quotes"`, offset);
    return JSON.stringify(value);
  };
  const fieldsOf = ({ children: properties = [] }: Node, level: number) => {
    const fields = new Map<string, string>();
    for (const { offset, children: [key, field] = [] } of properties) {
      const name = key && JSON.parse(write(key, level));
      const shown = `has the key ${excerpt(name) || '""'}`;
      if (name === '__proto__') onFault('FORBIDDEN_COLUMN', `${shown}: delete it`, offset);
      if (fields.has(name)) onFault('DUPLICATE_COLUMN', `${shown} twice: delete one of the two`, offset);
      if (field) fields.set(name, write(field, level + 1));
    }
    return fields;
  };
  const root = parseTree(json);
  return root?.type === 'object' ? fieldsOf(root, 0) : new Map();
}

/** The digits of a number that JSON keeps exactly, if they are those of what is read. */
const significantDigits = (number: string) => number.replace(/e.*|\D/gi, '').replace(/^0+|0+$/g, '');

/** The JSON of an object with these fields, in the order of their names. */
export function canonicalJson(fields: ReadonlyMap<string, string>): string {
  const sorted = [...fields].sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${sorted.map(([name, json]) => `${JSON.stringify(name)}:${json}`)}}`;
}
