import { isAlias, isMap, isScalar, isSeq, type Pair, parseDocument, type Scalar, type YAMLError } from 'yaml';
import { EXTRA } from '../../contract/columns.ts';
import type { Reporter } from '../../contract/problems.ts';
import { excerpt } from '../../messages.ts';
import type { SourceText } from '../decode.ts';

/** A value of the front matter. */
export interface Field {
  name: string;
  /** The value as it is written; a list with commas; own fields as JSON. Undefined for other maps, and for lists in lists. */
  text: string | undefined;
  /** Why the value is not what is written; undefined if it is. */
  fault: string | undefined;
  isList: boolean;
  /** Whether a comment begins behind the value, which may be the rest of a text. */
  isCut: boolean;
  /** Offsets in the text of the file, where name and value begin. */
  nameAt: number;
  valueAt: number;
}

const BEGIN = /^\s*---[ \t]*(?:\r\n?|\n)/;
const OTHER = /^(?:(\+\+\+|---[ \t]*toml)|;;;|---[ \t]*json|(?=\{\s*"))[ \t]*(?:\r\n?|\n|(?=\{))/;
const END = /^(?:---|\.\.\.)[ \t]*(?:\r\n?|\n|$)/m;

/** Signs that begin a value inside another one. With 875 levels, the parser of YAML runs out of stack. */
const NESTING = /[[{]|[-?:](?=\s)/g;
const MAX_NESTING = 300;

/**
 * Parses the front matter of a file; undefined, and reported, if it is not YAML with names and values. `end` is where the text
 * below it begins: 0 if there is none.
 */
export function parseFrontMatter(source: SourceText, report: Reporter) {
  const [other, isToml] = OTHER.exec(source.text) ?? [];
  if (other !== undefined) {
    const message = `this front matter is ${isToml ? 'TOML (+++)' : 'JSON'}: write it as YAML, as in create_time: 2026-03-31, between two lines ---`;
    report(source.locate(0), 'BAD_FRONT_MATTER', message);
    return undefined;
  }
  const [begin] = BEGIN.exec(source.text) ?? [];
  if (begin === undefined) return { fields: [], end: 0 };
  const fail = (offset: number, message: string) => {
    report(source.locate(begin.length + offset), 'BAD_FRONT_MATTER', message);
    return undefined;
  };
  const rest = source.text.slice(begin.length);
  const end = END.exec(rest);
  if (!end) return fail(-begin.length, 'the front matter has no end: write a line --- below its last line');
  const yaml = rest.slice(0, end.index);
  if ((yaml.match(NESTING) ?? []).length > MAX_NESTING)
    return fail(0, `this is too much for front matter: ${HOW_TO_WRITE}`);
  const { contents, errors } = parseDocument(yaml, { prettyErrors: false, logLevel: 'silent' });
  const [error] = errors;
  if (error) return fail(error.pos[0], faultOf(error));
  if (contents !== null && !isMap(contents)) return fail(0, `this is not front matter: ${HOW_TO_WRITE}`);
  const fields: Field[] = [];
  for (const pair of contents?.items ?? []) {
    const field = fieldOf(pair, yaml);
    if (!field) return fail(0, NOT_ONE_VALUE);
    const [nameAt, valueAt] = [begin.length + field.nameAt, begin.length + field.valueAt];
    fields.push({ ...field, nameAt, valueAt });
  }
  return { fields, end: begin.length + end.index + end[0].length };
}

const HOW_TO_WRITE = 'write one line for each value, such as create_time: 2026-03-31';
const NEEDS_QUOTES = 'a value that begins with this sign needs quotes: write it in "double quotes"';
const NOT_ONE_VALUE = `this is not a single value: ${HOW_TO_WRITE}`;

/** Tags that say what a value is anyway. */
const KNOWN_TAG = /^tag:yaml\.org,2002:(?:str|int|float|bool|null|timestamp)$/;

function fieldOf({ key, value }: Pair, yaml: string): Field | undefined {
  if (!isScalar(key)) return undefined;
  const nameAt = key.range?.[0] ?? 0;
  const [valueAt = nameAt] = (isScalar(value) || isSeq(value) ? value.range : undefined) ?? [];
  const values = isSeq(value) ? value.items : [value];
  const texts = values.map(scalarText);
  const text = texts.includes(undefined) ? undefined : texts.join(', ');
  const scalars = values.filter(isScalar);
  const isCut = scalars.some(
    ({ type, comment = '', source }) =>
      type === 'PLAIN' && (source ? comment !== '' : /^\S/.test(comment ?? '')),
  );
  // They swallow the first word of a text, unless an alias shows that an anchor is one.
  const hasSign = scalars.some(
    ({ tag, anchor }) => (tag && !KNOWN_TAG.test(tag)) || (anchor && !yaml.includes(`*${anchor}`)),
  );
  const fault = hasSign ? NEEDS_QUOTES : text === undefined ? NOT_ONE_VALUE : undefined;
  const place = { name: keyName(key), isList: isSeq(value), isCut, nameAt, valueAt };
  return place.name === EXTRA
    ? { ...place, text: asJson(value), fault: undefined }
    : { ...place, text, fault };
}

const keyName = (key: unknown) => (isScalar(key) && key.source) || String(key);

/** The JSON of a value. Signs that YAML reads otherwise and numbers that JSON cannot have make it invalid. */
function asJson(node: unknown): string {
  if (isSeq(node)) return `[${node.items.map(asJson)}]`;
  if (isMap(node))
    return `{${node.items.map(({ key, value }) => `${JSON.stringify(keyName(key))}:${asJson(value)}`)}}`;
  const { tag, anchor, value = null, source = '' } = (node ?? {}) as Partial<Scalar>;
  if (isAlias(node) || anchor || (tag && !KNOWN_TAG.test(tag))) return '&';
  if (typeof value !== 'number') return JSON.stringify(value);
  return /^0[xo]/.test(source) ? String(value) : source.replace(/^\+/, '').replace(/^(-?)\./, '$10.');
}

/** A number or a date as it is written, since 1.50 is no other text than 1.50; undefined for a list, a map or an alias. */
function scalarText(node: unknown): string | undefined {
  if (node === null) return '';
  if (!isScalar(node)) return undefined;
  if (node.value === null) return '';
  return typeof node.value === 'string' ? node.value : node.source;
}

const faults: Readonly<Partial<Record<string, string>>> = {
  DUPLICATE_KEY: 'this name is there twice: delete one of the two lines',
  BLOCK_AS_IMPLICIT_KEY: 'a value with a colon in it needs quotes: write it in "double quotes"',
  BAD_SCALAR_START: NEEDS_QUOTES,
  TAB_AS_INDENT: 'a tab at the beginning of a line: delete it',
};

function faultOf({ code, message }: YAMLError): string {
  if (code === 'MISSING_CHAR')
    return `something is not closed, such as a quote (${excerpt(message)}): close it`;
  return faults[code] ?? `this is not YAML (${excerpt(message)}): write the value in "double quotes"`;
}
