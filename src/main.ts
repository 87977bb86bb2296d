#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { openLoader } from './catalog/load.ts';
import { CatalogError } from './catalog/report.ts';
import { nearest, printable } from './messages.ts';
import { packageVersion } from './package-version.ts';
import { helpText } from './settings/help.ts';
import { flagName, readSettings, UsageError } from './settings/read.ts';
import { settingNames, settings } from './settings/settings.ts';

/** The commands that control what a service serves, and how many arguments each has. */
const CONTROLS: Partial<Record<string, number>> = { rollback: 1, unpin: 0, publish: 1 };
const COMMANDS = [
  ...['serve', 'check', 'diff', 'convert', 'template', 'export', 'history', 'healthcheck', 'counts'],
  ...Object.keys(CONTROLS),
];
const WITHOUT_PRICES = 'without-single-prices';
/** The flags of commands that are no settings. */
const OPTIONS: Partial<Record<string, readonly string[]>> = {
  check: ['all', 'json', 'against'],
  diff: ['all', 'json'],
  convert: ['format'],
  export: [WITHOUT_PRICES],
  history: ['json'],
};
/** The actions of `vitrine counts`, and how many arguments each has. */
const COUNTS_ACTIONS: Partial<Record<string, number>> = { export: 0, import: 1, set: 2 };

/** Each command imports its own modules, so that all start fast. */
async function main(): Promise<void> {
  const { positionals, values } = readArguments(process.argv.slice(2));
  const { help, version, json, all, against, format, [WITHOUT_PRICES]: withoutPrices, ...flags } = values;
  const [command = 'serve', ...rest] = positionals;
  const options = Object.entries({ json, all, against, format, [WITHOUT_PRICES]: withoutPrices }).filter(
    ([, value]) => value !== undefined,
  );
  const isKnown = options.every(([name]) => OPTIONS[command]?.includes(name));
  const withDirectory = ([dir]: string[]) => ({ ...flags, ...(dir && { 'catalog-dir': dir }) });
  if (help) {
    process.stdout.write(helpText());
  } else if (version) {
    process.stdout.write(`${packageVersion()}\n`);
  } else if (!isKnown) {
    throw unknownCommand(command);
  } else if (command === 'serve' && rest.length === 0) {
    const settings = readSettings(flags, process.env);
    // Starts the reader process while this one loads the rest of the program.
    const loader = openLoader(settings);
    const { serve } = await import('./serve.ts');
    await serve(settings, loader);
  } else if (command === 'check' && rest.length <= 1) {
    const { check } = await import('./commands/check.ts');
    await check(readSettings(withDirectory(rest), process.env), {
      json: json === true,
      all: all === true,
      against,
    });
  } else if (command === 'diff' && rest.length <= 2) {
    const { diff } = await import('./commands/diff.ts');
    await diff(rest, readSettings(flags, process.env), { json: json === true, all: all === true });
  } else if (command === 'convert' && rest.length === 2) {
    const { convert } = await import('./commands/convert.ts');
    const [from = '', to = ''] = rest;
    await convert(from, to, format ?? 'xlsx', readSettings(flags, process.env));
  } else if (command === 'template' && rest.length <= 1) {
    const { template } = await import('./commands/template.ts');
    await template(readSettings(withDirectory(rest), process.env));
  } else if (command === 'export' && rest.length === 1) {
    const { exportTo } = await import('./commands/export.ts');
    const [dir = ''] = rest;
    await exportTo(dir, readSettings(flags, process.env), withoutPrices !== true);
  } else if (command === 'healthcheck' && rest.length === 0) {
    const { checkHealth } = await import('./process/healthcheck.ts');
    process.stdout.write(`${await checkHealth(readSettings(flags, process.env))}\n`);
  } else if (command === 'history' && rest.length === 0) {
    const { listHistory } = await import('./commands/history.ts');
    await listHistory(readSettings(flags, process.env), json === true);
  } else if (CONTROLS[command] === rest.length) {
    const { rollback, unpin, publish } = await import('./commands/control.ts');
    const [version = ''] = rest;
    const settings = readSettings(flags, process.env);
    if (command === 'rollback') await rollback(version, settings);
    else if (command === 'publish') await publish(version, settings);
    else await unpin(settings);
  } else if (command === 'counts' && usesCounts(rest)) {
    const { exportAll, importFrom, setTo } = await import('./commands/counts.ts');
    const read = () => readSettings(flags, process.env);
    const [action, first = '', second = ''] = rest;
    if (action === 'export') await exportAll(read());
    else if (action === 'import') await importFrom(first, read());
    else await setTo(first, second, read);
  } else {
    throw unknownCommand(command);
  }
}

function unknownCommand(command: string): UsageError {
  const near = nearest(command, COMMANDS);
  const hint = near && near !== command ? `; did you mean ${near}?` : '';
  return new UsageError(`unknown command: ${process.argv.slice(2).join(' ')}${hint}`);
}

function usesCounts([action = '', ...args]: string[]): boolean {
  return COUNTS_ACTIONS[action] === args.length;
}

function readArguments(args: string[]) {
  const flags = settingNames.map(name => {
    const type = settings[name].placeholder ? 'string' : 'boolean';
    return [flagName(name), { type }] as const;
  });
  const options = {
    ...Object.fromEntries(flags),
    help: { type: 'boolean' },
    version: { type: 'boolean' },
    json: { type: 'boolean' },
    all: { type: 'boolean' },
    against: { type: 'string' },
    format: { type: 'string' },
    [WITHOUT_PRICES]: { type: 'boolean' },
  } as const;
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    const [message = ''] = String(error instanceof Error ? error.message : error).split('. ');
    const [, unknown] = /^Unknown option '--(.*)'$/.exec(message) ?? [];
    if (unknown === undefined) throw new UsageError(message);
    const near = nearest(unknown, Object.keys(options));
    throw new UsageError(`unknown flag: --${unknown}${near ? `; did you mean --${near}?` : ''}`);
  }
}

main().catch((error: Error) => {
  const usage = error instanceof UsageError;
  // Its lines are escaped already.
  const message = error instanceof CatalogError ? error.message : printable(error.message);
  process.stderr.write(`${message}${usage ? "\nRun 'vitrine --help' for usage." : ''}\n`);
  process.exitCode = usage ? 2 : 1;
});
