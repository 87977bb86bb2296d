import { excerpt } from '../../../messages.ts';
import type { Fault, Surroundings } from './surroundings.ts';

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
export function closingQuoteFault({ after }: Surroundings, code: string): Fault | undefined {
  const [, quote] = /^"[^\r\n]*?([“”„»’])\s*[,:}\]\r\n]/.exec(after) ?? [];
  if (!quote || code !== 'UnexpectedEndOfString') return undefined;
  return { back: 0, message: `this text ends with ${quote}, not with a straight quote: ${QUOTES}` };
}

/** A key before a colon, without quotes. */
const KEY = /^([\p{L}\p{N}_$][\p{L}\p{N}_$-]*)\s*:/u;

/** What is wrong with a character or word that has no meaning in JSON. */
export function symbolFault({ before, after }: Surroundings, code: string): Fault | undefined {
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
