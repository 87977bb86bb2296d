#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { CatalogError } from './catalog/report.ts';
import { commands } from './commands/commands.ts';
import { nearest, printable } from './messages.ts';
import { packageVersion } from './package-version.ts';
import { helpText } from './settings/help.ts';
import { flagName, readSettings, UsageError } from './settings/read.ts';
import { settingNames, settings } from './settings/settings.ts';

/** The flags that are no settings; a usage says which command takes which. */
const options = {
  json: { type: 'boolean' },
  all: { type: 'boolean' },
  against: { type: 'string' },
  format: { type: 'string' },
  'without-single-prices': { type: 'boolean' },
} as const;

async function run(): Promise<void> {
  const { positionals, values } = readArguments(process.argv.slice(2));
  const {
    help,
    version,
    json,
    all,
    against,
    format,
    'without-single-prices': withoutPrices,
    ...flags
  } = values;
  if (help) return void process.stdout.write(helpText());
  if (version) return void process.stdout.write(`${packageVersion()}\n`);
  const words = positionals.length > 0 ? positionals : ['serve'];
  const usages = Object.keys(commands).filter(usage => namesIn(usage)[0] === words[0]);
  if (usages.length === 0) throw unknownCommand(words);
  const given = Object.keys(values).filter(name => name in options);
  const usage = usages.find(text => takes(text, words, given));
  const command = usage && commands[usage];
  if (!command) {
    const expected = usages.map(text => `vitrine ${text}`).join(' or ');
    throw new UsageError(`wrong arguments: expected ${expected}`);
  }
  await command(
    {
      settings: dir => readSettings({ ...flags, ...(dir && { 'catalog-dir': dir }) }, process.env),
      json: json === true,
      all: all === true,
      against,
      format,
      withoutPrices: withoutPrices === true,
    },
    ...words.slice(namesIn(usage).length),
  );
}

/** The words before the arguments. */
function namesIn(usage: string): string[] {
  return usage.split(' ').filter(word => /^[a-z]+$/.test(word));
}

/** Whether a command may be called by these words, its name first, and these options. */
function takes(usage: string, words: string[], given: string[]): boolean {
  const names = namesIn(usage);
  const required = usage.match(/(?<= )[A-Z]+(?= |$)/g)?.length ?? 0;
  const optional = usage.match(/\[[A-Z]+\]/g)?.length ?? 0;
  const count = words.length - names.length;
  return (
    names.every((name, index) => words[index] === name) &&
    count >= required &&
    count <= required + optional &&
    given.every(name => usage.includes(`[--${name}`))
  );
}

function unknownCommand([first = '']: string[]): UsageError {
  const names = Object.keys(commands).flatMap(usage => namesIn(usage).slice(0, 1));
  const near = nearest(first, names);
  const hint = near ? `; did you mean ${near}?` : '';
  return new UsageError(`unknown command: ${process.argv.slice(2).join(' ')}${hint}`);
}

function readArguments(args: string[]) {
  const flags = settingNames.map(name => {
    const type = settings[name].placeholder ? 'string' : 'boolean';
    return [flagName(name), { type }] as const;
  });
  const known = {
    ...Object.fromEntries(flags),
    ...options,
    help: { type: 'boolean' },
    version: { type: 'boolean' },
  } as const;
  try {
    return parseArgs({ args, options: known, allowPositionals: true });
  } catch (error) {
    const [message = ''] = String(error instanceof Error ? error.message : error).split('. ');
    const [, unknown] = /^Unknown option '--(.*)'$/.exec(message) ?? [];
    if (unknown === undefined) throw new UsageError(message);
    const near = nearest(unknown, Object.keys(known));
    throw new UsageError(`unknown flag: --${unknown}${near ? `; did you mean --${near}?` : ''}`);
  }
}

run().catch((error: Error) => {
  const usage = error instanceof UsageError;
  // Its lines are escaped already.
  const message = error instanceof CatalogError ? error.message : printable(error.message);
  process.stderr.write(`${message}${usage ? "\nRun 'vitrine --help' for usage." : ''}\n`);
  process.exitCode = usage ? 2 : 1;
});
