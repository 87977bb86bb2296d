import { type ParseErrorCode, printParseErrorCode } from 'jsonc-parser';
import { excerpt, printable } from '../messages.ts';

/** A syntax error: where the faulty thing begins, and what to do about it. */
interface JsonFault {
  offset: number;
  message: string;
}

/** In UTF-16 units. */
const MAX_LOOK = 200;

/** What to do about the errors that need no closer look. */
const remedies: Partial<Record<string, string>> = {
  InvalidSymbol:
    'this is neither a key nor a value: put keys and text in "double quotes", or write a number, true, false or null',
  InvalidNumberFormat: 'this is not a JSON number: write digits such as 4096 or 19.90',
  UnexpectedEndOfNumber: 'this is not a JSON number: write digits such as 4096 or 19.90',
  PropertyNameExpected: 'a key in "double quotes" is missing here: add it, or delete the comma before',
  ValueExpected: 'a value is missing here: add it, or delete the comma before',
  ColonExpected: 'a colon is missing here: add it',
  CommaExpected: 'a comma is missing here: add it',
  EndOfFileExpected: 'the array ends before this: delete what follows it',
  InvalidCommentToken: 'JSON does not allow comments: delete this one',
  UnexpectedEndOfString:
    'this text has no closing quote on its line: add it, and write a line break inside text as \\n',
  InvalidUnicode: 'this \\u escape is incomplete: write four hexadecimal digits, such as \\u00e9',
  InvalidEscapeCharacter: 'this escape is unknown: write a backslash as \\\\',
  InvalidCharacter: 'this text contains a control character: write a tab as \\t, a line break as \\n',
};

/** Explains an error of the parser, whose token begins at `offset`, by what is there. */
export function jsonFault(code: ParseErrorCode, text: string, offset: number, length: number): JsonFault {
  const name = printParseErrorCode(code);
  const surroundings = {
    before: text.slice(Math.max(0, offset - MAX_LOOK), offset),
    after: text.slice(offset, offset + MAX_LOOK),
  };
  const { back, message } =
    closingQuoteFault(surroundings, name) ??
    cutOffFault(text, offset, length, name) ??
    numberFault(surroundings) ??
    symbolFault(surroundings, name) ??
    structureFault(surroundings, name) ??
    otherFault(name);
  return { offset: offset - back, message };
}

/** A text that ends at the error, within a value. */
function cutOffFault(text: string, offset: number, length: number, name: string): Fault | undefined {
  if (offset + length < text.length) return undefined;
  const rest = text.slice(offset);
  const isCutOff =
    name === 'InvalidSymbol'
      ? ['true', 'false', 'null'].some(word => word.startsWith(rest))
      : rest === '' || name === 'UnexpectedEndOfString' || name === 'UnexpectedEndOfNumber';
  const message =
    'the file ends too early: save or copy the whole file again, or add what is missing up to the closing ]';
  return isCutOff ? { back: 0, message } : undefined;
}

function otherFault(name: string): Fault {
  return { back: 0, message: remedies[name] ?? 'invalid JSON from this point: correct it' };
}

/** The text on both sides of the point at which the parser fails. */
interface Surroundings {
  before: string;
  after: string;
}

/** What is wrong there, and the number of UTF-16 units by which it begins before that point. */
interface Fault {
  back: number;
  message: string;
}

/** What is wrong with the commas, brackets and rows around the error. */
function structureFault({ before, after }: Surroundings, code: string): Fault | undefined {
  const rest = before.trimEnd();
  const previous = rest.slice(-1);
  const next = after.slice(0, 1);
  const here = (message: string) => ({ back: 0, message });
  switch (code) {
    case 'PropertyNameExpected':
    case 'ValueExpected':
      if (previous === ':') return here('a value is missing after the colon: write one, or null for none');
      if (next === ',') return here('this comma has nothing before it: delete it');
      if (previous !== ',' || !/^[\]}]/.test(next)) return undefined;
      return {
        back: before.length - rest.length + 1,
        message: `this comma has nothing after it but ${next}: delete the comma`,
      };
    case 'CommaExpected':
      if (next === ']') return here('the closing } of the row before this is missing: add it');
      if (next === '}') return here('this } closes nothing: delete it');
      if (next !== '{') return undefined;
      return previous === '}'
        ? here('a comma is missing between two rows: add it after the } before this')
        : here('the closing } of the row before this is missing: add it, and a comma');
    case 'EndOfFileExpected':
      if (next === ']' || next === '}') return here(`this ${next} closes nothing: delete it`);
      if (next !== '[') return undefined;
      return here(
        'a second array begins here: put all rows between one [ and one ], with a comma after every row but the last',
      );
    default:
      return undefined;
  }
}

