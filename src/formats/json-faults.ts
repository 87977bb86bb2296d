import { type ParseErrorCode, printParseErrorCode } from 'jsonc-parser';
import { excerpt } from '../messages.ts';

interface JsonFault {
  offset: number;
  message: string;
}

/** In UTF-16 units: how far a fault is looked for around an error of the parser. */
const MAX_LOOK = 200;

export const NOT_AN_ARRAY =
  'this is not an array of rows: put all rows between one [ and one ], with a comma between two rows, and delete what surrounds them';
const CUT_OFF =
  'the file ends too early: save or copy the whole file again, or add what is missing up to the closing ]';
const QUOTES = 'write the straight quote " before and after each key and each text';
const QUOTE_INSIDE = 'a quote inside a text ends it before this: write \\" for each quote inside the text';
const NO_COMMENTS = 'JSON does not allow comments: delete this one';
const BAD_NUMBER = 'this is not a JSON number: write digits such as 4096 or 19.90';

const remedies: Partial<Record<string, string>> = {
  InvalidSymbol:
    'this is neither a key nor a value: put keys and text in "double quotes", or write a number, true, false or null',
  InvalidNumberFormat: BAD_NUMBER,
  UnexpectedEndOfNumber: BAD_NUMBER,
  PropertyNameExpected: 'a key in "double quotes" is missing here: add it, or delete the comma before',
  ValueExpected: 'a value is missing here: write one, or null for none, or delete the comma before',
  ColonExpected: 'a colon is missing here: add it',
  CommaExpected: 'a comma is missing here: add it',
  EndOfFileExpected:
    'the array ends before this: delete what follows, or put all rows between one [ and one ]',
  InvalidCommentToken: NO_COMMENTS,
  UnexpectedEndOfString:
    'this text has no closing straight quote " on its line: add it, and write a line break inside text as \\n',
  InvalidUnicode: 'this \\u escape is incomplete: write four hexadecimal digits, such as \\u00e9',
  InvalidEscapeCharacter: 'this escape is unknown: write a backslash as \\\\',
  InvalidCharacter: 'this text contains a control character: write a tab as \\t, a line break as \\n',
};

/**
 * What people write that is not JSON. The first pattern that matches where an error of one of the codes begins explains it;
 * `{}` is what was found.
 */
const rules: readonly [codes: string, pattern: RegExp, message: string][] = [
  [
    'InvalidSymbol PropertyNameExpected',
    /([\p{L}\p{N}_$][\p{L}\p{N}_$-]*)\s*:/uy,
    'the key {} has no quotes: write "{}"',
  ],
  ['CommaExpected', /(?<=")"/y, QUOTE_INSIDE],
  ['InvalidSymbol', /(?<="[ \t]*)[^#;=，、；：]/y, QUOTE_INSIDE],
  ['InvalidSymbol', /[“”„‟«»‹›‘’‚「」'`´]/y, `{} is not a straight quote: ${QUOTES}`],
  ['InvalidSymbol', /#/y, NO_COMMENTS],
  [
    'InvalidSymbol',
    /[\u00a0\u2000-\u200f\u202f\u205f\u2060\u3000\ufeff]/y,
    'this is an invisible character or a special space: delete it, and type a normal space',
  ],
  [
    'InvalidSymbol',
    /[;，、；]|：|=>?/y,
    '{} is not a sign of JSON: write , between values, and : after a key',
  ],
  ['CommaExpected EndOfFileExpected', /\}/y, 'this } closes nothing: delete it'],
  ['CommaExpected', /\]/y, 'the closing } of the row before this is missing: add it'],
  ['CommaExpected', /(?<!\}\s*)\{/y, 'the closing } of the row before this is missing: add it, and a comma'],
];

/** Explains an error of the parser, whose token begins at `offset`, by what is there. */
export function jsonFault(error: ParseErrorCode, text: string, offset: number, length: number): JsonFault {
  const code = printParseErrorCode(error);
  const before = text.slice(Math.max(0, offset - MAX_LOOK), offset);
  const after = text.slice(offset, offset + MAX_LOOK);
  if (offset + length >= text.length && /^$|^"[^”]*$|^-|^[tfn](?:ru?|al?s?|ul?)?$/.test(after))
    return { offset, message: CUT_OFF };
  const [comma] = /,\s*$/.exec(before) ?? [];
  if (comma && /^[\]}]/.test(after)) {
    const message = `this comma has nothing after it but ${after.charAt(0)}: delete the comma`;
    return { offset: offset - comma.length, message };
  }
  const number = numberFault(before, after);
  if (number) return { offset: offset - number.back, message: number.message };
  for (const [codes, pattern, message] of rules) {
    pattern.lastIndex = before.length;
    const found = codes.includes(code) && pattern.exec(before + after);
    if (found) return { offset, message: message.replaceAll('{}', () => excerpt(found[1] ?? found[0])) };
  }
  return { offset, message: remedies[code] ?? 'invalid JSON from this point: correct it' };
}

const DATE = /^(?:\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./]\d{4})(?!\d)/;
/** A number as people write it, with signs between its digits, and a unit or a currency. */
const NUMBER =
  /^(?:\p{Sc} ?)?[-+]?(?!0x)(?:\p{Nd}+(?:[.,．，'’_ \t\u00a0\u2009\u202f]\p{Nd}+)*\.?|\.\p{Nd}+)(?: ?[%\p{Sc}\p{L}]+(?!\s*:))?/u;
const HOW_TO_WRITE =
  'write digits such as 4096 or 19.90, without spaces, units, thousands separators and leading zeros';

/** A number around the error that is not written as in JSON, and how many characters before the error it begins. */
function numberFault(before: string, after: string): { back: number; message: string } | undefined {
  const begun = (/[^:[]*$/.exec(before)?.[0] ?? '').trimStart();
  const [date] = DATE.exec(begun + after) ?? [];
  const found = date ?? NUMBER.exec(begun + after)?.[0] ?? '';
  if (found.length <= begun.length) return undefined;
  const message = date
    ? `${excerpt(date)} is a date without quotes: write it like "2026-03-31"`
    : `${excerpt(found)} is not a JSON number: ${HOW_TO_WRITE}`;
  return { back: begun.length, message };
}
