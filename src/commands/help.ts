import { flagName } from '../settings/read.ts';
import { headings, type Setting, settingNames, settings } from '../settings/settings.ts';
import { type OptionName, options } from './call.ts';
import { type Command, commands } from './commands.ts';

const WIDTH = 80;
/** The columns at which descriptions start: those of commands, and those of settings, arguments and flags. */
const COMMAND = 32;
const DESCRIPTION = 28;

/** The output of `vitrine --help`. */
export function helpText(): string {
  const calls = Object.entries(commands).map(([name, { does }]) =>
    helpEntry(`  ${callOf(name)}`, does, COMMAND),
  );
  return `vitrine - serves products, prices and news from JSON, CSV and workbooks

Usage:
${calls.join('')}\
${helpEntry('  vitrine help [COMMAND]', 'show this, or the help of a command', COMMAND)}\
${helpEntry('  vitrine version', 'show the version', COMMAND)}
DIR is a directory of catalog files; CATALOG_DIR if you leave it out. Images and
state lie beside it: in shop/images and shop/state for shop/catalog, in
shop-images and shop-state for shop.

'vitrine COMMAND --help' (-h) shows the arguments and the flags of a command.
Every command takes the settings below as flags or as environment variables:
--catalog-dir or CATALOG_DIR. A flag overrides its variable.

Examples:
  vitrine template shop/catalog
  vitrine shop/catalog --port 8080
  vitrine check shop/catalog --csv-decimal ,
  vitrine diff shop/catalog-new
  vitrine export site/public --catalog-dir shop/catalog

${settingsHelp()}
${exitCodes}`;
}

const exitCodes = `Exit codes:
  0  success, or stopped by a signal
  1  the catalogs have errors, the service failed, or it is not live
  2  wrong usage, such as an invalid setting
`;

/** The output of `vitrine COMMAND --help`, for all commands that begin with this word. */
export function commandHelp(names: readonly string[]): string {
  const takesSettings = names.includes('serve')
    ? `\nSettings, each also an environment variable such as CATALOG_DIR:\n\n${settingsHelp()}\n${exitCodes}`
    : "\nIt takes the settings that 'vitrine --help' lists, as flags or variables.\n";
  return names.map(detailsOf).join('\n') + takesSettings;
}

/** How a command is called: `vitrine check [DIR] [--all] [--json] [--against URL]`. */
export function usageOf(name: string): string {
  const flags = flagsOf(commands[name]).map(([flag]) => `[${flag}]`);
  return [callOf(name), ...flags].join(' ');
}

function callOf(name: string): string {
  const word = name === 'serve' ? '[serve]' : name;
  return ['vitrine', word, ...Object.keys(commands[name]?.args ?? {})].join(' ');
}

function detailsOf(name: string): string {
  const { does, args = {}, examples = [] } = commands[name] ?? { does: '' };
  const taken = [...Object.entries(args), ...flagsOf(commands[name])].map(([head, meaning]) =>
    helpEntry(`  ${head}`, meaning, DESCRIPTION),
  );
  return [
    `${usageOf(name)}\n`,
    helpEntry('', `${does[0]?.toUpperCase()}${does.slice(1)}.`, 0),
    ...(taken.length > 0 ? ['\n', ...taken] : []),
    ...(examples.length > 0 ? ['\nExamples:\n', ...examples.map(line => `  ${line}\n`)] : []),
  ].join('');
}

function flagsOf(command: Command | undefined): [flag: string, meaning: string][] {
  const flags = Object.entries(command?.flags ?? {}) as [OptionName, string][];
  return flags.map(([name, meaning]) => [`--${name} ${options[name]}`.trimEnd(), meaning]);
}

function settingsHelp(): string {
  const entries = settingNames.map(name => {
    const heading = headings[name] ? `\n${headings[name]}:\n` : '';
    return heading + settingHelp(name, settings[name]);
  });
  return entries.join('').trimStart();
}

function settingHelp(name: string, setting: Setting): string {
  const flag = `  --${flagName(name)} ${setting.placeholder}`.trimEnd();
  const fallback = setting.placeholder && setting.default ? ` (default ${setting.default})` : '';
  return helpEntry(flag, setting.description + fallback, DESCRIPTION);
}

/** Formats a term and its description in lines of at most 80 characters, unless a word is longer. */
function helpEntry(head: string, meaning: string, column: number): string {
  const lines: string[] = [];
  for (const word of meaning.split(' ')) {
    const line = lines.at(-1);
    if (line !== undefined && `${line} ${word}`.length <= WIDTH - column)
      lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  const text = lines.map(line => `${' '.repeat(column)}${line}\n`).join('');
  return head.length > column - 2 ? `${head}\n${text}` : head + text.slice(head.length);
}
