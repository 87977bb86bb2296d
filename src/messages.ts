import { getSystemErrorMap } from 'node:util';
import { closest, distance } from 'fastest-levenshtein';

/** Where log messages go. `details` are further fields of the log line. */
export interface Log {
  info(message: string, details?: object): void;
  warn(message: string, details?: object): void;
  error(message: string, details?: object): void;
}

/** Characters that can control a terminal or hide text: controls, separators, direction marks, tags, lone surrogates. */
const INVISIBLE_CHARACTERS = /[\p{C}\p{Zl}\p{Zp}]/gu;

/** Escapes invisible characters as in JSON: `\u009b`. */
export function escapeInvisible(text: string): string {
  return text.replace(INVISIBLE_CHARACTERS, character =>
    character.replace(/./gs, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
}

/**
 * Makes text from files, clients or operators safe to print: one line of at most `limit` characters, with invisible ones
 * escaped. Everything that goes to a terminal, the log or `/health` passes through here.
 */
export function printable(text: string, limit = 500): string {
  // A character has at most two UTF-16 units. Slicing first bounds the work on huge texts.
  const characters = Array.from(escapeInvisible(text.slice(0, 2 * limit)));
  return characters.length > limit ? `${characters.slice(0, limit).join('')}…` : characters.join('');
}

/** Quotes a value in a message. */
export function excerpt(text: string): string {
  return printable(text, 40);
}

/** `1 row`, `2 rows`. */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** In characters. Longer names resemble no known name, and comparing them is slow. */
const MAX_NAME_LENGTH = 100;

/** Returns the known name with the same letters, or else the nearest one if it differs in at most a third of them. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const start = name.slice(0, MAX_NAME_LENGTH);
  const letters = sortedLetters(start);
  const short = known.filter(({ length }) => length <= MAX_NAME_LENGTH);
  const swapped = short.find(candidate => sortedLetters(candidate) === letters);
  if (swapped !== undefined || short.length === 0) return swapped;
  const near = closest(start, short);
  return distance(start, near) <= Math.max(1, near.length / 3) ? near : undefined;
}

function sortedLetters(name: string): string {
  return Array.from(name).sort().join('');
}

/** Says why something failed without naming paths: in the words of the system if it has any, or else by the message. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // It has one error for each address of a host.
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  const { errno, code, cause, message }: NodeJS.ErrnoException = error;
  const [name, description] = getSystemErrorMap().get(errno ?? 0) ?? [];
  // Errors of zlib have numbers of their own.
  if (description !== undefined && name === code) return description;
  return cause ? reasonOf(cause) : message;
}
