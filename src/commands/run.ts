import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { CatalogError } from '../live/report.ts';
import { nearest, printable } from '../messages.ts';
import { packageVersion } from '../package-version.ts';
import { commandName } from '../process/command-name.ts';
import { openProgressLine } from '../process/terminal.ts';
import { flagName, readSettings, UsageError } from '../settings/read.ts';
import { settingNames, settings } from '../settings/settings.ts';
import { type Call, type OptionName, options } from './call.ts';
import { commands } from './commands.ts';
import { commandHelp, helpText, usageOf } from './help.ts';

type FlagValues = Readonly<Record<string, string | boolean | undefined>>;

interface Surface {
  stdin: NodeJS.ReadableStream;
  stdout: { write(text: string): unknown };
  stderr: { isTTY: boolean; write(text: string): boolean };
  env: Readonly<Record<string, string | undefined>>;
  exitCode?: number | string | null | undefined;
}

/** Runs the command that the arguments name. An error becomes a sentence on standard error and an exit code. */
export async function runCommandLine(args: string[], surface: Surface = process): Promise<void> {
  let asked = '';
  try {
    const { words, values } = readArguments(args);
    const names = namesFor(words);
    if (names.length > 0) asked = `${names.length === 1 ? names[0] : words[0]} `;
    if (values.version) surface.stdout.write(`${packageVersion()}\n`);
    else if (values.help) surface.stdout.write(helpFor(words, names));
    else await runCommand(words.length > 0 ? words : ['serve'], values, surface);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const isUsage = error instanceof UsageError;
    // The lines of a report are escaped already.
    const message = error instanceof CatalogError ? error.message : printable(error.message);
    const hint = isUsage ? `\nRun '${commandName} ${asked}--help' for usage.` : '';
    surface.stderr.write(`${message}${hint}\n`);
    surface.exitCode = isUsage ? 2 : 1;
  }
}

/** Separates flags from words, which are a command with its arguments. The commands `help` and `version` become flags. */
function readArguments(args: string[]): { words: string[]; values: FlagValues } {
  const { positionals, values } = parseFlags(args);
  const [first = '', ...rest] = positionals;
  if (first === 'help') return { words: rest, values: { ...values, help: true } };
  if (first === 'version' && rest.length === 0) return { words: [], values: { ...values, version: true } };
  return { words: isDirectoryToServe(first) ? ['serve', ...positionals] : positionals, values };
}

function parseFlags(args: string[]) {
  const flagOf = (placeholder: string) => ({ type: placeholder === '' ? 'boolean' : 'string' }) as const;
  const known = {
    ...Object.fromEntries(settingNames.map(name => [flagName(name), flagOf(settings[name].placeholder)])),
    ...Object.fromEntries(Object.entries(options).map(([name, placeholder]) => [name, flagOf(placeholder)])),
    help: { type: 'boolean', short: 'h' },
    version: { type: 'boolean', short: 'v' },
  } as const;
  try {
    return parseArgs({ args, options: known, allowPositionals: true });
  } catch (error) {
    const [message = ''] = String(error instanceof Error ? error.message : error).split('. ');
    const [, flag] = /^Unknown option '(.*)'$/.exec(message) ?? [];
    if (flag === undefined) throw new UsageError(message);
    const near = nearest(flag.replace(/^-+/, ''), Object.keys(known));
    throw new UsageError(`unknown flag: ${flag}${near ? `; did you mean --${near}?` : ''}`);
  }
}

/** Whether a first word is a directory to serve. Other words are errors, so that a mistyped command serves nothing. */
function isDirectoryToServe(word: string): boolean {
  if (namesFor([word]).length > 0) return false;
  return /[/\\]|^\./.test(word) || existsSync(word);
}

/** Returns the commands that begin with the first two words, or if there are none, with the first one. */
function namesFor(words: readonly string[]): string[] {
  const [first, second] = words;
  const names = Object.keys(commands).filter(name => name.split(' ')[0] === first);
  const exact = names.filter(name => name.split(' ')[1] === second);
  return exact.length > 0 ? exact : names;
}

function helpFor(words: readonly string[], names: readonly string[]): string {
  const isGeneral = words.every(word => word === 'help' || word === 'version');
  if (isGeneral) return helpText();
  if (names.length === 0) throw unknownCommand(words);
  return commandHelp(names);
}

async function runCommand(words: readonly string[], values: FlagValues, surface: Surface): Promise<void> {
  const { env, stdin, stdout, stderr } = surface;
  const names = namesFor(words);
  if (names.length === 0) throw unknownCommand(words);
  const flags = (Object.keys(options) as OptionName[]).filter(name => values[name] !== undefined);
  const name = names.find(name => takes(name, words, flags));
  const command = name === undefined ? undefined : commands[name];
  if (name === undefined || !command)
    throw new UsageError(`wrong arguments: expected ${names.map(usageOf).join(' or ')}`);
  const settingsOf = (dir?: string) => {
    if (dir === undefined) return readSettings(values, env);
    if (values['catalog-dir'] !== undefined)
      throw new UsageError(
        `--catalog-dir: the directory ${printable(dir, 100)} is given as well; leave out one of the two`,
      );
    return readSettings({ ...values, 'catalog-dir': dir }, env);
  };
  const showProgress = openProgressLine(stderr);
  const call: Call = {
    settings: settingsOf,
    // parseArgs has checked which flags have a value.
    flags: Object.fromEntries(flags.map(flag => [flag, values[flag]])),
    stdin,
    print(text) {
      showProgress('');
      stdout.write(text);
    },
    warn(sentence) {
      showProgress('');
      stderr.write(`${printable(sentence)}\n`);
    },
    showProgress,
    fail() {
      surface.exitCode = 1;
    },
  };
  try {
    await command.run(call, ...words.slice(name.split(' ').length));
  } finally {
    showProgress('');
  }
}

/** Whether a command accepts these words, which begin with its name, and these flags. */
function takes(name: string, words: readonly string[], given: readonly OptionName[]): boolean {
  const { args = {}, flags = {} } = commands[name] ?? {};
  const names = name.split(' ');
  const expected = Object.keys(args).flatMap(arg => arg.split(' '));
  const required = expected.filter(arg => !arg.startsWith('['));
  const count = words.length - names.length;
  return (
    names.every((word, index) => words[index] === word) &&
    count >= required.length &&
    count <= expected.length &&
    given.every(flag => flag in flags)
  );
}

function unknownCommand([word = '']: readonly string[]): UsageError {
  const names = Object.keys(commands).flatMap(name => name.split(' ').slice(0, 1));
  const near = nearest(word, [...names, 'help', 'version']);
  if (near !== undefined) return new UsageError(`unknown command: ${word}; did you mean ${near}?`);
  return new UsageError(`unknown command: ${word}; for a directory, write ./${word}`);
}
