import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A wrong command line; the message is one sentence. */
export class UsageError extends Error {}

/** The value of an option that is a whole number from 1. @throws UsageError */
export function numberFrom(option: string, text: string): number {
  const number = Number(text.replaceAll(',', ''));
  if (Number.isSafeInteger(number) && number > 0) return number;
  throw new UsageError(`--${option}: expected a whole number from 1, got ${text}`);
}

/** Whether this module is the program that Node runs. */
export function isEntry(url: string): boolean {
  const [, entry = ''] = process.argv;
  return entry !== '' && realpathSync(entry) === fileURLToPath(url);
}

/** Prints why a command fails. Exit code 2 for wrong usage, otherwise 1. */
export function reportAndExit(error: Error): void {
  const isParseError = 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
  const isUsage = error instanceof UsageError || isParseError;
  const [sentence] = error.message.split('. ');
  process.stderr.write(isUsage ? `${sentence}. Run with --help for usage.\n` : `${error.message}\n`);
  process.exitCode = isUsage ? 2 : 1;
}
