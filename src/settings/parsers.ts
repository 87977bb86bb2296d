import { totalmem } from 'node:os';
import { expectedBoolean, parseBoolean } from '../booleans.ts';

/** Turns the text of a setting into its value. */
export interface SettingParser<Value> {
  /** Undefined if the text is not what is `expected`. */
  parse(text: string): Value | undefined;
  /** Completes the message `PORT: expected …`. */
  expected: string;
  /** Explains what is wrong with a text that may hold a password, which no message repeats. */
  explain?(text: string): string;
  /** Stands for the value in the help text; empty for a flag that takes none. */
  placeholder: string;
}

export interface Setting extends SettingParser<unknown> {
  /** As the operator would write it; empty for none. */
  default: string;
  description: string;
}

/** Settings under one heading of the help text. */
export type SettingGroup = Record<string, Setting>;

/** Any text. */
export function text(placeholder: string): SettingParser<string> {
  return { parse: value => value, expected: 'text', placeholder };
}

/** A secret that HTTP can carry in any header; empty for none. No message repeats it. */
export const token: SettingParser<string> = {
  parse: value => (value === '' || /^[\w.~+/=-]{16,256}$/.test(value) ? value : undefined),
  expected: '16 to 256 letters, digits or - . _ ~ + / =',
  explain: () => `expected ${token.expected}`,
  placeholder: 'TOKEN',
};

export function integer(placeholder: string, minimum: number, maximum: number): SettingParser<number> {
  return {
    parse: value =>
      /^\d+$/.test(value) && Number(value) >= minimum && Number(value) <= maximum ? Number(value) : undefined,
    expected: `a whole number from ${minimum} to ${maximum}`,
    placeholder,
  };
}

export function oneOf<const Choice extends string>(
  placeholder: string,
  ...choices: Choice[]
): SettingParser<Choice> {
  return {
    parse: value => choices.find(choice => choice === value),
    expected: `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`,
    placeholder,
  };
}

export const boolean: SettingParser<boolean> = {
  parse: parseBoolean,
  expected: expectedBoolean,
  placeholder: '',
};

/** A path without a slash at its end; empty for the root. */
export const mountPath: SettingParser<string> = {
  parse: value => (/^(\/[\w.~-]+)*\/?$/.test(value) ? value.replace(/\/$/, '') : undefined),
  expected: 'a path such as /shop',
  placeholder: 'PATH',
};

export const timeZone: SettingParser<string> = {
  parse: value => (isTimeZone(value) ? value : undefined),
  expected: 'an IANA time zone such as Europe/Berlin',
  placeholder: 'ZONE',
};

function isTimeZone(name: string): boolean {
  if (name === 'UTC') return true; // Loading Intl's time zones would take a twentieth of the start.
  try {
    return Boolean(new Intl.DateTimeFormat('en-US', { timeZone: name }));
  } catch {
    return false;
  }
}

/** In MB. */
export const loadMemory: SettingParser<number> = {
  parse: value => (value === 'auto' ? autoLoadMemory() : megabytes.parse(value)),
  expected: 'auto or a whole number from 64 to 1048576',
  placeholder: 'MB',
};

const megabytes = integer('MB', 64, 1_048_576);

/** Half of the memory, since the set that is served needs the other half while the next one is read. */
function autoLoadMemory(): number {
  return Math.min(1536, Math.floor(availableMemoryMb() / 2));
}

/** The memory of the container or else of the machine, in MB. */
function availableMemoryMb(): number {
  return Math.min(process.constrainedMemory() || totalmem(), totalmem()) / 2 ** 20;
}

/** Encodings of CSV files, by the names of the Encoding Standard that `TextDecoder` knows. */
export const encodings = [
  'utf-8',
  ...['big5', 'euc-jp', 'euc-kr', 'gb18030', 'gbk', 'shift_jis'],
  ...['iso-8859-2', 'iso-8859-5', 'iso-8859-7', 'iso-8859-9', 'iso-8859-15'],
  ...['koi8-r', 'koi8-u', 'macintosh', 'windows-874'],
  ...['windows-1250', 'windows-1251', 'windows-1252', 'windows-1253', 'windows-1254'],
  ...['windows-1255', 'windows-1256', 'windows-1257', 'windows-1258'],
];

export const encoding = oneOf('ENCODING', ...encodings);