/** What to do about a file whose first value, at `offset`, is not an array. */
export function notAnArray(text: string, offset: number): string {
  const start = text.slice(offset, offset + MAX_LOOK);
  if (/^\{\s*"[^"]*"\s*:\s*\[/.test(start)) {
    return 'the array of rows is inside another value: keep only the rows from [ to ], and delete what surrounds them';
  }
  return start.startsWith('{')
    ? 'the rows are not in an array: write [ before the first row, a comma between two rows, and ] after the last one'
    : 'this is not an array of rows: put all rows between one [ and one ]';
}

const QUOTES = 'write the straight quote " before and after each key and each text';
const COMMENT = 'JSON does not allow comments: delete this one';

/** What people write that is not JSON, by how it begins, and what to write instead. */
const symbols: [pattern: RegExp, message: (found: string) => string][] = [
  [/^[“”„‟]/, found => `${found} is a curly quote: ${QUOTES}`],
  [/^[«»‹›‘’‚「」]/, found => `${found} is not the quote that JSON needs: ${QUOTES}`],
  [/^['`´]/, found => `${found} is a single quote: ${QUOTES}`],
  [/^#/, () => COMMENT],
  [
    /^[\u00a0\u2000-\u200f\u202f\u205f\u2060\u3000\ufeff]/,
    () => 'this is an invisible character or a special space: delete it, and type a normal space',
  ],
  [/^;/, () => 'this is a semicolon: write a comma, or delete it at the end of the file'],
  [/^[，、；]/, found => `${found} is not the comma that JSON needs: write ,`],
  [/^：/, found => `${found} is not the colon that JSON needs: write :`],
  [/^=>?/, found => `${found} is not JSON: write a colon between key and value`],
  [
    /^[-+]?(?:nan|inf(?:inity)?)(?![\w:])/i,
    found => `${found} is not a number: write a number, or null for none`,
  ],
  [/^(?:undefined|none|nil|null|n\/a)(?![\w:])/i, found => `${found} is not JSON: write null for no value`],
  [/^(?:true|false)(?![\w:])/i, found => `${found} has capital letters: write ${found.toLowerCase()}`],
];

/** A text that begins with a straight quote, and ends with another one. */
function closingQuoteFault({ after }: Surroundings, code: string): Fault | undefined {
  const [, quote] = /^"[^\r\n]*?([“”„»’])\s*[,:}\]\r\n]/.exec(after) ?? [];
  if (!quote || code !== 'UnexpectedEndOfString') return undefined;
  return { back: 0, message: `this text ends with ${quote}, not with a straight quote: ${QUOTES}` };
}

/** A key before a colon, without quotes. */
const KEY = /^([\p{L}\p{N}_$][\p{L}\p{N}_$-]*)\s*:/u;

/** What is wrong with a character or word that has no meaning in JSON. */
function symbolFault({ before, after }: Surroundings, code: string): Fault | undefined {
  const here = (message: string) => ({ back: 0, message });
  const [, key] = KEY.exec(after) ?? [];
  if (key && isKeyExpected(code))
    return here(`the key ${excerpt(key)} has no quotes: write "${excerpt(key)}"`);
  if (isTextBefore(before, after, code)) {
    return here('a quote inside a text ends it before this: write \\" for each quote inside the text');
  }
  if (code !== 'InvalidSymbol') return undefined;
  for (const [pattern, message] of symbols) {
    const [found] = pattern.exec(after) ?? [];
    if (found !== undefined) return here(message(found));
  }
  if (before.trim() === '') return here('the file does not begin with [: delete what stands before it');
  return before.trimEnd().endsWith(':') && /^[\p{L}/\\@]/u.test(after)
    ? here('this text has no quotes: write it in "double quotes"')
    : undefined;
}

function isKeyExpected(code: string): boolean {
  return code === 'InvalidSymbol' || code === 'PropertyNameExpected';
}

/** Whether a text ended just before this, and what follows is more text. */
function isTextBefore(before: string, after: string, code: string): boolean {
  if (code === 'CommaExpected') return before.endsWith('"') && after.startsWith('"');
  return code === 'InvalidSymbol' && /"[ \t]*$/.test(before) && /^[^#;=，、；：]/.test(after);
}

/** The ways in which people write numbers, and JSON does not. */
const notations: [pattern: RegExp, fault: (number: string) => string][] = [
  [
    /^(?:\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./]\d{4})(?!\d)/,
    () => 'is a date without quotes: write it like "2026-03-31"',
  ],
  [/^0x[\da-f]{1,12}(?!\w)/i, number => `is a hexadecimal number: write ${Number(number)}`],
  [
    /^-?[1-9]\d{0,2},\d{3}(?![\d.,]*\d)/,
    number => `contains a comma: write ${number.replace(',', '')}, or ${plain(number)} if you mean a decimal`,
  ],
  [/^[-+]?\d+(?:\.\d{3})*,\d+(?![\d.,]*\d)/, number => `has a decimal comma: write ${plain(number)}`],
  [
    /^[-+]?\d{1,3}(?:[.,]\d{3})+(?:[.,]\d+)?(?![\d.,]*\d)/,
    number => `contains thousands separators: write ${plain(number)}`,
  ],
  [
    /^[-+]?\d+(?:[ \t\u00a0\u2009\u202f]\d+)+(?:[.,]\d+)?/,
    number => `contains a space: write ${plain(number)}`,
  ],
  [
    /^[-+]?\d+(?:['’_]\d+)+(?:[.,]\d+)?/,
    number => `contains ${/['’_]/.exec(number)}: write ${plain(number)}`,
  ],
  [/^\+\d+(?:\.\d+)?/, number => `has a plus sign: write ${plain(number)}`],
  [/^-?0\d+(?:\.\d+)?/, number => `begins with a zero: write ${plain(number)}`],
  [/^[-+]?\.\d+/, number => `has no digit before the point: write ${plain(number)}`],
  [/^-?\d+\.(?![\d])/, number => `has no digit after the point: write ${plain(number)}`],
  [/^[０-９][０-９．，]*/, number => `has wide digits: write ${plain(number)}`],
  [
    /^(?:\p{Sc} ?-?\d[\d.,]*|-?\d(?:[\d.,]*\d)? ?[%\p{Sc}\p{L}]+(?!\p{L}|\s*:))/u,
    number => `is more than a number: write ${plain(number)}, without a unit or currency`,
  ],
];

/** A number around the error that is not written as JSON writes it, and how many characters before the error it begins. */
function numberFault({ before, after }: Surroundings): Fault | undefined {
  const [value = ''] = /[^:[]*$/.exec(before) ?? [];
  const number = value.trimStart();
  for (const [pattern, fault] of notations) {
    const [found] = pattern.exec(number + after) ?? [];
    if (found === undefined || found.length <= number.length) continue;
    return { back: number.length, message: `${printable(found, 40)} ${fault(found)}` };
  }
  return undefined;
}

/** The number as JSON writes it. A sign that occurs once, after all others, is the decimal sign. */
function plain(number: string): string {
  const text = number.normalize('NFKC').replace(/[^\d.,-]/g, '');
  const last = Math.max(text.lastIndexOf('.'), text.lastIndexOf(','));
  const hasFraction = last !== -1 && text.indexOf(text.charAt(last)) === last;
  const whole = (hasFraction ? text.slice(0, last) : text)
    .replace(/[.,]/g, '')
    .replace(/^(-?)0+(?=\d)/, '$1')
    .replace(/^-?$/, '$&0');
  const fraction = hasFraction ? text.slice(last + 1) : '';
  return fraction ? `${whole}.${fraction}` : whole;
}
