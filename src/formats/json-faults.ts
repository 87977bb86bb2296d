import { type ParseErrorCode, printParseErrorCode } from 'jsonc-parser';
import { excerpt } from '../messages.ts';
import { readNumber, valuesIn } from './written-number.ts';

/** How far around a parser error to look for its cause, in UTF-16 units. */
const MAX_LOOK = 200;

const QUOTES = 'write the straight quote " before and after each key and each text';
const NO_COMMENTS = 'JSON does not allow comments: delete this one';
const BAD_NUMBER = 'this is not a JSON number: write digits such as 4096 or 19.90';

/** What to do about errors that need no closer look. */
const remedies: Partial<Record<string, string>> = {
  InvalidSymbol:
    'this is neither a key nor a value: put keys and text in "double quotes", or write a number, true, false or null',
  InvalidNumberFormat: BAD_NUMBER,
  UnexpectedEndOfNumber: BAD_NUMBER,
  PropertyNameExpected: 'a key in "double quotes" is missing here: add it, or delete the comma before',
  ValueExpected: 'a value is missing here: add it, or delete the comma before',
  ColonExpected: 'a colon is missing here: add it',
  CommaExpected: 'a comma is missing here: add it',
  EndOfFileExpected: 'the array ends before this: delete what follows it',
  InvalidCommentToken: NO_COMMENTS,
  UnexpectedEndOfString:
    'this text has no closing quote on its line: add it, and write a line break inside text as \\n',
  InvalidUnicode: 'this \\u escape is incomplete: write four hexadecimal digits, such as \\u00e9',
  InvalidEscapeCharacter: 'this escape is unknown: write a backslash as \\\\',
  InvalidCharacter: 'this text contains a control character: write a tab as \\t, a line break as \\n',
};

const SYMBOL = 'InvalidSymbol';
const COMMA_EXPECTED = 'CommaExpected';
const KEY_OR_VALUE = 'PropertyNameExpected ValueExpected';
const QUOTE_INSIDE = 'a quote inside a text ends it before this: write \\" for each quote inside the text';
const INVISIBLE = 'this is an invisible character or a special space: delete it, and type a normal space';
const NO_VALUE = /(?:[-+]?(?:nan|inf(?:inity)?)|undefined|none|nil|null|n\/a)(?![\w:])/iy;
const SECOND_ARRAY =
  'a second array begins here: put all rows between one [ and one ], with a comma after every row but the last';
const NO_ROW_END = 'the closing } of the row before this is missing: add it';

/**
 * What people write instead of JSON. An error is explained by the first rule that has its code and whose pattern matches at
 * its place. In the message, `{}` stands for the first group of the match or else all of it, `{small}` for the same in lower
 * case.
 */
