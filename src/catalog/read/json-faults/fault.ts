import { type ParseErrorCode, printParseErrorCode } from 'jsonc-parser';
import { numberFault } from './numbers.ts';
import { structureFault } from './structure.ts';
import type { Fault } from './surroundings.ts';
import { closingQuoteFault, symbolFault } from './symbols.ts';

/** A syntax error: where the faulty thing begins, and what to do about it. */
export interface JsonFault {
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
