import { type ParseErrorCode, printParseErrorCode } from 'jsonc-parser';

/** What to do about each syntax error, for people who edit the file by hand. */
const remedies: Partial<Record<ReturnType<typeof printParseErrorCode>, string>> = {
  InvalidSymbol:
    'this is neither a key nor a value: put keys and text in "double quotes", or write a number, true, false or null',
  InvalidNumberFormat: 'this is not a JSON number: write digits such as 4096 or 19.90',
  UnexpectedEndOfNumber: 'this is not a JSON number: write digits such as 4096 or 19.90',
  PropertyNameExpected: 'a key in "double quotes" is missing here: add it, or delete the comma before',
  ValueExpected: 'a value is missing here: add it, or delete the comma before',
  ColonExpected: 'a colon is missing here: add it',
  CommaExpected:
    'a comma is missing here: add it, or, inside a number, delete spaces and leading zeros, as in 16384',
  CloseBraceExpected: 'the closing } of this row is missing: add it',
  CloseBracketExpected: 'the closing ] is missing: add it, or, if the file was cut off, save it again',
  EndOfFileExpected: 'the array ends before this: delete what follows it',
  InvalidCommentToken: 'JSON does not allow comments: delete this one',
  UnexpectedEndOfComment: 'JSON does not allow comments: delete this one',
  UnexpectedEndOfString:
    'this text has no closing quote on its line: add it, and write a line break inside text as \\n',
  InvalidUnicode: 'this \\u escape is incomplete: write four hexadecimal digits, such as \\u00e9',
  InvalidEscapeCharacter: 'this escape is unknown: write a backslash as \\\\',
  InvalidCharacter: 'this text contains a control character: write a tab as \\t, a line break as \\n',
};

export function syntaxError(code: ParseErrorCode): string {
  return remedies[printParseErrorCode(code)] ?? 'invalid JSON from this point: correct it';
}
