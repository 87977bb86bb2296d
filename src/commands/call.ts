import type { Settings } from '../settings/settings.ts';

/** The flags that are no settings, each with what stands for its value in a usage. */
export const options = {
  all: '',
  json: '',
  against: 'URL',
  format: 'FORMAT',
  'without-single-prices': '',
} as const;

export type OptionName = keyof typeof options;

/** How a command is called, and where it reads and writes. */
export interface Call {
  /** The settings of the flags and of the environment; of another catalog directory, if one is named. */
  settings(catalogDir?: string): Settings;
  /** True for one that takes no value. */
  flags: { [Name in OptionName]?: (typeof options)[Name] extends '' ? boolean : string };
  stdin: NodeJS.ReadableStream;
  /** Writes to standard output. */
  print(text: string): void;
  /** Writes a sentence for the operator to standard error. */
  warn(sentence: string): void;
  /** Shows how far the command is, in a line of the terminal that each text replaces, and all other output erases. */
  showProgress(text: string): void;
  /** Makes the exit code 1. */
  fail(): void;
}
