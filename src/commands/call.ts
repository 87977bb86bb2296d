import type { Settings } from '../settings/settings.ts';

/** The flags that are not settings, each with a placeholder for its value in the help. */
export const options = {
  all: '',
  json: '',
  against: 'URL',
  format: 'FORMAT',
  'without-single-prices': '',
} as const;

export type OptionName = keyof typeof options;

/** One call of a command: its settings and flags, and where it reads and writes. */
export interface Call {
  /** Reads the settings from the flags and the environment, for another catalog directory if one is given. */
  settings(catalogDir?: string): Settings;
  /** A flag without a value is true. */
  flags: { [Name in OptionName]?: (typeof options)[Name] extends '' ? boolean : string };
  stdin: NodeJS.ReadableStream;
  /** Writes to standard output. */
  print(text: string): void;
  /** Writes a sentence for the operator to standard error. */
  warn(sentence: string): void;
  /** Shows the progress in a line of the terminal. Each text replaces the last one, and all other output erases it. */
  showProgress(text: string): void;
  /** Sets the exit code to 1. */
  fail(): void;
}