const rules: readonly [codes: string, place: RegExp, message: string][] = [
  [
    `${SYMBOL} PropertyNameExpected`,
    /([\p{L}\p{N}_$][\p{L}\p{N}_$-]*)\s*:/uy,
    'the key {} has no quotes: write "{}"',
  ],
  [COMMA_EXPECTED, /(?<=")"/y, QUOTE_INSIDE],
  [SYMBOL, /(?<="[ \t]*)[^#;=，、；：]/y, QUOTE_INSIDE],
  [SYMBOL, /[“”„‟«»‹›‘’‚「」'`´]/y, `{} is not a straight quote: ${QUOTES}`],
  [SYMBOL, /#/y, NO_COMMENTS],
  [SYMBOL, /[\u00a0\u2000-\u200f\u202f\u205f\u2060\u3000\ufeff]/y, INVISIBLE],
  [SYMBOL, /[;，、；]/y, '{} is not the comma that JSON needs: write ,'],
  [SYMBOL, /：|=>?/y, '{} is not the colon that JSON needs: write :'],
  [SYMBOL, NO_VALUE, '{} is not JSON: write null for no value'],
  [SYMBOL, /(?:true|false)(?![\w:])/iy, '{} has capital letters: write {small}'],
  [SYMBOL, /(?<=^\s*)/y, 'the file does not begin with [: delete what stands before it'],
  [SYMBOL, /(?<=:\s*)[\p{L}/\\@]/uy, 'this text has no quotes: write it in "double quotes"'],
  [KEY_OR_VALUE, /(?<=:\s*)/y, 'a value is missing after the colon: write one, or null for none'],
  [KEY_OR_VALUE, /,/y, 'this comma has nothing before it: delete it'],
  [COMMA_EXPECTED, /\]/y, NO_ROW_END],
  [COMMA_EXPECTED, /\}/y, 'this } closes nothing: delete it'],
  [COMMA_EXPECTED, /(?<=\}\s*)\{/y, 'a comma is missing between two rows: add it after the } before this'],
  [COMMA_EXPECTED, /\{/y, `${NO_ROW_END}, and a comma`],
  ['EndOfFileExpected', /[\]}]/y, 'this {} closes nothing: delete it'],
  ['EndOfFileExpected', /\[/y, SECOND_ARRAY],
];

/** Explains a parser error by the text around its token at `offset`: where the fault begins, and what to do about it. */
export function jsonFault(error: ParseErrorCode, text: string, offset: number, length: number) {
  const code = printParseErrorCode(error);
  const before = text.slice(Math.max(0, offset - MAX_LOOK), offset);
  const after = text.slice(offset, offset + MAX_LOOK);
  const [, quote] = /^"[^\r\n]*?([“”„»’])\s*[,:}\]\r\n]/.exec(after) ?? [];
  if (quote && code === 'UnexpectedEndOfString')
    return { offset, message: `this text ends with ${quote}, not with a straight quote: ${QUOTES}` };
  if (isCutOff(text, offset, length, code)) {
    const message =
      'the file ends too early: save or copy the whole file again, or add what is missing up to the closing ]';
    return { offset, message };
  }
  const [comma] = /,\s*$/.exec(before) ?? [];
  if (comma && /^[\]}]/.test(after) && KEY_OR_VALUE.includes(code)) {
    const message = `this comma has nothing after it but ${after.charAt(0)}: delete the comma`;
    return { offset: offset - comma.length, message };
  }
  const number = badNumber(before, after);
  if (number) return { offset: offset - number.back, message: number.message };
  for (const [codes, place, message] of rules) {
    place.lastIndex = before.length;
    const found = codes.includes(code) && place.exec(before + after);
    if (!found) continue;
    const text = excerpt(found[1] ?? found[0]);
    return { offset, message: message.replace('{small}', text.toLowerCase()).replaceAll('{}', () => text) };
  }
  return { offset, message: remedies[code] ?? 'invalid JSON from this point: correct it' };
}

/** Whether the text ends at the error, within a value. */
function isCutOff(text: string, offset: number, length: number, code: string): boolean {
  if (offset + length < text.length) return false;
  const rest = text.slice(offset);
  if (code === SYMBOL) return ['true', 'false', 'null'].some(word => word.startsWith(rest));
  return rest === '' || code === 'UnexpectedEndOfString' || code === 'UnexpectedEndOfNumber';
}

/** Says what to do about a file whose first value, at `offset`, is not an array. */
export function notAnArray(text: string, offset: number): string {
  const start = text.slice(offset, offset + MAX_LOOK);
  if (/^\{\s*"[^"]*"\s*:\s*\[/.test(start))
    return 'the array of rows is inside another value: keep only the rows from [ to ], and delete what surrounds them';
  return start.startsWith('{')
    ? 'the rows are not in an array: write [ before the first row, a comma between two rows, and ] after the last one'
    : 'this is not an array of rows: put all rows between one [ and one ]';
}

const HEXADECIMAL = /^0x[\da-f]{1,12}(?![\w.])/i;
const DATE = /^(?:\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./]\d{4})(?!\d)/;
/** A number as people write it, with separators, and a unit or a currency. */
const NUMBER =
  /^(?:\p{Sc} ?)?[-+]?(?!0x)(?:\p{Nd}+(?:[.,．，'’_ \t\u00a0\u2009\u202f]\p{Nd}+)*\.?|\.\p{Nd}+)(?: ?[%\p{Sc}\p{L}]+(?!\s*:))?/u;

/** Explains a number that is not valid JSON. `back` is how many characters before the error it begins. */
function badNumber(before: string, after: string): { back: number; message: string } | undefined {
  const begun = (/[^:[]*$/.exec(before)?.[0] ?? '').trimStart();
  const back = begun.length;
  const written = begun + after;
  const [date] = DATE.exec(written) ?? [];
  const [found = ''] =
    date === undefined ? (HEXADECIMAL.exec(written) ?? NUMBER.exec(written) ?? []) : [date];
  if (found.length <= back) return undefined;
  if (date) return { back, message: `${excerpt(date)} is a date without quotes: write it like "2026-03-31"` };
  const [, key = ''] = /"([^"\\]*)"\s*:\s*$/.exec(before.slice(0, before.length - back)) ?? [];
  const number = /^\s*(?:[,}\]\r\n]|$)/.test(written.slice(found.length)) ? readNumber(found) : undefined;
  const values = HEXADECIMAL.test(found) ? [String(Number(found))] : number ? valuesIn(key, number) : [];
  const why = number?.unit && key === 'memory' ? ', and memory is in MB' : '';
  const [value = 'digits such as 4096 or 19.90', decimal] = values;
  const orDecimal = decimal ? `, or ${decimal} if you mean a decimal` : '';
  return { back, message: `${excerpt(found)} is not a JSON number${why}: write ${value}${orDecimal}` };
}
