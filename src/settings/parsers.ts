import { totalmem } from 'node:os';

/** Turns the text of a setting into its value. */
export interface SettingParser<Value> {
  /** Undefined if the text is not what is `expected`. */
  parse(text: string): Value | undefined;
  /** Completes the message `PORT: expected …`. */
  expected: string;
  /** Whether no message may repeat the text. */
  isSecret?: true;
  /** Stands for the value in the help text; empty for a flag that takes none. */
  placeholder: string;
}

export function textOf(
  placeholder: string,
  isValid: (text: string) => boolean = () => true,
  expected = 'text',
): SettingParser<string> {
  return { parse: value => (isValid(value) ? value : undefined), expected, placeholder };
}

/** A secret, which no message repeats; empty for none. */
export function secretOf(
  placeholder: string,
  isValid: (text: string) => boolean,
  expected: string,
): SettingParser<string> {
  return { ...textOf(placeholder, value => value === '' || isValid(value), expected), isSecret: true };
}

/** A secret that HTTP can carry in any header; empty for none. */
export const token = secretOf(
  'TOKEN',
  value => /^[\w.~+/=-]{16,256}$/.test(value),
  '16 to 256 letters, digits or - . _ ~ + / =',
);

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

const booleans = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/** A boolean of a setting, a query or a JSON file, in lower case. */
export const boolean: SettingParser<boolean> = {
  parse: value => booleans.get(value),
  expected: 'true, false, 1 or 0',
  placeholder: '',
};

/** A path without a slash at its end; empty for the root. */
export const mountPath: SettingParser<string> = {
  parse: value => (/^(\/[\w.~-]+)*\/?$/.test(value) ? value.replace(/\/$/, '') : undefined),
  expected: 'a path such as /shop',
  placeholder: 'PATH',
};

export const timeZone = textOf('ZONE', isTimeZone, 'an IANA time zone such as Europe/Berlin');

function isTimeZone(name: string): boolean {
  if (name === 'UTC') return true; // Loading Intl's time zones would take a twentieth of the start.
  try {
    return Boolean(new Intl.DateTimeFormat('en-US', { timeZone: name }));
  } catch {
    return false;
  }
}

const megabytes = integer('MB', 64, 1_048_576);

/** In MB. `auto` is half of the memory of the container or machine: the served set needs the other half meanwhile. */
export const loadMemory: SettingParser<number> = {
  parse(value) {
    if (value !== 'auto') return megabytes.parse(value);
    const bytes = Math.min(process.constrainedMemory() || totalmem(), totalmem());
    return Math.min(1536, Math.floor(bytes / 2 ** 21));
  },
  expected: `auto or ${megabytes.expected}`,
  placeholder: 'MB',
};

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
