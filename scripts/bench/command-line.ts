import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A command line that makes no sense; its message is one sentence. */
export class UsageError extends Error {}

/** The value of an option that is a whole number from 1 on. */
export function numberFrom(option: string, text: string): number {
  const number = Number(text.replaceAll(',', ''));
  if (Number.isSafeInteger(number) && number > 0) return number;
  throw new UsageError(`--${option} is a whole number from 1 on, and not ${text}`);
}

/** Whether this module is what node was told to run. */
export function isEntry(url: string): boolean {
  const [, entry = ''] = process.argv;
  return entry !== '' && realpathSync(entry) === fileURLToPath(url);
}

/** Says in one sentence why a command ends: by exit code 2 where it was used wrongly, otherwise by 1. */
export function tellAndExit(error: Error): void {
  const isParseError = 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
  const isUsage = error instanceof UsageError || isParseError;
  const [sentence = ''] = error.message.split('. ');
  process.stderr.write(isUsage ? `${sentence}; --help tells more\n` : `${error.message}\n`);
  process.exitCode = isUsage ? 2 : 1;
}
